// Value noise: lattice points carry values, mixed by the fade along x, then z, then y.

fn along_values(row: u32, x: u32, s: f32) -> f32 {
	return lerp(signed_hash(point_hash(row, x)), signed_hash(point_hash(row, x + 1u)), s);
}

// The mix at a height of the lattice, across z.
fn level_value(o: Octave, y: u32, s: f32, t: f32) -> f32 {
	return lerp(along_values(row_hash(o.seed, y, o.z.cell), o.x.cell, s),
		along_values(row_hash(o.seed, y, o.z.cell + 1u), o.x.cell, s), t);
}

fn op_value_noise_2d(o: Octave) -> f32 { return level_value(o, 0u, fade(o.x.fraction), fade(o.z.fraction)) * o.weight; }

fn op_value_noise_3d(o: Octave) -> f32 {
	let s = fade(o.x.fraction);
	let t = fade(o.z.fraction);
	return lerp(level_value(o, o.y.cell, s, t), level_value(o, o.y.cell + 1u, s, t), fade(o.y.fraction)) * o.weight;
}
