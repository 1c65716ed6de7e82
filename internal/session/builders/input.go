package builders

import (
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesher"
)

// An Input holds everything that a chunk's mesh depends on, at one moment. Bricks and tiles are immutable, the pending edits
// are copied: it stays what it is however long building takes.
type Input struct {
	Chunk   lattice.Chunk
	Version uint32
	Mesher  mesher.Kind
	Bricks  []*brick.Brick
	Pending []edit.Checked
	Tiles   []builder.JobTile
}

// A World holds what meshes are made of: a world.World.
type World interface {
	Layer() *brick.Layer
	PendingIn(dst []edit.Checked, c lattice.Chunk) []edit.Checked
}

// Tiles are those of rasters: a tile.Store.
type Tiles interface {
	Capture(c lattice.Chunk) []builder.JobTile
}

// A Source captures inputs.
type Source struct {
	World  World
	Tiles  Tiles
	Mesher mesher.Kind
}

// Capture returns what the mesh of a chunk depends on as it is now.
func (s *Source) Capture(c lattice.Chunk, version uint32) *Input {
	in := &Input{Chunk: c, Version: version, Mesher: s.Mesher, Pending: s.World.PendingIn(nil, c), Tiles: s.Tiles.Capture(c)}
	layer := s.World.Layer()
	if layer.Len() == 0 {
		return in
	}
	for z := c.Z - 1; z <= c.Z+1; z++ {
		for y := c.Y - 1; y <= c.Y+1; y++ {
			for x := c.X - 1; x <= c.X+1; x++ {
				if b := layer.Brick(lattice.Brick{X: x, Y: y, Z: z, Level: c.Level}); b != nil {
					in.Bricks = append(in.Bricks, b)
				}
			}
		}
	}
	return in
}
