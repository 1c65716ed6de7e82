package builder

import (
	"fmt"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/lru"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/world"
)

// A Builder builds chunks, one at a time: one per goroutine or worker.
type Builder struct {
	// Samples has results of marching cubes hold the chunk's samples in place of its mesh, for someone else to mesh.
	Samples bool

	base    field.Terrain
	worlds  [lattice.MaxLevel + 1]*world.World
	meshers []mesher.Mesher // by kind, made when they are first needed
	cache   *lru.Cache[brickKey, *brick.Brick]
	tiles   *tileCache

	job    Job
	grid   *grid.Grid
	mesh   mesh.Mesh
	probe  probe
	result []uint32
}

// New returns a builder of the world of a document, an encoded graph. asset returns each file that the graph names by
// its hash; the tiles of rasters come with the jobs. It returns an error if the document does not compile.
func New(document []byte, asset func(hash asset.Hash) ([]byte, error)) (*Builder, error) {
	g, err := graph.Parse(document)
	if err != nil {
		return nil, fmt.Errorf("builder: %w", err)
	}
	b := NewTerrain(nil)
	if b.base, err = field.Compile(g, b.tiles.over(asset)); err != nil {
		return nil, fmt.Errorf("builder: %w", err)
	}
	return b, nil
}

// NewTerrain returns a builder of a terrain, which it alone uses from now on.
func NewTerrain(base field.Terrain) *Builder {
	return &Builder{
		base: base, meshers: make([]mesher.Mesher, len(mesher.Kinds())),
		cache: lru.New[brickKey, *brick.Brick](CacheBytes), tiles: newTileCache(), grid: grid.New(lattice.ChunkCells),
	}
}

// Build does a job and returns its result, whose bytes are valid until the next call. It keeps no part of job.
// It returns an error if the job itself is at fault, as when it lacks a tile.
func (b *Builder) Build(job []byte) (result []byte, err error) {
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			missing, ok := r.(*raster.AssetError)
			if !ok {
				panic(r)
			}
			result, err = nil, fmt.Errorf("builder: %w", missing)
		}
	}()
	j := &b.job
	if err := j.parse(job); err != nil {
		return nil, err
	}
	h := ResultHeader{Chunk: j.Chunk, Version: j.Version, Mesher: j.Mesher}
	w := b.worlds[j.Chunk.Level]
	if w == nil {
		w = world.NewLevel(b.base, j.Chunk.Level)
		b.worlds[j.Chunk.Level] = w
	}
	w.Clear()
	missing, err := b.putBricks(w.Layer(), j.Bricks)
	if err == nil {
		var missingTiles bool
		missingTiles, err = b.tiles.begin(j.Tiles)
		missing = missing || missingTiles
	}
	clear(j.Bricks) // they share job's memory
	clear(j.Tiles)
	if err != nil {
		return nil, err
	}
	var m *mesh.Mesh
	b.probe.filled = false
	if h.Missing = missing; !missing {
		for i, e := range j.Pending {
			w.Pend(uint64(i), e)
		}
		if w.Mesh(&b.mesh, b.grid, j.Chunk, b.mesher(j.Mesher), j.Finer) {
			m = &b.mesh
		} else {
			h.Empty = !b.probe.filled
		}
	}
	h.Micros = uint32(min(time.Since(start).Microseconds(), 1<<32-1))
	if b.probe.filled {
		b.result = appendSamples(b.result[:0], h, b.grid)
	} else {
		b.result = appendResult(b.result[:0], h, m)
	}
	return bytesOf(b.result), nil
}

// mesher returns the mesher of a kind, or the probe if samples are wanted in place of its meshes.
func (b *Builder) mesher(k mesher.Kind) mesher.Mesher {
	if b.Samples && k == mesher.Marching {
		return &b.probe
	}
	if b.meshers[k] == nil {
		b.meshers[k] = mesher.New(k)
	}
	return b.meshers[k]
}

// A probe is a mesher that makes nothing and notes that there was something to mesh.
type probe struct{ filled bool }

func (p *probe) Mesh(*mesh.Mesh, *grid.Grid, lattice.Faces) { p.filled = true }

// ClosesSeams implements mesher.Mesher: it makes nothing.
func (p *probe) ClosesSeams() bool { return false }

// putBricks puts the bricks of a job into the layer, from their data or from the cache. missing is true if one has
// no data and is not cached: the session believed the builder to have it, and sends the job again with all data.
func (b *Builder) putBricks(l *brick.Layer, bricks []JobBrick) (missing bool, err error) {
	for i := range bricks {
		jb := &bricks[i]
		k, cached := b.cache.Get(brickKey{jb.ID, jb.Hash})
		if !cached && len(jb.Data) == 0 {
			missing = true // read on: the data of the others is cached for the next time
			continue
		}
		if !cached {
			parsed, err := brick.Parse(jb.Data)
			if err != nil {
				return false, fmt.Errorf("builder: %v: %w", jb.ID, err)
			}
			if parsed.ID() != jb.ID || parsed.Hash() != jb.Hash {
				return false, fmt.Errorf("%w: data of %v with hash %x sent as %v with hash %x",
					ErrCorrupt, parsed.ID(), parsed.Hash(), jb.ID, jb.Hash)
			}
			k = parsed
			b.cache.Put(brickKey{jb.ID, jb.Hash}, k, k.SizeBytes())
		}
		l.Put(k)
	}
	return missing, nil
}
