// Gradient noise: lattice points carry slopes. Rows along x are mixed first: the value on the row, and the slope
// off it, which is used once the distance from the row is known.

fn gradient2_noise(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) {
		let o = first + i * octave_words;
		let seed = numbers[o];
		let weight = number(o + octave_weight);
		let x = place(at, 0u, o);
		let z = place(at, 2u, o);
		let s = fade(x.fraction);
		var v: array<f32, 2>;
		for (var k = 0u; k < 2u; k++) {
			let row = row_hash(seed, 0u, z.cell + k);
			let a = slope2(point_hash(row, x.cell), weight);
			let b = slope2(point_hash(row, x.cell + 1u), weight);
			v[k] = lerp(a.x * x.fraction, b.x * (x.fraction - 1.0), s) + lerp(a.y, b.y, s) * (z.fraction - f32(k));
		}
		sum += folded(lerp(v[0], v[1], fade(z.fraction)), o);
	}
	return sum;
}

fn gradient3_noise(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) {
		let o = first + i * octave_words;
		let seed = numbers[o];
		let weight = number(o + octave_weight);
		let x = place(at, 0u, o);
		let y = place(at, 1u, o);
		let z = place(at, 2u, o);
		let s = fade(x.fraction);
		let t = fade(z.fraction);
		var v: array<f32, 2>;
		for (var j = 0u; j < 2u; j++) {
			// Of the two rows of this y: the value on each, and the slope off it along y.
			var e: array<vec2<f32>, 2>;
			for (var k = 0u; k < 2u; k++) {
				let row = row_hash(seed, y.cell + j, z.cell + k);
				let a = slope3(point_hash(row, x.cell), weight);
				let b = slope3(point_hash(row, x.cell + 1u), weight);
				let on = lerp(a.x * x.fraction, b.x * (x.fraction - 1.0), s);
				e[k] = vec2<f32>(on + lerp(a.z, b.z, s) * (z.fraction - f32(k)), lerp(a.y, b.y, s));
			}
			v[j] = lerp(e[0].x, e[1].x, t) + lerp(e[0].y, e[1].y, t) * (y.fraction - f32(j));
		}
		sum += folded(lerp(v[0], v[1], fade(y.fraction)), o);
	}
	return sum;
}
