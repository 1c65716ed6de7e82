// Cellular noise: every cell holds a point; the noise is the distance to the nearest, or how much farther the
// second nearest is.

// Where in its cell a point is: eleven bits of its hash along x, eleven along y, ten along z.
fn point_in_cell(h: u32) -> vec3<f32> {
	return vec3<f32>(f32(h & 0x7ffu) * (1.0 / 2048.0), f32((h >> 11u) & 0x7ffu) * (1.0 / 2048.0), f32(h >> 22u) * (1.0 / 1024.0));
}

// The squares of the distances to the nearest point and to the second nearest. flat is 0 in space, 1 over x and z.
fn nearest(seed: u32, x: Place, y: Place, z: Place, flat: bool) -> vec2<f32> {
	var first = 4.0;
	var second = 4.0;
	let low = select(1u, 0u, flat);
	for (var k = 0u; k < 3u; k++) {
		for (var j = 0u; j < 2u * low + 1u; j++) {
			let row = row_hash(seed, y.cell + j - low, z.cell + k - 1u);
			for (var i = 0u; i < 3u; i++) {
				let p = point_in_cell(point_hash(row, x.cell + i - 1u));
				let dx = f32(i) - 1.0 + (p.x - x.fraction);
				let dy = select(f32(j) - 1.0 + (p.y - y.fraction), 0.0, flat);
				let dz = f32(k) - 1.0 + (p.z - z.fraction);
				let q = dx * dx + (dy * dy + dz * dz);
				if (q < first) {
					second = first;
					first = q;
				} else if (q < second) {
					second = q;
				}
			}
		}
	}
	return vec2<f32>(first, second);
}

fn capped(square: f32) -> f32 { return sqrt(min(square, 1.0)); }

fn cellular(o: Octave, flat: bool) -> f32 {
	return (2.0 * capped(nearest(o.seed, o.x, o.y, o.z, flat).x) - 1.0) * o.weight;
}

fn edges(o: Octave, flat: bool) -> f32 {
	let near = nearest(o.seed, o.x, o.y, o.z, flat);
	return (2.0 * (capped(near.y) - capped(near.x)) - 1.0) * o.weight;
}

fn op_cellular_noise_2d(o: Octave) -> f32 { return cellular(o, true); }
fn op_cellular_noise_3d(o: Octave) -> f32 { return cellular(o, false); }
fn op_edges_noise_2d(o: Octave) -> f32 { return edges(o, true); }
fn op_edges_noise_3d(o: Octave) -> f32 { return edges(o, false); }
