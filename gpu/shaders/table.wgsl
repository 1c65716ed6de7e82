// The table of cases, worked out by package internal/kernel/cube and packed by gpu.Table: two words a case, the number of
// triangles in the lowest four bits, then four bits for each corner of a triangle, the edge it lies on. Triangles
// run counter-clockwise seen from the air.
@group(0) @binding(2) var<storage, read> table: array<vec2<u32>>;

fn triangles_of(case_number: u32) -> u32 { return table[case_number].x & 15u; }

// The edge of corner i, 0 … 14, of a case's triangles.
fn edge_of(entry: vec2<u32>, i: u32) -> u32 {
	let shift = 4u * (i + 1u);
	return select(entry.x >> shift, entry.y >> (shift - 32u), shift >= 32u) & 15u;
}

// The corner that an edge starts from: edges 0–3 run along x, 4–7 along y, 8–11 along z, and the two bits of their
// number are the place on the other axes.
fn start_of(edge: u32) -> vec3<u32> {
	let a = edge & 1u;
	let b = (edge >> 1u) & 1u;
	switch edge >> 2u {
		case 0u: { return vec3<u32>(0u, a, b); }
		case 1u: { return vec3<u32>(a, 0u, b); }
		default: { return vec3<u32>(a, b, 0u); }
	}
}
