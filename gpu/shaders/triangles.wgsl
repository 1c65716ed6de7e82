// Sixth pass: the triangles as numbers of vertices, or their edges.
@group(0) @binding(5) var<storage, read_write> indices: array<u32>;

// What is known of the four rows round the cells of a word: the number of their words' first vertex, where in a word
// the vertices along y and along z begin, and the crossings along each axis that start at their samples.
struct Rows {
	first: vec4<u32>,
	ranks: vec4<u32>,
	along_x: vec4<u32>,
	along_y: vec4<u32>, // of the rows 0 and 2
	along_z: vec4<u32>, // of the rows 0 and 1
}

// The word of row i, whose bits are y and z.
fn word_of(word: u32, i: u32) -> u32 { return word + batch.row_words * ((i & 1u) + batch.samples.y * (i >> 1u)); }

fn rows_at(word: u32, x: u32, a: Around) -> Rows {
	let own = span(x, batch.margin, batch.samples.x); // samples before the first cell have no vertices
	var r: Rows;
	for (var i = 0u; i < 4u; i++) {
		let w = word_of(word, i);
		r.first[i] = before(w).x;
		r.ranks[i] = words[w].z;
	}
	r.along_x = (a.own ^ shifted(a)) & vec4<u32>(own);
	r.along_y = (a.own ^ a.own.yyww) & vec4<u32>(own);
	r.along_z = (a.own ^ a.own.zwzw) & vec4<u32>(own);
	return r;
}

// The vertex on an edge of the cell at a bit of a word.
fn vertex_on(word: u32, bit: u32, edge: u32, r: Rows) -> u32 {
	let axis = edge >> 2u;
	let start = start_of(edge);
	let i = start.y + 2u * start.z;
	let at = bit + start.x;
	if (at == 32u) { // the first sample of the next word
		let w = word_of(word, i) + 1u;
		return before(w).x + rank_of(axis, words[w].z);
	}
	let crossed = select(select(r.along_x[i], r.along_y[i], axis == 1u), r.along_z[i], axis == 2u);
	return r.first[i] + rank_of(axis, r.ranks[i]) + countOneBits(crossed & ((1u << at) - 1u));
}

// Where in a word the vertices along an axis begin.
fn rank_of(axis: u32, ranks: u32) -> u32 { return select(select(0u, ranks & 0xffu, axis == 1u), (ranks >> 8u) & 0xffu, axis == 2u); }

@compute @workgroup_size(64)
fn write_triangles(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let word = thread(id, groups);
	if (word >= batch.words) { return; }
	let cells = words[word].w;
	if (cells == 0u) { return; }
	let row = row_of(word);
	let a = around(word, row);
	let r = rows_at(word, row.x, a);
	var next = before(word).y;
	for (var rest = cells; rest != 0u; rest &= rest - 1u) {
		let bit = firstTrailingBit(rest);
		let entry = table[case_of(a, bit)];
		for (var i = 0u; i < 3u * (entry.x & 15u); i += 3u) {
			if (next >= batch.max_triangles) { return; }
			var v = vec3<u32>(vertex_on(word, bit, edge_of(entry, i), r), vertex_on(word, bit, edge_of(entry, i + 1u), r),
				vertex_on(word, bit, edge_of(entry, i + 2u), r));
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
