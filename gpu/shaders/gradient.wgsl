// Gradient noise: lattice points carry slopes. Rows along x are mixed first: the value on the row, and the slope
// off it, which is used once the distance from the row is known.

fn op_gradient_noise_2d(o: Octave) -> f32 {
	let s = fade(o.x.fraction);
	var v: array<f32, 2>;
	for (var k = 0u; k < 2u; k++) {
		let row = row_hash(o.seed, 0u, o.z.cell + k);
		let a = slope2(point_hash(row, o.x.cell), o.weight);
		let b = slope2(point_hash(row, o.x.cell + 1u), o.weight);
		v[k] = lerp(a.x * o.x.fraction, b.x * (o.x.fraction - 1.0), s) + lerp(a.y, b.y, s) * (o.z.fraction - f32(k));
	}
	return lerp(v[0], v[1], fade(o.z.fraction));
}

// Of a row: the value on it and at its distance along z, and the slope off it along y.
fn row_gradient3(o: Octave, j: u32, k: u32, s: f32) -> vec2<f32> {
	let row = row_hash(o.seed, o.y.cell + j, o.z.cell + k);
	let a = slope3(point_hash(row, o.x.cell), o.weight);
	let b = slope3(point_hash(row, o.x.cell + 1u), o.weight);
	let on = lerp(a.x * o.x.fraction, b.x * (o.x.fraction - 1.0), s);
	return vec2<f32>(on + lerp(a.z, b.z, s) * (o.z.fraction - f32(k)), lerp(a.y, b.y, s));
}

fn op_gradient_noise_3d(o: Octave) -> f32 {
	let s = fade(o.x.fraction);
	let t = fade(o.z.fraction);
	var v: array<f32, 2>;
	for (var j = 0u; j < 2u; j++) {
		let e = row_gradient3(o, j, 0u, s);
		let f = row_gradient3(o, j, 1u, s);
		v[j] = lerp(e.x, f.x, t) + lerp(e.y, f.y, t) * (o.y.fraction - f32(j));
	}
	return lerp(v[0], v[1], fade(o.y.fraction));
}
