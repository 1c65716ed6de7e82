package mesher

import (
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/mesh"
)

type Extractor struct {
	Kind      Kind
	Iso       float32
	NoNormals bool
	e         extractor
}

func (x *Extractor) Extract(m *mesh.Mesh, v *grid.Volume) (struct{}, error) {
	c := v.CellSize()
	x.e.view = view{samples: v.Samples, n: [3]int{v.NX, v.NY, v.NZ}, hi: [3]int{v.NX - 1, v.NY - 1, v.NZ - 1}, iso: x.Iso, scale: [3]float32{c.X, c.Y, c.Z}}
	x.e.extract(m)
	return struct{}{}, nil
}
