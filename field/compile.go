package field

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval"
)

// A Program is a compiled graph with its files. It is read-only, so any number of goroutines may share it; each asks it
// for a terrain of its own, which holds little but scratch memory.
type Program struct{ compiled *eval.Program }

// Terrain returns a terrain that evaluates the program. It is for one goroutine at a time.
//
// It costs some 20 µs in the default world, and some 60 kB for each rectangle of columns that it comes to keep.
func (p *Program) Terrain() Terrain {
	if p.compiled.HasMaterials() {
		return p.compiled.NewWithMaterials()
	}
	return p.compiled.NewTerrain()
}

// Compile makes a terrain of g, which it checks in full: the errors say which node is wrong and what would be right.
// The terrain is for one goroutine at a time. Whoever needs more than one prepares a [Program].
func Compile(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) (Terrain, error) {
	p, err := Prepare(g, asset)
	if err != nil {
		return nil, err
	}
	return p.Terrain(), nil
}

// Prepare compiles g, which it checks in full: the errors say which node is wrong and what would be right. asset
// returns the content of a file by its hash, which Prepare checks; it may be nil if g reads none. It is called by the
// caller's goroutine, in the order of the nodes.
//
// A raster in tiles is read as terrains go: asset is then kept, called by the goroutine that uses a terrain, and must
// go on answering; it must be safe for concurrent use if terrains of the program are used side by side. Each terrain
// keeps a few tiles of its own. A tile that is unavailable makes the terrain panic with an [AssetError].
func Prepare(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) (*Program, error) {
	p, err := eval.Prepare(g, asset)
	if err != nil {
		return nil, err
	}
	return &Program{p}, nil
}
