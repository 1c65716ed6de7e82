// Functions of one number through points, which lie in `numbers`: x, y and a slope for each.

// The number of the last point at or below a, −1 if there is none.
fn segment(a: f32, at: u32, points: u32) -> i32 {
	var low = -1;
	var high = i32(points);
	while (high - low > 1) {
		let middle = (low + high) / 2;
		if (number(at + 3u * u32(middle)) <= a) { low = middle; } else { high = middle; }
	}
	return low;
}

// v clamped to the heights of two points.
fn between(v: f32, a: f32, b: f32) -> f32 { return min(max(v, min(a, b)), max(a, b)); }

// Straight lines. A point's slope is that of the line that starts there.
fn op_curve(a: f32, at: u32, points: u32) -> f32 {
	let i = segment(a, at, points);
	if (i < 0) { return number(at + 1u); }
	let p = at + 3u * u32(i);
	if (i == i32(points) - 1) { return number(p + 1u); }
	return between(number(p + 1u) + (a - number(p)) * number(p + 2u), number(p + 1u), number(p + 4u));
}

// Cubic pieces. A point's slope is the curve's there.
fn op_spline(a: f32, at: u32, points: u32) -> f32 {
	let i = segment(a, at, points);
	if (i < 0) { return number(at + 1u); }
	let p = at + 3u * u32(i);
	if (i == i32(points) - 1) { return number(p + 1u); }
	let h = number(p + 3u) - number(p);
	let t = (a - number(p)) / h;
	let rise = number(p + 4u) - number(p + 1u);
	let m0 = number(p + 2u) * h;
	let m1 = number(p + 5u) * h;
	let c3 = m0 + m1 - 2.0 * rise;
	let c2 = 3.0 * rise - 2.0 * m0 - m1;
	return between(number(p + 1u) + t * (m0 + t * (c2 + t * c3)), number(p + 1u), number(p + 4u));
}

// Steps: within each the input first rests, then rises to the next.
fn op_terrace(a: f32, height: f32, inverse: f32, rise: f32) -> f32 {
	let u = a * inverse;
	if (!(abs(u) < 4194304.0)) { return a; } // so far out a float has no steps
	let step = floor(u);
	var rest = 0.0;
	if (rise > 0.0) { rest = min(max(u - step - (1.0 - rise), 0.0) / rise, 1.0); }
	return (step + rest) * height;
}
