// Heights of rasters, by Catmull-Rom splines along x and then z (package field, heightmap.go). The values are in
// meters, those of all rasters one after the other.
@group(0) @binding(3) var<storage, read> rasters: array<f32>;

// A place between a raster's samples: the first of the two round it, and the weights of the samples before,
// after and after that, each relative to it.
struct Between { first: i32, before: f32, after: f32, later: f32 }

// The place of a sample number among n samples, the middle at 0; beyond the ends it is the end. step says how many
// of the raster's samples a sample is: 32.64 fixed point in three words, low first.
fn between_samples(sample: i32, step: vec3<u32>, n: i32) -> Between {
	let last = n - 1;
	let a = u32(abs(sample));
	let end = Between(select(last, 0, sample < 0), 0.0, 0.0, 0.0);
	// a·step is four words long; the lowest does not matter, and the highest is past any end.
	let p0 = multiply_wide(a, step.x);
	let p1 = add_wide(multiply_wide(a, step.y), vec2<u32>(p0.y, 0u));
	let p2 = add_wide(multiply_wide(a, step.z), vec2<u32>(p1.y, 0u));
	let q = vec2<u32>(p1.x, p2.x); // 32.32
	let middle = vec2<u32>(u32(last) << 31u, u32(last) >> 1u);
	let past = q.y > middle.y || (q.y == middle.y && q.x > middle.x);
	if (p2.y != 0u || past) { return end; }
	var p = add_wide(middle, q);
	if (sample < 0) { p = vec2<u32>(middle.x - q.x, middle.y - q.y - select(0u, 1u, middle.x < q.x)); }
	let t = f32(p.x >> 8u) * (1.0 / 16777216.0);
	let t2 = t * t;
	let t3 = t2 * t;
	return Between(i32(p.y), t2 - 0.5 * t - 0.5 * t3, 0.5 * t + 2.0 * t2 - 1.5 * t3, 0.5 * t3 - 0.5 * t2);
}

fn mix_four(s: Between, a: f32, b: f32, c: f32, d: f32) -> f32 {
	return b + ((a - b) * s.before + ((c - b) * s.after + (d - b) * s.later));
}

fn along_raster(s: Between, at: u32, width: i32, z: i32) -> f32 {
	let row = at + u32(z * width);
	return mix_four(s, rasters[row + u32(max(s.first - 1, 0))], rasters[row + u32(s.first)],
		rasters[row + u32(min(s.first + 1, width - 1))], rasters[row + u32(min(s.first + 2, width - 1))]);
}

fn op_heightmap(p: vec3<i32>, at: u32, width: i32, height: i32, step_x: vec3<u32>, step_z: vec3<u32>, factor: f32, term: f32) -> f32 {
	let x = between_samples(p.x, step_x, width);
	let z = between_samples(p.z, step_z, height);
	let m = mix_four(z, along_raster(x, at, width, max(z.first - 1, 0)), along_raster(x, at, width, z.first),
		along_raster(x, at, width, min(z.first + 1, height - 1)), along_raster(x, at, width, min(z.first + 2, height - 1)));
	return m * factor + term;
}
