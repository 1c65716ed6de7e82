fn sum_gradient_noise_2d(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) {
		let o = first + i * octave_words;
		sum += folded(op_gradient_noise_2d(octave2(at, o)), o);
	}
	return sum;
}

fn sum_simplex_noise_3d(at: Lookup, first: u32, octaves: u32) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) {
		let o = first + i * octave_words;
		sum += folded(op_simplex_noise_3d(octave3(at, o)), o);
	}
	return sum;
}

fn height_0(p: vec3<i32>) -> f32 {
	let n0 = sum_gradient_noise_2d(at_sample(p), 48u, 3u);
	return n0;
}

const column_slots = 3u;

fn column_values(p: vec3<i32>, column: u32) {
	let n0 = sum_gradient_noise_2d(at_sample(p), 0u, 3u);
	store_column(0u, column, n0);
	let n1 = op_scale(n0, 20f, 1f);
	let n2 = op_slope(height_0(p + vec3<i32>(1, 0, 0)) - height_0(p - vec3<i32>(1, 0, 0)), height_0(p + vec3<i32>(0, 0, 1)) - height_0(p - vec3<i32>(0, 0, 1)));
	let n3 = op_clamp(n2, 0f, 1f);
	let n4 = op_spline(n3, 96u, 3u);
	let n5 = op_add(n1, n4);
	store_column(1u, column, n5);
	let n6 = 3f;
	let n8 = op_terrace(n5, 4f, 0.25f, 0.5f);
	store_column(2u, column, n8);
}

fn density(p: vec3<i32>, column: u32) -> f32 {
	let n7 = sum_simplex_noise_3d(at_shift(p, vec3<f32>(load_column(0u, column), 3f, load_column(1u, column))), 105u, 1u);
	let n9 = load_column(2u, column) - f32(p.y);
	let n10 = load_column(1u, column) - f32(p.y);
	let n11 = op_bump(n10, 0.05f);
	let n12 = op_multiply(n7, n11);
	let n13 = op_add(n9, n12);
	let n14 = op_box(rotated(repeated(p, vec3<i32>(5, -6, 7), vec3<i32>(40, 0, 50), vec3<f32>(0.5f, 0.25f, 0f)), vec3<f32>(1f, 0f, 0f), vec3<f32>(0f, 0.8660254f, 0.50000006f), vec3<f32>(0f, -0.50000006f, 0.8660254f), vec3<f32>(1f, 0.5f, 1f)), 3f, 4f, 5f, 1f) * 1f;
	let n15 = op_smooth_union(n13, n14, 2f);
	let n16 = op_capsule(relative(p, vec3<i32>(5, -6, 7), vec3<f32>(0.5f, 0.25f, 0f)), 9f, 9f, 0f, 3f, 162f);
	let n17 = op_smooth_difference(n15, n16, 1.5f);
	let n18 = n17;
	return n18;
}
