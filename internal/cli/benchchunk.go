package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/world"
)

type benchChunkCmd struct {
	Template string `default:"hills" help:"The world, as of terrane serve --template (default hills)." placeholder:"NAME"`
	Seed     *int64 `help:"Which hills (default 1)." placeholder:"N"`
	Radius   int    `default:"8" help:"How far is looked, in chunks of 32 m (default 8)." placeholder:"CHUNKS"`
	Mesher   string `default:"marching" help:"${meshers} (default marching)." placeholder:"NAME"`
	Reps     int    `default:"3" help:"Repetitions, after one to warm up (default 3)." placeholder:"N"`
}

// Help is printed by `terrane bench chunk --help`.
func (benchChunkCmd) Help() string {
	return `Prints one line of JSON about all that a viewer at the origin sees, made by one thread as a browser's worker makes it:
how long a chunk with a mesh takes on average, from its 35×35×35 samples to positions and normals; how many chunks were
sampled, because bounds left it open whether they hold surface, and the share of them that do; and the SHA-256 of all
meshes.

  terrane bench chunk --template hills --radius 8`
}

// A chunkReport is what terrane bench chunk prints.
type chunkReport struct {
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

// Run measures.
func (c *benchChunkCmd) Run(p *program) error {
	kind, err := mesher.ParseKind(c.Mesher)
	if err != nil {
		return usage.Errorf("--mesher: %w", err)
	}
	switch {
	case c.Radius < 1 || c.Radius > lod.MaxRadius:
		return usage.Errorf("--radius %d is outside 1 … %d", c.Radius, lod.MaxRadius)
	case c.Reps < 1 || c.Reps > 1000:
		return usage.Errorf("--reps %d is outside 1 … 1000", c.Reps)
	}
	flags := worldfile.Flags{Template: c.Template, Seed: c.Seed}
	if err := flags.Check(); err != nil {
		return err
	}
	_, graph, assets, err := p.maker().Ground(flags)
	if err != nil {
		return err
	}
	var all []chunkReport
	views := make([]float64, 0, c.Reps)
	for rep := range c.Reps + 1 {
		r, err := c.view(graph, assets.Find, kind, rep == c.Reps)
		if err != nil {
			return err
		}
		if rep > 0 {
			all, views = append(all, r), append(views, r.MSView)
		}
	}
	middle := median(views)
	for _, r := range all {
		if r.MSView == middle {
			r.SHA256 = all[len(all)-1].SHA256
			return json.NewEncoder(p.stdout).Encode(r)
		}
	}
	panic("cli: no repetition took the median time")
}

// view builds a viewer's surroundings once, in a new world, so that nothing is left of the repetition before.
func (c *benchChunkCmd) view(graph *graph.Graph, asset func(asset.Hash) ([]byte, error), kind mesher.Kind, hash bool) (chunkReport, error) {
	base, err := field.Compile(graph, asset)
	if err != nil {
		return chunkReport{}, err
	}
	w, mr, g, m := world.New(base), mesher.New(kind), grid.New(lattice.ChunkCells), &mesh.Mesh{}
	var columns lod.Set
	enter, _ := columns.Move(lod.ColumnOf(lattice.Sample{}, 0), c.Radius)
	var spans []lattice.Span
	sum := sha256.New()
	var bounding, sampling, meshing time.Duration // sampling is of chunks without surface
	r := chunkReport{Bench: "chunk", Template: c.Template, Radius: c.Radius, VectorBits: vectorBits(), Columns: len(enter)}
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
