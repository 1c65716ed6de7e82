// Value noise: lattice points carry values, mixed by the fade along x, then z, then y.

fn along_values(row: u32, x: u32, s: f32) -> f32 {
	return lerp(signed_hash(point_hash(row, x)), signed_hash(point_hash(row, x + 1u)), s);
}

fn value2_noise(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) {
		let o = first + i * octave_words;
		let seed = numbers[o];
		let x = place(at, 0u, o);
		let z = place(at, 2u, o);
		let s = fade(x.fraction);
		let a = along_values(row_hash(seed, 0u, z.cell), x.cell, s);
		let b = along_values(row_hash(seed, 0u, z.cell + 1u), x.cell, s);
		sum += folded(lerp(a, b, fade(z.fraction)) * number(o + octave_weight), o);
	}
	return sum;
}

fn value3_noise(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) {
		let o = first + i * octave_words;
		let seed = numbers[o];
		let x = place(at, 0u, o);
		let y = place(at, 1u, o);
		let z = place(at, 2u, o);
		let s = fade(x.fraction);
		let t = fade(z.fraction);
		let a = lerp(along_values(row_hash(seed, y.cell, z.cell), x.cell, s),
			along_values(row_hash(seed, y.cell, z.cell + 1u), x.cell, s), t);
		let b = lerp(along_values(row_hash(seed, y.cell + 1u, z.cell), x.cell, s),
			along_values(row_hash(seed, y.cell + 1u, z.cell + 1u), x.cell, s), t);
		sum += folded(lerp(a, b, fade(y.fraction)) * number(o + octave_weight), o);
	}
	return sum;
}
