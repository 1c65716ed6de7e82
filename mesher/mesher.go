package mesher

import (
	"fmt"
	"strings"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// A Mesher appends the isosurface of g at density 0 to m, positions in meters from the chunk's low corner,
// with normals and depths. It keeps scratch memory: one per goroutine.
type Mesher interface {
	// Mesh appends the surface of g. finer names the faces whose neighbor is one level finer: g.Slabs holds their
	// samples. It panics if there are any and ClosesSeams is false, rather than leave a crack in silence.
	Mesh(m *mesh.Mesh, g *grid.Grid, finer lattice.Faces)
	// ClosesSeams reports whether Mesh can close the surface toward finer neighbors.
	ClosesSeams() bool
}

// A Kind names a mesher. Its numbers are part of the builder's job format.
type Kind uint8

// The meshers.
const (
	Marching Kind = iota
	Nets
	Blocks
	kindCount = iota
)

// kinds describes each kind, once: commands, builders and the page ask here. Another mesher is a constant, a row and
// its file.
var kinds = [kindCount]struct {
	name, doc      string
	new            func() surface
	sharesVertices bool
}{
	Marching: {"marching", "marching cubes: a vertex on each edge that the surface crosses", func() surface { return &marching{} }, true},
	Nets:     {"nets", "surface nets: a vertex in each cell that the surface passes, fewer slivers", func() surface { return &nets{} }, true},
	Blocks:   {"blocks", "a cube for each solid sample, every face of it flat", func() surface { return &blocks{} }, false},
}

// Kinds returns all kinds, in the order of their numbers.
func Kinds() []Kind {
	all := make([]Kind, kindCount)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// KindNames returns the names of all kinds as a sentence has them, with or before the last: "marching, nets or blocks".
func KindNames(or string) string {
	var b strings.Builder
	for i := range kinds {
		switch {
		case i == 0:
		case i == len(kinds)-1:
			b.WriteString(" " + or + " ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(kinds[i].name)
	}
	return b.String()
}

// Valid reports whether k names a mesher.
func (k Kind) Valid() bool { return int(k) < len(kinds) }

// String returns the name that ParseKind reads.
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kinds[k].name
}

// Doc returns a line about a kind that is valid.
func (k Kind) Doc() string { return kinds[k].doc }

// SharesVertices reports whether triangles that meet share vertices. Where they do not, faces are flat with sharp
// edges, and welding a mesh would lose them.
func (k Kind) SharesVertices() bool { return kinds[k].sharesVertices }

// ParseKind returns the mesher of the given name, one of KindNames.
func ParseKind(s string) (Kind, error) {
	for k := range kinds {
		if s == kinds[k].name {
			return Kind(k), nil
		}
	}
	return 0, fmt.Errorf("mesher: no mesher is named %q: want %s", s, KindNames("or"))
}

// A surface is an algorithm, for chunks and volumes alike.
type surface interface {
	Mesher
	// volume appends the surface of a volume.
	volume(x *Extractor, m *mesh.Mesh, v view) (Stats, error)
}

// New returns a mesher of the given kind; it panics if there is none.
func New(k Kind) *Extractor {
	x := &Extractor{Kind: k}
	x.surface()
	return x
}

// refuseFiner panics if a mesher that closes no seams is asked for some.
func refuseFiner(k Kind, finer lattice.Faces) {
	if finer != 0 {
		panic(fmt.Sprintf("mesher: %v closes no seams toward finer neighbors, and has faces %b: use marching cubes there", k, finer))
	}
}
