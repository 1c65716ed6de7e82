// Sixth pass: the triangles as numbers of vertices, or their edges.
@group(0) @binding(5) var<storage, read_write> indices: array<u32>;

// The number of the vertex on an edge that starts at a bit of a word and runs along an axis. crossed are the word's
// crossings along that axis.
fn vertex_number(word: u32, axis: u32, crossed: u32, bit: u32) -> u32 {
	let ranks = words[word].z;
	let rank = select(select(0u, ranks & 0xffu, axis == 1u), (ranks >> 8u) & 0xffu, axis == 2u);
	return before(word).x + rank + countOneBits(crossed & ((1u << bit) - 1u));
}

// The vertex on an edge of the cell at a bit of a word.
fn vertex_on(word: u32, bit: u32, edge: u32, a: Around) -> u32 {
	let axis = edge >> 2u;
	let start = start_of(edge);
	let at = word + batch.row_words * (start.y + batch.samples.y * start.z);
	if (start.x == 1u && bit == 31u) { return vertex_number(at + 1u, axis, 0u, 0u); } // the next word's first
	let i = start.y + 2u * start.z; // the row of the edge, of the four round the cell
	let own = a.own[i];
	var other = shifted(a)[i];
	if (axis == 1u) { other = a.own[i + 1u]; }
	if (axis == 2u) { other = a.own[i + 2u]; }
	// The bits before the edge's are cells of the grid as well, but for the samples before the first cell.
	let low = span((word % batch.row_words) * 32u, batch.margin, batch.samples.x);
	return vertex_number(at, axis, (own ^ other) & low, bit + start.x);
}

@compute @workgroup_size(64)
fn write_triangles(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let word = thread(id, groups);
	if (word >= batch.words) { return; }
	let cells = words[word].w;
	if (cells == 0u) { return; }
	let a = around(word, row_of(word));
	var next = before(word).y;
	for (var rest = cells; rest != 0u; rest &= rest - 1u) {
		let bit = firstTrailingBit(rest);
		let entry = table[case_of(a, bit)];
		for (var i = 0u; i < 3u * (entry.x & 15u); i += 3u) {
			if (next >= batch.max_triangles) { return; }
			var v = vec3<u32>(vertex_on(word, bit, edge_of(entry, i), a), vertex_on(word, bit, edge_of(entry, i + 1u), a),
				vertex_on(word, bit, edge_of(entry, i + 2u), a));
			if (any(v >= vec3<u32>(batch.max_vertices))) { v = vec3<u32>(0u); } // its vertices had no room
			if (batch.lines == 0u) {
				indices[3u * next] = v.x;
				indices[3u * next + 1u] = v.y;
				indices[3u * next + 2u] = v.z;
			} else {
				let o = 6u * next;
				indices[o] = v.x;
				indices[o + 1u] = v.y;
				indices[o + 2u] = v.y;
				indices[o + 3u] = v.z;
				indices[o + 4u] = v.z;
				indices[o + 5u] = v.x;
			}
			next += 1u;
		}
	}
}
