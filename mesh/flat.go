package mesh

import "math"

// flatRounds is how often LiftFlat looks at the whole mesh: lifting a vertex can make a triangle beside it flat.
const flatRounds = 8

// flatLift is how far a vertex is lifted off a line, as a part of the line's length. In a mesh 4096 cells wide
// float32 resolves 2⁻¹² of a cell, so that a line a cell long is lifted by 16 such steps and keeps its area when it is
// moved or written as text; and a 256th of a cell is far too little to be seen.
const flatLift = 1. / 256

// LiftFlat gives area to triangles whose three corners lie on a line, which programs that print or simulate reject,
// and returns how many are left. The corner between the other two is lifted a little along its normal, or to any side
// if the mesh has none, so what was closed stays closed. Triangles with two corners in one place are Weld's to drop.
func (m *Mesh) LiftFlat() int {
	left := 0
	for range flatRounds {
		left = 0
		for i := 0; i+2 < len(m.Indices); i += 3 {
			t := m.Indices[i : i+3]
			p := [3][3]float64{m.position(t[0]), m.position(t[1]), m.position(t[2])}
			if cross(sub(p[1], p[0]), sub(p[2], p[0])) != [3]float64{} || p[0] == p[1] || p[1] == p[2] || p[2] == p[0] {
				continue
			}
			left++
			long, most := 0, -1.0
			for k := range 3 {
				if d := sub(p[(k+1)%3], p[k]); dot(d, d) > most {
					long, most = k, dot(d, d)
				}
			}
			m.lift(t[(long+2)%3], sub(p[(long+1)%3], p[long]))
		}
		if left == 0 {
			break
		}
	}
	return left
}

// lift moves a vertex off the line along which d runs.
func (m *Mesh) lift(v uint32, d [3]float64) {
	var n [3]float64
	if len(m.Normals) > 0 {
		for k := range 3 {
			n[k] = float64(m.Normals[3*int(v)+k])
		}
	}
	// The normal's part perpendicular to the line; if the normal runs along the line, that of the axis the line least
	// follows, which is at least √⅔ long. Of a part shorter than a thousandth of the normal (1e-6 squared), rounding
	// would make up too much.
	n = rejectFrom(n, d)
	if dot(n, n) < 1e-6 {
		least := 0
		for k := range 3 {
			if math.Abs(d[k]) < math.Abs(d[least]) {
				least = k
			}
		}
		n = [3]float64{}
		n[least] = 1
		n = rejectFrom(n, d)
	}
	by := flatLift * math.Sqrt(dot(d, d)/dot(n, n))
	for k := range 3 {
		m.Positions[3*int(v)+k] = float32(float64(m.Positions[3*int(v)+k]) + by*n[k])
	}
}

// rejectFrom returns the vector rejection of n from d: n less its projection on d, which is perpendicular to d.
func rejectFrom(n, d [3]float64) [3]float64 {
	along := dot(n, d) / dot(d, d)
	return [3]float64{n[0] - along*d[0], n[1] - along*d[1], n[2] - along*d[2]}
}
