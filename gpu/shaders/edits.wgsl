// Lays edits over samples, each in its turn (package edit). The samples come from one buffer and go to another, so
// that a field is computed once however often its edits change.
@group(0) @binding(1) var<storage, read> grids: array<Grid>;
@group(0) @binding(2) var<storage, read> edits: array<Edit>;
@group(0) @binding(3) var<storage, read> before_edits: array<f32>;
@group(0) @binding(5) var<storage, read_write> filled: array<f32>;

// A brush at a place, as gpu.AppendEdits writes it.
struct Edit {
	sample: vec3<i32>, // of the place
	operation: u32,    // 1 digs, 2 builds
	offset: vec3<f32>, // of the place from its sample
	radius: f32,
	blend: f32,        // blend radius k
	reach: f32,        // beyond it nothing changes, at level 0
	spare: vec2<f32>,
}

// The smooth minimum of a and b with blend radius k; k = 0 is the plain one.
fn smooth_least(a: f32, b: f32, k: f32) -> f32 {
	let h = k - abs(a - b);
	return select(min(a, b), min(a, b) - h * h / (4.0 * k), h > 0.0);
}

fn edited(density: f32, p: vec3<i32>) -> f32 {
	var d = density;
	for (var i = 0u; i < batch.edits; i++) {
		// Most edits are out of reach; that is known before all of an edit is read.
		let reach = edits[i].reach + f32(2 * (batch.step - 1));
		let away = vec3<f32>(p - edits[i].sample) - edits[i].offset;
		if (away.y * away.y + away.z * away.z > reach * reach * 1.001) { continue; }
		let far = length(away);
		if (!(far <= reach)) { continue; }
		let e = edits[i];
		let outside = far - e.radius;
		if (e.operation == 1u) {
			d = smooth_least(d, outside, e.blend);
		} else {
			d = -smooth_least(-d, outside, e.blend);
		}
	}
	return d;
}

@compute @workgroup_size(64)
fn apply(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = thread(id, groups);
	if (i >= samples_of_grid() * batch.grids) { return; }
	let x = i % batch.samples.x;
	let rest = i / batch.samples.x;
	let plane = rest / batch.samples.y;
	let grid = grids[plane / batch.samples.z];
	let p = grid.first + batch.step * vec3<i32>(i32(x), i32(rest % batch.samples.y), i32(plane % batch.samples.z));
	filled[i] = edited(before_edits[i], p);
}
