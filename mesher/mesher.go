package mesher

import (
	"fmt"

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

var kindNames = [...]string{Marching: "marching", Nets: "nets", Blocks: "blocks"}

// Valid reports whether k names a mesher.
func (k Kind) Valid() bool { return int(k) < len(kindNames) }

// String returns the name that ParseKind reads.
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// ParseKind returns the mesher of the given name: marching, nets or blocks.
func ParseKind(s string) (Kind, error) {
	for k, name := range kindNames {
		if s == name {
			return Kind(k), nil
		}
	}
	return 0, fmt.Errorf("mesher: no mesher is named %q: want marching, nets or blocks", s)
}

// New returns a mesher of the given kind; it panics if there is none.
func New(k Kind) Mesher {
	switch k {
	case Marching:
		return &marching{}
	case Nets:
		return &nets{}
	case Blocks:
		return &blocks{}
	}
	panic(fmt.Sprintf("mesher: %v is not a mesher", k))
}
