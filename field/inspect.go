package field

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/lattice"
)

// A NodeInfo describes a compiled node.
type NodeInfo = eval.NodeInfo

// Describe compiles g and returns what it found out about each node, with bounds within b.
func Describe(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error), b lattice.Box) ([]NodeInfo, error) {
	return eval.Describe(g, asset, b)
}

// ExactReach is how many samples from its origin a coordinate is as exact as the ground near the origin needs: a
// float32 beyond has steps of an eighth of a meter and more, and what is made of it shows them.
const ExactReach = eval.ExactReach

// Inexact compiles g and returns the numbers of the nodes, ascending, that are bare world coordinates ([KindCoordinate],
// and the y of [KindHeight]) and are still seen more than [ExactReach] samples from their origin: where a world may
// hold surface there and its density, ground or material depends on them. A coordinate that a clamp, a bump or a
// choice holds still that far out is exact. Noise, shapes and rasters are exact everywhere.
func Inexact(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error)) ([]int, error) {
	return eval.Inexact(g, asset)
}

// RoughHeight returns the rough heightmap at x, z, within ±1.4: broad waves, octaves of noise and two finer noises.
func RoughHeight(x, z float64) float64 { return ops.RoughHeight(x, z) }

// SmoothHeight returns the smooth predecessor of the rough heightmap at x, z, within ±1.2.
func SmoothHeight(x, z float64) float64 { return ops.SmoothHeight(x, z) }
