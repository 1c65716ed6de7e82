const column_slots = 0u;

fn column_values(p: vec3<i32>, column: u32) {
}

fn density(p: vec3<i32>, column: u32) -> f32 {
	let n0 = op_slab(relative(p, vec3<i32>(0, -4, 0), vec3<f32>(0f, 0f, 0f)), 4f);
	let n1 = op_ball(relative(p, vec3<i32>(0, 16, 0), vec3<f32>(0f, 0f, 0f)), 20f);
	let n2 = op_cylinder_z(relative(p, vec3<i32>(0, 16, 0), vec3<f32>(0f, 0f, 0f)), 8f);
	let n3 = op_difference(n1, n2);
	let n4 = op_union(n3, n0);
	let n6 = n4;
	return n6;
}
