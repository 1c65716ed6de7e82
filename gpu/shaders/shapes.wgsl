// Shapes round the origin, in meters: densities, positive inside (package field, sdf.go). What constructors work
// out from a node's parameters there, the generator works out here.

// The distance in meters along an axis from a shape's place to a sample; if the shape repeats every so many
// samples, from the nearest. Samples and anchors are less than 2³¹ apart.
fn distance_on(axis: i32, anchor: i32, period: i32, offset: f32) -> f32 {
	var d = axis - anchor;
	if (period > 0) {
		d %= period;
		if (d < 0) { d += period; }
		if (d >= period - period / 2) { d -= period; }
	}
	return f32(d) - offset;
}

fn relative(p: vec3<i32>, anchor: vec3<i32>, offset: vec3<f32>) -> vec3<f32> { return vec3<f32>(p - anchor) - offset; }

fn repeated(p: vec3<i32>, anchor: vec3<i32>, period: vec3<i32>, offset: vec3<f32>) -> vec3<f32> {
	return vec3<f32>(distance_on(p.x, anchor.x, period.x, offset.x), distance_on(p.y, anchor.y, period.y, offset.y),
		distance_on(p.z, anchor.z, period.z, offset.z));
}

// The place in a shape that was stretched along its own axes and then rotated: its place along each axis, times the
// inverse of the stretch.
fn rotated(p: vec3<f32>, x: vec3<f32>, y: vec3<f32>, z: vec3<f32>, inverse: vec3<f32>) -> vec3<f32> {
	return vec3<f32>(p.x * x.x + (p.y * x.y + p.z * x.z), p.x * y.x + (p.y * y.y + p.z * y.z),
		p.x * z.x + (p.y * z.y + p.z * z.z)) * inverse;
}

fn norm(x: f32, y: f32, z: f32) -> f32 { return sqrt(x * x + (y * y + z * z)); }

fn op_ball(p: vec3<f32>, r: f32) -> f32 { return r - norm(p.x, p.y, p.z); }

fn op_slab(p: vec3<f32>, half: f32) -> f32 { return half - abs(p.y); }

fn op_cylinder_x(p: vec3<f32>, r: f32) -> f32 { return r - norm(0.0, p.y, p.z); }
fn op_cylinder_y(p: vec3<f32>, r: f32) -> f32 { return r - norm(p.x, 0.0, p.z); }
fn op_cylinder_z(p: vec3<f32>, r: f32) -> f32 { return r - norm(p.x, p.y, 0.0); }

// A box of half sizes x, y, z, to which a rounding by edge is added.
fn op_box(p: vec3<f32>, x: f32, y: f32, z: f32, edge: f32) -> f32 {
	let q = abs(p) - vec3<f32>(x, y, z);
	let inside = min(max(q.x, max(q.y, q.z)), 0.0);
	return edge - (norm(max(q.x, 0.0), max(q.y, 0.0), max(q.z, 0.0)) + inside);
}

// A ball swept along the line to an end; square is that of the line's length.
fn op_capsule(p: vec3<f32>, x: f32, y: f32, z: f32, r: f32, square: f32) -> f32 {
	var t = 0.0;
	if (square > 0.0) { t = clamp((p.x * x + (p.y * y + p.z * z)) / square, 0.0, 1.0); }
	return r - norm(p.x - x * t, p.y - y * t, p.z - z * t);
}

fn op_torus(p: vec3<f32>, ring: f32, tube: f32) -> f32 {
	return tube - norm(norm(p.x, 0.0, p.z) - ring, p.y, 0.0);
}

fn op_plane(p: vec3<f32>, x: f32, y: f32, z: f32) -> f32 { return -(p.x * x + (p.y * y + p.z * z)); }

// x, y and z are the reciprocals of the radii.
fn op_ellipsoid(p: vec3<f32>, x: f32, y: f32, z: f32, least: f32) -> f32 {
	return -((norm(p.x * x, p.y * y, p.z * z) - 1.0) * least);
}

// An upright cone with its tip at the origin; square is that of the slanted edge's length.
fn op_cone(p: vec3<f32>, height: f32, radius: f32, square: f32) -> f32 {
	let r = norm(p.x, 0.0, p.z);
	let y = -p.y; // below the tip
	let t = clamp((r * radius + y * height) / square, 0.0, 1.0);
	let slant = norm(r - t * radius, y - t * height, 0.0);
	let base = norm(r - min(r, radius), y - height, 0.0);
	let d = min(slant, base);
	return select(-d, d, y < height && y * radius - r * height > 0.0);
}
