// Set operations on densities, hard and smooth, and arithmetic.

fn join(a: f32, b: f32) -> f32 { return max(a, b); }

fn intersect(a: f32, b: f32) -> f32 { return min(a, b); }

fn subtract_solid(a: f32, b: f32) -> f32 { return min(a, -b); }

// max(a, b) + h²/(4k), h = max(k − |a−b|, 0); k = 0 is the plain maximum.
fn smooth_join(a: f32, b: f32, k: f32) -> f32 {
	let h = k - abs(a - b);
	return select(max(a, b), max(a, b) + h * h / (4.0 * k), h > 0.0);
}

fn smooth_intersect(a: f32, b: f32, k: f32) -> f32 {
	let h = k - abs(a - b);
	return select(min(a, b), min(a, b) - h * h / (4.0 * k), h > 0.0);
}

fn smooth_subtract_solid(a: f32, b: f32, k: f32) -> f32 { return smooth_intersect(a, -b, k); }

fn plus(a: f32, b: f32) -> f32 { return a + b; }

fn minus(a: f32, b: f32) -> f32 { return a - b; }

fn times(a: f32, b: f32) -> f32 { return a * b; }

fn scaled(a: f32, factor: f32, term: f32) -> f32 { return a * factor + term; }

fn held(a: f32, low: f32, high: f32) -> f32 { return min(max(a, low), high); }

fn smooth_rise(a: f32, low: f32, inverse: f32) -> f32 {
	let t = clamp((a - low) * inverse, 0.0, 1.0);
	return t * t * (3.0 - 2.0 * t);
}

fn bump(a: f32, inverse: f32) -> f32 {
	let t = a * inverse;
	let v = max(1.0 - t * t, 0.0);
	return v * v;
}

fn mixed(a: f32, b: f32, t: f32) -> f32 { return a + (b - a) * t; }

fn hypotenuse(a: f32, b: f32) -> f32 { return sqrt(a * a + b * b); }

fn chosen(a: f32, b: f32, t: f32, threshold: f32) -> f32 { return select(b, a, t < threshold); }

// a − period·⌊a/period⌋; 0 so far out that a float has no teeth.
fn saw(a: f32, period: f32) -> f32 {
	let u = a / period;
	if (!(abs(u) < 4194304.0)) { return 0.0; }
	return min(max(a - period * floor(u), 0.0), period);
}

// The steepness of what differs by dx and dz over two samples.
fn steepness(dx: f32, dz: f32) -> f32 { return sqrt(dx * dx + dz * dz) * 0.5; }
