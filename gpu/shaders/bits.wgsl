// Crossings and cases of 32 cells at a time, from the signs.
@group(0) @binding(1) var<storage, read> signs: array<u32>;

// The signs of the samples round a word's: of rows y and y+1 in planes z and z+1, and of the word after each.
struct Around { own: vec4<u32>, next: vec4<u32> }

fn signs_at(word: u32) -> u32 { return signs[word]; }

fn around(word: u32, row: Row) -> Around {
	let dy = select(0u, batch.row_words, row.y + 1u < batch.samples.y);
	let dz = select(0u, batch.row_words * batch.samples.y, row.z + 1u < batch.samples.z);
	let at = vec4<u32>(word, word + dy, word + dz, word + dy + dz);
	var a: Around;
	a.own = vec4<u32>(signs[at.x], signs[at.y], signs[at.z], signs[at.w]);
	if (row.x + 32u < batch.samples.x) {
		a.next = vec4<u32>(signs[at.x + 1u], signs[at.y + 1u], signs[at.z + 1u], signs[at.w + 1u]);
	}
	return a;
}

// The signs of the samples one further along x.
fn shifted(a: Around) -> vec4<u32> { return (a.own >> vec4<u32>(1u)) | (a.next << vec4<u32>(31u)); }

// Bits of the samples of a word whose number is from low to high, which is excluded.
fn span(x: u32, low: u32, high: u32) -> u32 {
	let above = select(0xffffffffu << ((low - x) & 31u), 0xffffffffu, low <= x);
	let below = select(0xffffffffu >> ((x + 32u - high) & 31u), 0xffffffffu, high >= x + 32u);
	return select(above & below, 0u, low >= x + 32u || high <= x);
}

fn within(v: u32, low: u32, high: u32) -> bool { return v >= low && v < high; }

// The edges that start at a word's samples and cross the surface, along each axis. All edges of the grid's cells
// count, those on its border among them, which a neighbor has as well.
fn crossings(a: Around, row: Row) -> vec3<u32> {
	let low = batch.margin;
	let high = batch.cells + batch.margin; // the last sample
	let y_in = within(row.y, low, high.y + 1u);
	let z_in = within(row.z, low, high.z + 1u);
	let along_x = span(row.x, low, high.x);
	let on_x = span(row.x, low, high.x + 1u);
	return vec3<u32>(
		select(0u, (a.own.x ^ shifted(a).x) & along_x, y_in && z_in),
		select(0u, (a.own.x ^ a.own.y) & on_x, row.y >= low && row.y < high.y && z_in),
		select(0u, (a.own.x ^ a.own.z) & on_x, y_in && row.z >= low && row.z < high.z));
}

// The cells at a word's samples that the surface passes.
fn active_cells(a: Around, row: Row) -> u32 {
	let low = batch.margin;
	let high = batch.cells + batch.margin;
	if (!within(row.y, low, high.y) || !within(row.z, low, high.z)) { return 0u; }
	let b = shifted(a);
	let some = a.own.x | a.own.y | a.own.z | a.own.w | b.x | b.y | b.z | b.w;
	let every = a.own.x & a.own.y & a.own.z & a.own.w & b.x & b.y & b.z & b.w;
	return some & ~every & span(row.x, low, high.x);
}

// The case of a cell: bit i is set when corner i is solid; corner bits are x, y, z.
fn case_of(a: Around, bit: u32) -> u32 {
	let own = (a.own >> vec4<u32>(bit)) & vec4<u32>(1u);
	let next = (shifted(a) >> vec4<u32>(bit)) & vec4<u32>(1u);
	return own.x | (next.x << 1u) | (own.y << 2u) | (next.y << 3u) | (own.z << 4u) | (next.z << 5u) | (own.w << 6u) | (next.w << 7u);
}
