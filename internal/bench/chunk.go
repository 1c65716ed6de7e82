package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/world"
)

// Chunk says what to build, and how often. Its fields are flags of terrane bench chunk.
type Chunk struct {
	Template string `default:"hills" help:"The world, as of terrane serve --template (default hills)." placeholder:"NAME"`
	Radius   int    `default:"8" help:"How far is looked, in chunks of 32 m (default 8)." placeholder:"CHUNKS"`
	Mesher   string `default:"marching" help:"${meshers} (default marching)." placeholder:"NAME"`
	Reps     int    `default:"3" help:"Repetitions, after one to warm up (default 3)." placeholder:"N"`
}

// A ChunkReport is the result of terrane bench chunk.
type ChunkReport struct {
	Bench        string  `json:"bench"`
	Template     string  `json:"template"`
	Radius       int     `json:"radius"`
	VectorBits   int     `json:"vector_bits"`   // 0 is none
	MSPerMesh    float64 `json:"ms_per_mesh"`   // of the median repetition, as the rest
	MSPerColumn  float64 `json:"ms_per_column"` // to find a column's chunks by bounds
	MSView       float64 `json:"ms_view"`       // all of it
	Columns      int     `json:"columns"`
	Sampled      int     `json:"chunks_sampled"`
	Meshed       int     `json:"chunks_meshed"`
	SurfaceShare float64 `json:"surface_share"`
	Triangles    int     `json:"triangles"`
	SHA256       string  `json:"sha256"` // of the positions, normals and indices of all meshes
}

// Check returns an error if a number of c is out of range.
func (c *Chunk) Check() error {
	_, err := mesher.ParseKind(c.Mesher)
	switch {
	case err != nil:
		return usage.Errorf("--mesher: %w", err)
	case c.Radius < 1 || c.Radius > lod.MaxRadius:
		return usage.Errorf("--radius %d is outside 1 … %d", c.Radius, lod.MaxRadius)
	case c.Reps < 1 || c.Reps > 1000:
		return usage.Errorf("--reps %d is outside 1 … 1000", c.Reps)
	}
	return nil
}

// Measure builds what a viewer of the graph's world sees. Check has passed.
func (c *Chunk) Measure(g *graph.Graph, find func(asset.Hash) ([]byte, error)) (ChunkReport, error) {
	kind, err := mesher.ParseKind(c.Mesher)
	if err != nil {
		return ChunkReport{}, err
	}
	var all []ChunkReport
	views := make([]float64, 0, c.Reps)
	for rep := range c.Reps + 1 {
		r, err := c.view(g, find, kind, rep == c.Reps)
		if err != nil {
			return ChunkReport{}, err
		}
		if rep > 0 {
			all, views = append(all, r), append(views, r.MSView)
		}
	}
	middle := median(views)
	i := slices.IndexFunc(all, func(r ChunkReport) bool { return r.MSView == middle })
	all[i].SHA256 = all[len(all)-1].SHA256
	return all[i], nil
}

// view builds a viewer's surroundings once, in a new world, so that nothing is left of the repetition before.
func (c *Chunk) view(graph *graph.Graph, asset func(asset.Hash) ([]byte, error), kind mesher.Kind, hash bool) (ChunkReport, error) {
	base, err := field.Compile(graph, asset)
	if err != nil {
		return ChunkReport{}, err
	}
	w, mr, g, m := world.New(base), mesher.New(kind), grid.New(lattice.ChunkCells), &mesh.Mesh{}
	var columns lod.Set
	enter, _ := columns.Move(lod.ColumnOf(lattice.Sample{}, 0), c.Radius)
	var spans []lattice.Span
	sum := sha256.New()
	var bounding, sampling, meshing time.Duration // sampling is of chunks without surface
	r := ChunkReport{Bench: "chunk", Template: c.Template, Radius: c.Radius, VectorBits: vectorBits(), Columns: len(enter)}
	for _, column := range enter {
		start := time.Now()
		spans = w.Columns(spans[:0], column.X, column.Z)
		bounding += time.Since(start)
		for _, s := range spans {
			for y := s.Lo; y < s.Hi; y++ {
				start := time.Now()
				meshed := w.Mesh(m, g, column.Chunk(y), mr, 0)
				took := time.Since(start)
				r.Sampled++
				if !meshed {
					sampling += took
					continue
				}
				meshing += took
				r.Meshed++
				r.Triangles += m.Triangles()
				if hash {
					fmt.Fprintln(sum, hashMesh(m))
				}
			}
		}
	}
	r.MSPerMesh = milliseconds(meshing, r.Meshed)
	r.MSPerColumn = milliseconds(bounding, r.Columns)
	r.MSView = milliseconds(bounding+sampling+meshing, 1)
	r.SurfaceShare = math.Round(float64(r.Meshed)/float64(max(r.Sampled, 1))*1000) / 1000
	r.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return r, nil
}

// milliseconds returns what one of n took, to the microsecond.
func milliseconds(d time.Duration, n int) float64 {
	return math.Round(float64(d.Microseconds())/float64(max(n, 1))) / 1000
}
