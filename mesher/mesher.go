package mesher

import (
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// A Mesher appends the isosurface of g at density 0 to m, positions in meters from the chunk's low corner,
// with normals and depths. finer names the faces whose neighbor is one level finer: g.Slabs holds their
// samples. It keeps scratch memory: one per goroutine.
type Mesher interface {
	Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces)
}

// A Kind names a mesher. Its numbers are part of the builder's job format.
type Kind uint8

// The meshers.
const (
	Marching Kind = iota // marching cubes
	Nets                 // surface nets
	Blocks               // a cube for each solid sample
)
