// Cracks: the distance to the nearest border between the cells of strewn points (package noise, cellular.go). Its octave's
// weight is the meters in a cell, its slope the points' jitter.

const cracks_reach = 0.3125; // of the distance, in cells

// The point of the cell i, k of five by five, seen from the place.
fn crack_point(o: Octave, jitter: f32, i: u32, k: u32) -> vec2<f32> {
	let u = point_in_cell(point_hash(row_hash(o.seed, 0u, o.z.cell + k - 2u), o.x.cell + i - 2u)).xz;
	return vec2<f32>(f32(i), f32(k)) - 1.5 + jitter * (u - 0.5) - vec2<f32>(o.x.fraction, o.z.fraction);
}

fn op_cracks(p: vec3<i32>, first: u32) -> f32 {
	let o = octave2(at_sample(p), first);
	let jitter = number(first + octave_slope);
	var near = vec2<f32>(8.0);
	for (var k = 0u; k < 5u; k++) {
		for (var i = 0u; i < 5u; i++) {
			let q = crack_point(o, jitter, i, k);
			if (dot(q, q) < dot(near, near)) { near = q; }
		}
	}
	var least = 4.0 * cracks_reach * cracks_reach; // the square of twice the distance
	for (var k = 0u; k < 5u; k++) {
		for (var i = 0u; i < 5u; i++) {
			let q = crack_point(o, jitter, i, k);
			let d = q - near;
			let s = max(dot(q + near, d), 0.0);
			if (dot(d, d) > 0.001) { least = min(least, s * s / dot(d, d)); } // else it is the nearest itself
		}
	}
	return sqrt(least) * 0.5 * o.weight;
}
