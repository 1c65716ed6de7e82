// Fifth pass: the vertices, each once, where they are drawn from, with the edge that each lies on.
@group(0) @binding(2) var<storage, read> grids: array<Grid>;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> normals: array<u32>;

@compute @workgroup_size(64)
fn write_vertices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let word = thread(id, groups);
	if (word >= batch.words || (words[word].z >> 16u) == 0u) { return; }
	let row = row_of(word);
	let crossed = crossings(around(word, row), row);
	var next = before(word).x;
	for (var axis = 0u; axis < 3u; axis++) {
		for (var rest = crossed[axis]; rest != 0u; rest &= rest - 1u) {
			if (next >= batch.max_vertices) { return; }
			let p = vec3<u32>(row.x + firstTrailingBit(rest), row.y, row.z);
			let v = solve(row.grid, p, axis);
			positions[next] = placed(v.position + grids[row.grid].origin, row.grid, p, axis);
			normals[next] = pack4x8snorm(vec4<f32>(v.normal, 0.0));
			next += 1u;
		}
	}
}
