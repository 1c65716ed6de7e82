// Lays edits over samples, each in its turn (package edit). The samples come from one buffer and go to another, so
// that a field is computed once however often its edits change. A grid is worked on in tiles: which edits reach a
// tile is found first, by a pass of its own, and most reach few.
@group(0) @binding(1) var<storage, read> grids: array<Grid>;
@group(0) @binding(2) var<storage, read> edits: array<Edit>;
@group(0) @binding(3) var<storage, read> before_edits: array<f32>;
@group(0) @binding(4) var<storage, read_write> reached: array<u32>; // of each tile, edits as bits
@group(0) @binding(5) var<storage, read_write> filled: array<f32>;

// An edit, as package edit encodes it.
struct Edit {
	kind: u32,     // version, operation, shape and material, a byte each, lowest first
	radius: f32,
	blend: f32,    // blend radius k
	sample_x: i32, // of the place
	sample_y: i32,
	sample_z: i32,
	offset_x: f32, // of the place from its sample
	offset_y: f32,
	offset_z: f32,
	extent_x: f32, // of the shape
	extent_y: f32,
	extent_z: f32,
}

// The way from the place of an edit to the sample p.
fn from_place(e: Edit, p: vec3<i32>) -> vec3<f32> {
	return vec3<f32>(p - vec3<i32>(e.sample_x, e.sample_y, e.sample_z)) - vec3<f32>(e.offset_x, e.offset_y, e.offset_z);
}

// The smooth minimum of a and b with blend radius k; k = 0 is the plain one.
fn smooth_least(a: f32, b: f32, k: f32) -> f32 {
	let h = k - abs(a - b);
	return select(min(a, b), min(a, b) - h * h / (4.0 * k), h > 0.0);
}

// Density d after an edit of sample p. Operations other than digging and building change no density.
fn edited(d: f32, p: vec3<i32>, number: u32) -> f32 {
	let e = edits[number];
	let outside = shape_distance(e, from_place(e, p));
	if (!(outside <= beyond_shape(e))) { return d; }
	switch (e.kind >> 8u) & 255u {
		case 1u: { return smooth_least(d, outside, e.blend); }
		case 2u: { return -smooth_least(-d, outside, e.blend); }
		default: { return d; }
	}
}

// How far beyond its shape an edit changes samples of this level.
fn beyond_shape(e: Edit) -> f32 { return e.blend + f32(2 * batch.step); }

// Samples of a tile along each axis.
const tile = vec3<u32>(8u, 4u, 4u);

fn tiles_of_grid() -> vec3<u32> { return (batch.samples + tile - 1u) / tile; }

// Words of bits of a tile.
fn edit_words() -> u32 { return (batch.edits + 31u) / 32u; }

// Whether an edit can reach a tile whose first sample is p: along a meter a distance changes by a meter at most.
fn reaches(number: u32, p: vec3<i32>) -> bool {
	let e = edits[number];
	let half = 0.5 * vec3<f32>(batch.step * vec3<i32>(tile - 1u));
	return shape_distance(e, from_place(e, p) + half) - length(half) <= beyond_shape(e) + 0.01; // more, for rounding
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
