// The simpler way, for comparison: a thread a cell takes room for its triangles from a counter and writes them with
// vertices of their own. It needs no counts and no scan, but solves each edge some six times, and the order of the
// triangles depends on timing.
@group(0) @binding(1) var<storage, read> grids: array<Grid>;
@group(0) @binding(3) var<storage, read_write> appended: Appended;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> normals: array<u32>;

struct Appended { triangles: atomic<u32>, spare: array<u32, 3>, draw: array<u32, 4> }

@compute @workgroup_size(64)
fn append_triangles(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = thread(id, groups);
	let cells = batch.cells;
	if (i >= cells.x * cells.y * cells.z * batch.grids) { return; }
	let rest = i / cells.x;
	let plane = rest / cells.y;
	let p = vec3<u32>(i % cells.x, rest % cells.y, plane % cells.z) + batch.margin;
	let grid = plane / cells.z;
	var c = 0u;
	for (var k = 0u; k < 8u; k++) {
		let corner = p + vec3<u32>(k & 1u, (k >> 1u) & 1u, k >> 2u);
		if (sample(sample_index(grid, corner)) > batch.iso) { c |= 1u << k; }
	}
	let entry = table[c];
	let n = entry.x & 15u;
	if (n == 0u) { return; }
	let first = atomicAdd(&appended.triangles, n);
	for (var k = 0u; k < 3u * n; k++) {
		if (first + k / 3u >= batch.max_triangles) { return; }
		let edge = edge_of(entry, k);
		let start = p + start_of(edge);
		let v = solve(grid, start, edge >> 2u);
		positions[3u * first + k] = placed(v.position + grids[grid].origin, grid, start, edge >> 2u);
		normals[3u * first + k] = pack4x8snorm(vec4<f32>(v.normal, 0.0));
	}
}

// Writes the arguments of an indirect draw of what was appended.
@compute @workgroup_size(1)
fn finish_append() {
	let n = min(atomicLoad(&appended.triangles), batch.max_triangles);
	appended.draw = array<u32, 4>(3u * n, 1u, 0u, 0u);
}
