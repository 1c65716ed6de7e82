// Second pass: how many vertices and triangles each word of 32 samples has. A vertex belongs to the sample that its
// edge starts from, a cell to its lowest sample.

@compute @workgroup_size(64)
fn count_words(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let word = thread(id, groups);
	if (word >= batch.words) { return; }
	let row = row_of(word);
	let a = around(word, row);
	let n = countOneBits(crossings(a, row));
	let all = n.x + n.y + n.z;
	let cells = active_cells(a, row);
	var triangles = 0u;
	for (var rest = cells; rest != 0u; rest &= rest - 1u) {
		triangles += triangles_of(case_of(a, firstTrailingBit(rest)));
	}
	words[word] = vec4<u32>(all, triangles, n.x | ((n.x + n.y) << 8u) | (all << 16u), cells);
}
