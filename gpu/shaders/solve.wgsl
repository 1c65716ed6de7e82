// Where an edge crosses the surface, and the normal there: both mixed from the samples at its two ends alone, so
// that grids which share a border agree on it.

// The difference over two cells along an axis at a sample: the central one, or twice the one-sided one at the
// samples' edge.
fn slope_along(grid: u32, p: vec3<u32>, axis: u32) -> f32 {
	var low = p;
	var high = p;
	var times = 1.0;
	if (p[axis] > 0u) { low[axis] -= 1u; } else { times = 2.0; }
	if (p[axis] + 1u < batch.samples[axis]) { high[axis] += 1u; } else { times = 2.0; }
	return (sample(sample_index(grid, high)) - sample(sample_index(grid, low))) * times;
}

fn slope_at(grid: u32, p: vec3<u32>) -> vec3<f32> {
	return vec3<f32>(slope_along(grid, p, 0u), slope_along(grid, p, 1u), slope_along(grid, p, 2u)) * batch.weight;
}

struct Vertex { position: vec3<f32>, normal: vec3<f32> }

// The vertex on the edge that starts at sample p and runs along an axis. Its position is in cells from the corner
// of the grid's first cell, times the size of a cell.
fn solve(grid: u32, p: vec3<u32>, axis: u32) -> Vertex {
	var q = p;
	q[axis] += 1u;
	let a = sample(sample_index(grid, p)) - batch.iso;
	let b = sample(sample_index(grid, q)) - batch.iso;
	let t = a / (a - b);
	let from_slope = slope_at(grid, p);
	let g = from_slope + (slope_at(grid, q) - from_slope) * t;
	var position = vec3<f32>(p) - vec3<f32>(f32(batch.margin));
	position[axis] += t;
	let square = dot(g, g);
	var normal = vec3<f32>(0.0);
	normal[axis] = select(-1.0, 1.0, a > 0.0); // toward the air, where there is no slope to speak of
	if (square > 1e-30) { normal = g * (-1.0 / sqrt(square)); }
	return Vertex(position * batch.scale, normal);
}

// A vertex as it is stored: its position and, where a renderer expects a fourth coordinate that it does not read, the
// number of the edge it lies on, 3 × the edge's first sample in all grids' samples + its axis. Whoever reads the
// vertices back can mix more from the samples at the edge's ends. Stored as words, for the edge's number as a float
// would be one that a GPU may flush to 0.
fn placed(position: vec3<f32>, grid: u32, p: vec3<u32>, axis: u32) -> vec4<u32> {
	return vec4<u32>(bitcast<vec3<u32>>(position), 3u * sample_index(grid, p) + axis);
}
