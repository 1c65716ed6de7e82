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

fn cells_noise(at: Lookup, first: u32, octaves: u32, flat: bool, edges: bool) -> f32 {
	var sum = 0.0;
	for (var i = 0u; i < octaves; i++) {
		let o = first + i * octave_words;
		var y = Place(0u, 0.0);
		if (!flat) { y = place(at, 1u, o); }
		let near = nearest(numbers[o], place(at, 0u, o), y, place(at, 2u, o), flat);
		var v = capped(near.x);
		if (edges) { v = capped(near.y) - v; }
		sum += folded((2.0 * v - 1.0) * number(o + octave_weight), o);
	}
	return sum;
}

fn cellular2_noise(at: Lookup, first: u32, octaves: u32) -> f32 { return cells_noise(at, first, octaves, true, false); }
fn cellular3_noise(at: Lookup, first: u32, octaves: u32) -> f32 { return cells_noise(at, first, octaves, false, false); }
fn edges2_noise(at: Lookup, first: u32, octaves: u32) -> f32 { return cells_noise(at, first, octaves, true, true); }
fn edges3_noise(at: Lookup, first: u32, octaves: u32) -> f32 { return cells_noise(at, first, octaves, false, true); }
