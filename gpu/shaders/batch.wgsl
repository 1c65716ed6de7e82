// What a pass works on: some grids of one size, one after the other, and where the surface lies in them.
//
// Signs are kept as bits, 32 samples of a row to a word; a row starts with a new word. Words are numbered x
// fastest, then y, then z, then grid.
struct Batch {
	samples: vec3<u32>, // along each axis of a grid, the margin included
	grids: u32,
	cells: vec3<u32>,   // along each axis of a grid
	margin: u32,        // samples before the first cell, and after the last: 0 or 1
	scale: vec3<f32>,   // size of a cell
	iso: f32,           // density of the surface
	weight: vec3<f32>,  // what a difference along each axis counts in a gradient
	row_words: u32,     // words of a row
	words: u32,         // of all grids
	max_vertices: u32,  // what the buffers that are drawn have room for
	max_triangles: u32,
	lines: u32,         // 1 to write the triangles' edges in place of the triangles
	step: i32,          // samples of the world from one of the grid's to the next: 1 << level
	edits: u32,
	columns: u32,       // columns of all grids
	spare: u32,
}

// Where a grid lies: its first sample in the world, and where the corner of its first cell is drawn.
struct Grid { first: vec3<i32>, spare: i32, origin: vec3<f32>, spare2: f32 }

@group(0) @binding(0) var<uniform> batch: Batch;

// The number of this thread, of which a dispatch of many workgroups makes rows.
fn thread(id: vec3<u32>, groups: vec3<u32>) -> u32 { return id.x + id.y * groups.x * 64u; }

fn samples_of_grid() -> u32 { return batch.samples.x * batch.samples.y * batch.samples.z; }

// The place of a sample in all grids' samples.
fn sample_index(grid: u32, p: vec3<u32>) -> u32 {
	return ((grid * batch.samples.z + p.z) * batch.samples.y + p.y) * batch.samples.x + p.x;
}

// The word of a row that starts at sample x, and its grid's number.
struct Row { x: u32, y: u32, z: u32, grid: u32 }

fn row_of(word: u32) -> Row {
	let rest = word / batch.row_words;
	let rest2 = rest / batch.samples.y;
	return Row((word % batch.row_words) * 32u, rest % batch.samples.y, rest2 % batch.samples.z, rest2 / batch.samples.z);
}
