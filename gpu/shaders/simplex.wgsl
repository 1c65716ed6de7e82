// Simplex noise: every point of two plain grids, moved by half a cell from each other, spreads a slope over a
// round neighborhood.

const simplex_reach = 0.75; // the square of it
const other_grid = 0x9e3779b9u;
const root3 = 1.7320508;

// The place in the grid that is moved by half a cell.
fn moved(p: Place) -> Place {
	if (p.fraction >= 0.5) { return Place(p.cell + 1u, p.fraction - 0.5); }
	return Place(p.cell, p.fraction + 0.5);
}

fn spread(t: f32, slope: f32) -> f32 {
	let u = max(t, 0.0);
	return u * u * (u * u) * slope;
}

fn spread2(seed: u32, x: Place, z: Place, weight: f32) -> f32 {
	var sum = 0.0;
	for (var k = 0u; k < 2u; k++) {
		let row = row_hash(seed, 0u, z.cell + k);
		let dz = (z.fraction - f32(k)) * root3;
		for (var i = 0u; i < 2u; i++) {
			let dx = x.fraction - f32(i);
			let g = slope2(point_hash(row, x.cell + i), weight);
			sum += spread(simplex_reach - (dx * dx + dz * dz), g.x * dx + g.y * dz);
		}
	}
	return sum;
}

fn spread3(seed: u32, x: Place, y: Place, z: Place, weight: f32) -> f32 {
	var sum = 0.0;
	for (var k = 0u; k < 2u; k++) {
		let dz = z.fraction - f32(k);
		for (var j = 0u; j < 2u; j++) {
			let dy = y.fraction - f32(j);
			let row = row_hash(seed, y.cell + j, z.cell + k);
			for (var i = 0u; i < 2u; i++) {
				let dx = x.fraction - f32(i);
				let g = slope3(point_hash(row, x.cell + i), weight);
				sum += spread(simplex_reach - (dx * dx + (dy * dy + dz * dz)), g.x * dx + (g.y * dy + g.z * dz));
			}
		}
	}
	return sum;
}

fn op_simplex_noise_2d(o: Octave) -> f32 {
	return spread2(o.seed, o.x, o.z, o.weight) + spread2(o.seed + other_grid, moved(o.x), moved(o.z), o.weight);
}

fn op_simplex_noise_3d(o: Octave) -> f32 {
	return spread3(o.seed, o.x, o.y, o.z, o.weight) +
		spread3(o.seed + other_grid, moved(o.x), moved(o.y), moved(o.z), o.weight);
}
