package eval

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/eval/ops"
	"github.com/terrane/terrane/lattice"
)

// Tiles appends to dst the hashes of the tiles that may be read in the columns of b, as field.Tiler has it.
func (t *terrain) Tiles(dst []asset.Hash, b lattice.Box) []asset.Hash {
	if b.Max.X <= b.Min.X || b.Max.Z <= b.Min.Z {
		return dst
	}
	for _, h := range t.tiled {
		dst = h.TilesIn(dst, &b)
	}
	return dst
}

// tiledOf returns the heightmaps of steps whose rasters are in tiles.
func tiledOf(steps []step) (list []*ops.Heightmap) {
	for i := range steps {
		if o, ok := steps[i].op.(ops.TileReader); ok {
			list = append(list, o.Tiled()...)
		}
	}
	return list
}
