// What all kinds of noise share: phases, hashes and the sum of octaves (package noise, whose words these are).
//
// A phase is 32.32 fixed point in two words: the high one is the lattice cell, the top 24 bits of the low one
// the place in it. It is exact at every distance from the origin, and so are the hashes; only what is computed
// from the place within a cell is rounded.

const spread_x = 0xd1b54a33u;
const spread_y = 0xabc98389u;
const spread_z = 0x8cb92ba7u;

// Words of an octave in `numbers`: seed, weight, three steps and three offsets of two words each, low first,
// then base and slope of a folded octave.
const octave_words = 16u;
const octave_weight = 1u;
const octave_step = 2u;
const octave_offset = 8u;
const octave_base = 14u;
const octave_slope = 15u;

// Where noise is looked up: a sample on each axis, and how many 65536ths of a sample past it.
struct Lookup { sample: vec3<i32>, part: vec3<u32> }

// A place on an axis of a lattice: a cell, and how far in it.
struct Place { cell: u32, fraction: f32 }

fn at_sample(p: vec3<i32>) -> Lookup { return Lookup(p, vec3<u32>(0u)); }

// The place shifted by some samples, rounded toward 0 to 65536ths. Shifts beyond 2²⁰ are held there.
fn at_shift(p: vec3<i32>, shift: vec3<f32>) -> Lookup {
	let held = clamp(shift, vec3<f32>(-1048576.0), vec3<f32>(1048576.0));
	let whole = trunc(held);
	let rest = vec3<i32>((held - whole) * 65536.0); // exact; as large as the fraction, with the shift's sign
	return Lookup(p + vec3<i32>(whole) + (rest >> vec3<u32>(16u)), vec3<u32>(rest) & vec3<u32>(0xffffu));
}

// The place of a lookup on an axis of the octave at o.
fn place(at: Lookup, axis: u32, o: u32) -> Place {
	let step = vec2<u32>(numbers[o + octave_step + 2u * axis], numbers[o + octave_step + 2u * axis + 1u]);
	let s = bitcast<u32>(at.sample[axis]);
	var phase = multiply_wide(s, step.x);
	phase.y += s * step.y;
	if (at.sample[axis] < 0) { phase.y -= step.x; } // the sample's upper word is all ones
	let part = at.part[axis];
	if (part != 0u) {
		// part·step is 80 bits long; the lowest 16 are dropped.
		let low = multiply_wide(part, step.x);
		let high = multiply_wide(part, step.y);
		let middle = add_wide(vec2<u32>(low.y, 0u), high);
		phase = add_wide(phase, vec2<u32>((low.x >> 16u) | (middle.x << 16u), (middle.x >> 16u) | (middle.y << 16u)));
	}
	phase = add_wide(phase, vec2<u32>(numbers[o + octave_offset + 2u * axis], numbers[o + octave_offset + 2u * axis + 1u]));
	return Place(phase.y, f32(phase.x >> 8u) * (1.0 / 16777216.0));
}

// An octave's lattice where noise is looked up.
struct Octave { seed: u32, weight: f32, x: Place, y: Place, z: Place }

fn octave2(at: Lookup, o: u32) -> Octave {
	return Octave(numbers[o], number(o + octave_weight), place(at, 0u, o), Place(0u, 0.0), place(at, 2u, o));
}

fn octave3(at: Lookup, o: u32) -> Octave {
	return Octave(numbers[o], number(o + octave_weight), place(at, 0u, o), place(at, 1u, o), place(at, 2u, o));
}

// MurmurHash3's finalizer.
fn scramble(n: u32) -> u32 {
	var h = n;
	h = (h ^ (h >> 16u)) * 0x85ebca6bu;
	h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
	return h ^ (h >> 16u);
}

fn row_hash(seed: u32, y: u32, z: u32) -> u32 { return scramble(seed + z * spread_z) + y * spread_y; }

fn point_hash(row: u32, x: u32) -> u32 { return scramble(row + x * spread_x); }

// A hash as a number in [−1, 1), exact.
fn signed_hash(h: u32) -> f32 { return f32(bitcast<i32>(h) >> 8u) * (1.0 / 8388608.0); }

fn fade(t: f32) -> f32 { return t * t * t * (t * (t * 6.0 - 15.0) + 10.0); }

fn lerp(a: f32, b: f32, t: f32) -> f32 { return a + (b - a) * t; }

fn parabola(u: f32) -> f32 { return 4.0 * u * (1.0 - abs(u)); }

// A lattice point's slope over x and z.
fn slope2(h: u32, weight: f32) -> vec2<f32> {
	let u = signed_hash(h);
	var v = u + 0.5;
	if (v >= 1.0) { v -= 2.0; }
	return vec2<f32>(parabola(v) * weight, parabola(u) * weight);
}

// A lattice point's slope in space: one part 0, the others plus or minus the weight.
fn slope3(h: u32, weight: f32) -> vec3<f32> {
	let none = ((h & 0xffffu) * 3u) >> 16u;
	let signs = vec3<u32>(h, h << 1u, h << 2u) & vec3<u32>(0x80000000u);
	let g = select(vec3<f32>(weight), vec3<f32>(-weight), signs != vec3<u32>(0u));
	return select(g, vec3<f32>(0.0), vec3<u32>(none) == vec3<u32>(0u, 1u, 2u));
}

// An octave's share of the sum.
fn folded(v: f32, o: u32) -> f32 {
	let slope = number(o + octave_slope);
	return select(v, number(o + octave_base) + slope * abs(v), slope != 0.0);
}
