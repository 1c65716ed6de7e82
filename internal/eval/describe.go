package eval

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/lattice"
)

// A NodeInfo says what Compile finds out about a node.
type NodeInfo struct {
	// Bounds holds the node's values in the box that was asked about. It may be wider.
	Bounds geom.Interval
	// X, Y and Z say along which axes the value may change. A node that does not change along y is computed once
	// a column, one that changes along none once and for all.
	X, Y, Z bool
}

// Describe compiles g and returns what it found out about each node, with bounds within b.
func Describe(g *graph.Graph, asset func(hash asset.Hash) ([]byte, error), b lattice.Box) ([]NodeInfo, error) {
	_, steps, err := compileSteps(g, asset)
	if err != nil {
		return nil, err
	}
	list := make([]NodeInfo, len(steps))
	for i, s := range steps {
		var in ops.Intervals
		for j, k := range s.inputs {
			in[j] = list[k].Bounds
		}
		list[i] = NodeInfo{s.op.Bounds(&in, &b), s.axes&graph.AxisX != 0, s.axes&graph.AxisY != 0, s.axes&graph.AxisZ != 0}
	}
	return list, nil
}
