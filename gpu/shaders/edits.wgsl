// Lays edits over samples, each in its turn (package edit). The samples come from one buffer and go to another, so
// that a field is computed once however often its edits change. A grid is worked on in tiles: which edits reach a
// tile is found first, by a pass of its own, and most reach few.
@group(0) @binding(1) var<storage, read> grids: array<Grid>;
@group(0) @binding(2) var<storage, read> edits: array<Edit>;
@group(0) @binding(3) var<storage, read> before_edits: array<f32>;
@group(0) @binding(4) var<storage, read_write> reached: array<u32>; // of each tile, edits as bits
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

// Density d after an edit of sample p.
fn edited(d: f32, p: vec3<i32>, number: u32) -> f32 {
	let e = edits[number];
	let far = length(vec3<f32>(p - e.sample) - e.offset);
	if (!(far <= reach_of(e.reach))) { return d; }
	let outside = far - e.radius;
	if (e.operation == 1u) { return smooth_least(d, outside, e.blend); }
	return -smooth_least(-d, outside, e.blend);
}

// How far an edit reaches at this level.
fn reach_of(reach: f32) -> f32 { return reach + f32(2 * (batch.step - 1)); }

// Samples of a tile along each axis.
const tile = vec3<u32>(8u, 4u, 4u);

fn tiles_of_grid() -> vec3<u32> { return (batch.samples + tile - 1u) / tile; }

// Words of bits of a tile.
fn edit_words() -> u32 { return (batch.edits + 31u) / 32u; }

// Whether an edit reaches a tile whose first sample is p.
fn reaches(number: u32, p: vec3<i32>) -> bool {
	let e = edits[number];
	let low = vec3<f32>(p - e.sample) - e.offset;
	let high = low + vec3<f32>(batch.step * vec3<i32>(tile - 1u));
	let away = max(max(low, -high), vec3<f32>(0.0));
	let reach = reach_of(e.reach);
	return dot(away, away) <= reach * reach * 1.001; // a little more, for rounding
}

// A thread a tile.
@compute @workgroup_size(64)
fn find_edits(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = thread(id, groups);
	let n = tiles_of_grid();
	let rest = i / n.x;
	let layer = rest / n.y;
	let grid = layer / n.z;
	if (grid >= batch.grids) { return; }
	let p = grids[grid].first + batch.step * vec3<i32>(tile * vec3<u32>(i % n.x, rest % n.y, layer % n.z));
	let words = edit_words();
	for (var w = 0u; w < words; w++) {
		var bits = 0u;
		for (var k = 0u; k < min(32u, batch.edits - 32u * w); k++) {
			if (reaches(32u * w + k, p)) { bits |= 1u << k; }
		}
		reached[i * words + w] = bits;
	}
}

// A workgroup a tile, in as many layers as all grids have.
@compute @workgroup_size(8, 4, 4)
fn apply(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
	let n = tiles_of_grid();
	let grid = group.z / n.z;
	let at = tile * vec3<u32>(group.xy, group.z % n.z) + local;
	if (any(at >= batch.samples)) { return; }
	let p = grids[grid].first + batch.step * vec3<i32>(at);
	let i = sample_index(grid, at);
	let words = edit_words();
	let first = ((group.z * n.y + group.y) * n.x + group.x) * words;
	var d = before_edits[i];
	for (var w = 0u; w < words; w++) {
		for (var rest = reached[first + w]; rest != 0u; rest &= rest - 1u) {
			d = edited(d, p, 32u * w + firstTrailingBit(rest));
		}
	}
	filled[i] = d;
}
