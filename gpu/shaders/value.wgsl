// Value noise: lattice points carry values, mixed by the fade along x, then z, then y.

fn along_values(row: u32, x: u32, s: f32) -> f32 {
	return lerp(signed_hash(point_hash(row, x)), signed_hash(point_hash(row, x + 1u)), s);
}

// The mix at a height of the lattice, across z.
fn level_value(o: Octave, y: u32, s: f32, t: f32) -> f32 {
	return lerp(along_values(row_hash(o.seed, y, o.z.cell), o.x.cell, s),
		along_values(row_hash(o.seed, y, o.z.cell + 1u), o.x.cell, s), t);
}

fn value2(o: Octave) -> f32 { return level_value(o, 0u, fade(o.x.fraction), fade(o.z.fraction)) * o.weight; }

fn value3(o: Octave) -> f32 {
	let s = fade(o.x.fraction);
	let t = fade(o.z.fraction);
	return lerp(level_value(o, o.y.cell, s, t), level_value(o, o.y.cell + 1u, s, t), fade(o.y.fraction)) * o.weight;
}

fn op_value_noise_2d(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) { sum += folded(value2(octave2(at, first + i * octave_words)), first + i * octave_words); }
	return sum;
}

fn op_value_noise_3d(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) { sum += folded(value3(octave3(at, first + i * octave_words)), first + i * octave_words); }
	return sum;
}
