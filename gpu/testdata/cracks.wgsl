const column_slots = 1u;

fn column_values(p: vec3<i32>, column: u32) {
	let n0 = op_cracks(p, 0u);
	let n1 = op_bump(n0, 0.33333334f);
	let n2 = op_scale(n1, -4f, 0f);
	store_column(0u, column, n2);
}

fn density(p: vec3<i32>, column: u32) -> f32 {
	let n3 = load_column(0u, column) - f32(p.y);
	let n4 = n3;
	return n4;
}
