package tile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/session/fetch"
	"github.com/terrane/terrane/lattice"
)

// A ground is cut into tiles of 256 samples; only that is asked of it here.
type ground struct{ field.Terrain }

const side = 256

func nameOf(x, z int32) asset.Hash { return asset.Of(fmt.Append(nil, x, " ", z)) }

func (ground) Tiles(dst []asset.Hash, b lattice.Box) []asset.Hash {
	for z := b.Min.Z / side; z*side < b.Max.Z; z++ {
		for x := b.Min.X / side; x*side < b.Max.X; x++ {
			dst = append(dst, nameOf(x, z))
		}
	}
	return dst
}

// A stage is the fetcher and the owner.
type stage struct {
	wanted   []asset.Hash
	canceled []asset.Hash
	started  int
	arrived  int
	rejected string
}

func (s *stage) Want(hash asset.Hash, _ fetch.Taker) { s.wanted = append(s.wanted, hash) }
func (s *stage) Cancel(hash asset.Hash)              { s.canceled = append(s.canceled, hash) }
func (s *stage) Start()                              { s.started++ }
func (s *stage) TileArrived()                        { s.arrived++ }
func (s *stage) Reject(reason string)                { s.rejected = reason }

func store(t *testing.T) (*Store, *stage) {
	s := &stage{}
	k, err := New(ground{}, nil, s, s)
	if err != nil {
		t.Fatal(err)
	}
	k.terrain = ground{}
	return k, s
}

// box returns the columns from x0 to x1, at z far from a border.
func box(x0, x1 int32) lattice.Box {
	return lattice.Box{Min: lattice.Sample{X: x0, Z: 1000}, Max: lattice.Sample{X: x1, Y: 1, Z: 1001}}
}

func TestHoldAndRelease(t *testing.T) {
	k, s := store(t)
	list := k.In(box(1000, 1200)) // of two tiles
	if len(list) != 2 || k.Covers(box(1000, 1200)) {
		t.Fatalf("%d tiles, want 2", len(list))
	}
	k.Hold(list)
	k.Hold(list[:1])
	if !slices.Equal(s.wanted, list) {
		t.Fatalf("%d tiles wanted, want each once", len(s.wanted))
	}
	k.Take(list[0], []byte("heights"))
	k.Take(list[0], []byte("again"))
	if string(k.Data(list[0])) != "heights" || k.Len() != 1 || s.arrived != 1 || k.Present(list) {
		t.Errorf("%q, %d there, %d arrived", k.Data(list[0]), k.Len(), s.arrived)
	}
	k.Release(list)
	if !slices.Equal(s.canceled, list[1:]) || k.IdleBytes() != 0 {
		t.Errorf("canceled %d, %d idle bytes while one hold is left", len(s.canceled), k.IdleBytes())
	}
	k.Release(list[:1])
	if k.IdleBytes() != 7 || k.Data(list[0]) == nil {
		t.Error("a tile that was released is not kept")
	}
	k.Hold(list[:1])
	if k.IdleBytes() != 0 || len(s.wanted) != 2 || !maps.Equal(maps.Collect(k.All()), map[asset.Hash]int{list[0]: 1}) {
		t.Error("a tile that was kept is fetched again")
	}
	k.Take(asset.Of([]byte("unknown")), nil) // nobody wants it
	if k.Len() != 1 {
		t.Error("a tile that nobody wants is kept")
	}
}

// TestIdleTilesAreBounded evicts the tiles that were released longest ago.
func TestIdleTilesAreBounded(t *testing.T) {
	k, _ := store(t)
	var list []asset.Hash
	for x := range int32(6) {
		list = append(list, nameOf(x, 0))
		k.Hold(list[x:])
		k.Take(list[x], make([]byte, MaxIdleBytes/4))
	}
	for x := range list {
		k.Release(list[x : x+1])
	}
	if k.IdleBytes() != MaxIdleBytes || k.Len() != 4 || k.Data(list[1]) != nil || k.Data(list[2]) == nil {
		t.Errorf("%d bytes of %d tiles are kept", k.IdleBytes(), k.Len())
	}
}

func TestEdits(t *testing.T) {
	k, s := store(t)
	b := box(1000, 1020)
	if _, ok := k.HoldEdit(b); ok || len(s.wanted) != 0 || k.CoversEdit(b) {
		t.Fatal("an edit of unknown ground was held")
	}
	k.Prefetch(editFootprint(b))
	if len(s.wanted) == 0 || s.started != 1 {
		t.Fatal("nothing was fetched ahead")
	}
	for _, hash := range s.wanted {
		k.Take(hash, []byte("h"))
	}
	list, ok := k.HoldEdit(b)
	if !ok || !slices.Equal(list, s.wanted) || !k.CoversEdit(b) || k.IdleBytes() != 0 {
		t.Errorf("held %d tiles, %v", len(list), ok)
	}
}

func TestFootprints(t *testing.T) {
	at := lattice.Sample{X: 1 << 20, Y: 7, Z: -1 << 20}
	for name, tt := range map[string]struct {
		got    lattice.Box
		inside lattice.Box
		margin int32
	}{
		"edit":   {editFootprint(lattice.Box{Min: at, Max: at.Add(1, 1, 1)}), lattice.Box{Min: at, Max: at.Add(1, 1, 1)}, brickMargin},
		"chunk":  {chunkFootprint(lattice.Chunk{X: 5, Z: -5, Level: 2}), lattice.Chunk{X: 5, Z: -5, Level: 2}.Box(), 8},
		"region": {regionFootprint(lattice.Region{X: 1, Z: -1}), lattice.Box{Min: lattice.Sample{X: 256, Z: -256}, Max: lattice.Sample{X: 512}}, regionMargin},
	} {
		if g, in := tt.got, tt.inside; g.Min.X != in.Min.X-tt.margin || g.Max.X != in.Max.X+tt.margin || g.Min.Z != in.Min.Z-tt.margin || g.Max.Z != in.Max.Z+tt.margin {
			t.Errorf("%s: %v round %v, want %d more", name, g, in, tt.margin)
		}
	}
	edge := editFootprint(lattice.Box{Min: lattice.Sample{X: lattice.Limit + 4000}, Max: lattice.Sample{X: lattice.Limit + 5000}})
	if edge.Max.X > lattice.Limit+1<<12 {
		t.Errorf("%v lies where nothing is numbered", edge)
	}
}

func TestRays(t *testing.T) {
	k, _ := store(t)
	from := lattice.Place{Sample: lattice.Sample{X: 1150, Y: 50, Z: 1150}}
	down, along := geom.Vec3{Y: -1}, geom.Vec3{X: 1}
	if k.CoversRay(from, down, 100) {
		t.Fatal("no tile is there")
	}
	if !k.CoversRay(from, geom.Vec3{}, 100) || !k.CoversRay(from, down, -1) {
		t.Error("what is no ray waits for tiles")
	}
	list := k.In(box(1000, 1200))
	k.Hold(k.In(lattice.Box{Min: lattice.Sample{X: 1000, Z: 1000}, Max: lattice.Sample{X: 1300, Y: 1, Z: 1300}}))
	for hash := range k.All() {
		k.Take(hash, []byte("h"))
	}
	if !k.CoversRay(from, down, 100) || k.CoversRay(from, along, 1000) || len(list) != 2 {
		t.Error("a ray down is over tiles that are there, one along leaves them")
	}
}

func TestTooSmallTiles(t *testing.T) {
	k, s := store(t)
	k.HoldRegion(lattice.Region{X: 4, Z: 4})
	if s.rejected != "" {
		t.Fatalf("rejected: %s", s.rejected)
	}
	k.terrain = tiny{}
	if k.HoldRegion(lattice.Region{X: 8, Z: 8}); !strings.Contains(s.rejected, "too small") {
		t.Errorf("rejected: %q", s.rejected)
	}
}

// tiny ground has more tiles than any world.
type tiny struct{ ground }

func (tiny) Tiles(dst []asset.Hash, _ lattice.Box) []asset.Hash {
	for i := range int32(maxRegionTiles + 1) {
		dst = append(dst, nameOf(i, -7))
	}
	return dst
}

func TestWithoutTiles(t *testing.T) {
	s := &stage{}
	k, err := New(ground{}, nil, s, s)
	if err != nil || (len(k.In(box(0, 1))) != 0 || !k.Covers(box(0, 1)) || !k.CoversRay(lattice.Place{}, geom.Vec3{X: 1}, 5)) {
		t.Errorf("a world without tiles waits for some: %v", err)
	}
}
