package meshing

import (
	"math"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/mesh"
)

// A Part is a mesh to be written and where it lies.
type Part struct {
	Mesh   *mesh.Mesh
	Origin [3]float64 // of Mesh's coordinates
	zUp    bool       // Mesh's third axis points up, else its second
	step   float64    // the shortest way between two samples, in Mesh's unit
	smooth bool       // vertices are shared, so that those in one place are one
	// Palette has the colors of Mesh's materials, if it has some.
	Palette [][3]uint8
}

// fineness is into how many parts of a step a 32-bit coordinate must be able to cut it.
const fineness = 4096

// Settle moves the mesh to where it lies, if the format has no other way to say that and 32 bits do for it, and cleans
// up what rounding did. It reports whether the mesh is where it lies.
func (g *Part) Settle(f codec.Format) bool {
	settled := true
	if (f == codec.STL || f == codec.PLY) && g.Origin != [3]float64{} {
		if settled = g.fits(); settled {
			for i, v := range g.Mesh.Positions {
				g.Mesh.Positions[i] = float32(g.Origin[i%3] + float64(v))
			}
			g.Origin = [3]float64{}
		}
	}
	if g.smooth {
		g.Mesh.Weld()
		g.Mesh.LiftFlat()
	}
	return settled
}

// fits reports whether 32-bit coordinates are fine enough where the mesh lies.
func (g *Part) fits() bool {
	most := 0.0
	for i, v := range g.Mesh.Positions {
		most = max(most, math.Abs(g.Origin[i%3]+float64(v)))
	}
	return most/(1<<24) <= g.step/fineness
}

// Turn lets the axis asked for point up.
func (g *Part) Turn(up string, f codec.Format) error {
	zUp := f == codec.STL || f == codec.PLY
	switch up {
	case "auto":
	case "y", "z":
		zUp = up == "z"
	default:
		return usage.Errorf("--up %s is neither y nor z", up)
	}
	if zUp == g.zUp {
		return nil
	}
	turnVector := func(v []float32) {
		if zUp { // y up, z south → z up, y north
			v[1], v[2] = 0-v[2], v[1]
		} else {
			v[1], v[2] = v[2], 0-v[1]
		}
	}
	for i := 0; i < len(g.Mesh.Positions); i += 3 {
		turnVector(g.Mesh.Positions[i : i+3])
	}
	for i := 0; i < len(g.Mesh.Normals); i += 3 {
		turnVector(g.Mesh.Normals[i : i+3])
	}
	if o := &g.Origin; zUp {
		o[1], o[2] = 0-o[2], o[1]
	} else {
		o[1], o[2] = o[2], 0-o[1]
	}
	g.zUp = zUp
	return nil
}
