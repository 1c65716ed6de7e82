package importer

import (
	"fmt"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// Endless returns the name of the density's node if it is the same at all heights, or "". Nobody means that, except by
// pillars without ends: it is a height that lacks its below.
func (c *Compiled) Endless(infos []field.NodeInfo) string {
	nodes := c.Built.Graph.Nodes
	density := len(nodes) - 1
	if k := nodes[density].Kind; k == graph.KindWorld || k == graph.KindPaintedWorld {
		density = int(nodes[density].Inputs[0])
	}
	if i := &infos[density]; i.Y || !i.X && !i.Z {
		return ""
	}
	return c.Built.Origins[density].Path
}

// BelowHeight is the density that whoever names an endless one most likely means.
func BelowHeight(endless string) string {
	if endless == "density" { // written there, not by name
		endless = "…"
	}
	return "density: {below: " + endless + "}"
}

// RefuseEndless returns an error if the density is the same at all heights: as a world it would be columns that go up
// and down to the ends of it, millions of chunks each.
func (c *Compiled) RefuseEndless(name string) error {
	infos, err := field.Describe(c.Built.Graph, c.Assets.Find, BoxAround(1))
	if err != nil {
		return err
	}
	node := c.Endless(infos)
	if node == "" {
		return nil
	}
	return documentError(name, c.Built.DensityProblem("the density is the same at all heights: this is no ground, but solid or air all the way up and down",
		fmt.Sprintf("ground below a height is %s; to have columns, cut them: {intersection: [{below: 100}, …]}", BelowHeight(node))))
}

// BoxAround returns the samples round the middle of a world, of heights near 0.
func BoxAround(radius int) lattice.Box {
	r := int32(radius)
	return lattice.Box{Min: lattice.Sample{X: -32 * r, Y: -64, Z: -32 * r}, Max: lattice.Sample{X: 32 * r, Y: 128, Z: 32 * r}}
}
