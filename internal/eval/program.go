package eval

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/ops"
)

// A Program is a compiled graph with its files: steps and what was found out about them. It never changes.
type Program struct {
	prototype *terrain // never evaluated
	palette   []graph.Material
}

// NewTerrain returns a terrain that evaluates the program, without materials.
func (p *Program) NewTerrain() *terrain { return p.prototype.fork() }

// NewWithMaterials returns a terrain with materials, of a program that has a palette.
func (p *Program) NewWithMaterials() *painted {
	return &painted{terrain: p.prototype.fork(), palette: p.palette}
}

// HasMaterials reports whether the program has a palette.
func (p *Program) HasMaterials() bool { return p.palette != nil }

// Prepare compiles g and reads its files.
func Prepare(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) (*Program, error) {
	p, steps, err := compileSteps(g, asset)
	if err != nil {
		return nil, err
	}
	density := len(steps) - 1
	ground, material := p.Ground, density
	if p.Material >= 0 {
		material = p.Material
	}
	if ground < 0 {
		ground = len(steps)
		steps = append(steps, step{op: ops.Constant(0)})
	}
	steps, roots := prune(steps, density, ground, material)
	fuse(steps, roots...)
	steps, roots = prune(steps, roots...)
	if p.Material < 0 {
		roots[2] = -1
	}
	t := newTerrain(steps, roots[0], roots[1], roots[2])
	for _, h := range t.tiled {
		h.Raster.InTiles().Ready = true
	}
	if p.Material < 0 {
		return &Program{prototype: t}, nil
	}
	return &Program{t, p.Materials}, nil
}
