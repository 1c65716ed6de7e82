// Evaluates a field over grids. What does not depend on y is computed once a column by the pass columns, which must
// run before the pass fill. The functions column_values and density, and the constant column_slots, are the graph's.
@group(0) @binding(1) var<storage, read> grids: array<Grid>;
@group(0) @binding(4) var<storage, read_write> column_store: array<f32>;
@group(0) @binding(5) var<storage, read_write> filled: array<f32>;

fn store_column(slot: u32, column: u32, v: f32) { column_store[slot * batch.columns + column] = v; }

fn load_column(slot: u32, column: u32) -> f32 { return column_store[slot * batch.columns + column]; }

@compute @workgroup_size(64)
fn columns(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = thread(id, groups);
	if (i >= batch.columns) { return; }
	let x = i % batch.samples.x;
	let rest = i / batch.samples.x;
	let grid = grids[rest / batch.samples.z];
	column_values(grid.first + batch.step * vec3<i32>(i32(x), 0, i32(rest % batch.samples.z)), i);
}

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = thread(id, groups);
	if (i >= samples_of_grid() * batch.grids) { return; }
	let x = i % batch.samples.x;
	let rest = i / batch.samples.x;
	let y = rest % batch.samples.y;
	let plane = rest / batch.samples.y; // z, then grid
	let grid = grids[plane / batch.samples.z];
	let p = grid.first + batch.step * vec3<i32>(i32(x), i32(y), i32(plane % batch.samples.z));
	filled[i] = density(p, plane * batch.samples.x + x);
}
