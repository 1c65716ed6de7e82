// A function op_NAME for each kind of node that combines others, NAME being its name in the table of kinds (package graph).
// Set operations on densities, hard and smooth, and arithmetic.

fn op_union(a: f32, b: f32) -> f32 { return max(a, b); }

fn op_intersection(a: f32, b: f32) -> f32 { return min(a, b); }

fn op_difference(a: f32, b: f32) -> f32 { return min(a, -b); }

// max(a, b) + h²/(4k), h = max(k − |a−b|, 0); k = 0 is the plain maximum.
fn op_smooth_union(a: f32, b: f32, k: f32) -> f32 {
	let h = k - abs(a - b);
	return select(max(a, b), max(a, b) + h * h / (4.0 * k), h > 0.0);
}

fn op_smooth_intersection(a: f32, b: f32, k: f32) -> f32 {
	let h = k - abs(a - b);
	return select(min(a, b), min(a, b) - h * h / (4.0 * k), h > 0.0);
}

fn op_smooth_difference(a: f32, b: f32, k: f32) -> f32 { return op_smooth_intersection(a, -b, k); }

fn op_add(a: f32, b: f32) -> f32 { return a + b; }

fn op_subtract(a: f32, b: f32) -> f32 { return a - b; }

fn op_multiply(a: f32, b: f32) -> f32 { return a * b; }

fn op_scale(a: f32, factor: f32, term: f32) -> f32 { return a * factor + term; }

fn op_abs(a: f32) -> f32 { return abs(a); }

fn op_clamp(a: f32, low: f32, high: f32) -> f32 { return min(max(a, low), high); }

fn op_smoothstep(a: f32, low: f32, inverse: f32) -> f32 {
	let t = clamp((a - low) * inverse, 0.0, 1.0);
	return t * t * (3.0 - 2.0 * t);
}

fn op_bump(a: f32, inverse: f32) -> f32 {
	let t = a * inverse;
	let v = max(1.0 - t * t, 0.0);
	return v * v;
}

fn op_mix(a: f32, b: f32, t: f32) -> f32 { return a + (b - a) * t; }

fn op_hypot(a: f32, b: f32) -> f32 { return sqrt(a * a + b * b); }

fn op_select(a: f32, b: f32, t: f32, threshold: f32) -> f32 { return select(b, a, t < threshold); }

// a − period·⌊a/period⌋; 0 so far out that a float has no teeth.
fn op_saw(a: f32, period: f32) -> f32 {
	let u = a / period;
	if (!(abs(u) < 4194304.0)) { return 0.0; }
	return min(max(a - period * floor(u), 0.0), period);
}

// The steepness of what differs by dx and dz over two samples.
fn op_slope(dx: f32, dz: f32) -> f32 { return sqrt(dx * dx + dz * dz) * 0.5; }
