package bench

import (
	"runtime/debug"
	"time"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/meshing"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// Extract says how to make the surface of a volume, and how often. Its fields are flags of terrane bench extract.
type Extract struct {
	Iso     float32 `default:"0" help:"Value of the surface (default 0)." placeholder:"V"`
	Threads int     `default:"1" help:"Threads that work on it (default 1)." placeholder:"N"`
	Reps    int     `default:"5" help:"Repetitions, after one to warm up (default 5)." placeholder:"N"`
	Normals bool    `help:"With normals."`
	Mesher  string  `default:"marching" help:"${meshers} (default marching)." placeholder:"NAME"`
	Fresh   bool    `help:"Into memory that the system hands out anew each time."`
	Small   bool    `help:"With pages of 4 KiB, not 2 MiB."`
}

// An ExtractReport is the result of terrane bench extract.
type ExtractReport struct {
	Bench     string    `json:"bench"`
	Mesher    string    `json:"mesher"`
	Normals   bool      `json:"normals"`
	Threads   int       `json:"threads"`
	Fresh     bool      `json:"fresh"`      // new buffers for each repetition
	HugePages bool      `json:"huge_pages"` // asked for, where the system has them
	MS        []float64 `json:"ms"`
	Triangles int       `json:"triangles"`
	Vertices  int       `json:"vertices"`
	SHA256    string    `json:"sha256"` // of positions, normals and indices
}

// Measure makes the surface of v. It returns an error if a number of c is out of range, or the volume is too large.
func (c *Extract) Measure(v *grid.Volume) (ExtractReport, error) {
	kind, err := c.check()
	if err != nil {
		return ExtractReport{}, err
	}
	m := &mesh.Mesh{}
	x := c.extractor(kind)
	report := ExtractReport{
		Bench: "extract", Mesher: c.Mesher, Normals: c.Normals, Threads: c.Threads, Fresh: c.Fresh, HugePages: !c.Small,
	}
	if !c.Small {
		memory.Collapse(v.Samples)
	}
	for rep := range c.Reps + 1 {
		m.Reset()
		if c.Fresh {
			m, x = &mesh.Mesh{}, c.extractor(kind)
			debug.FreeOSMemory()
		}
		start := time.Now()
		if _, err := x.Extract(m, v); err != nil {
			return ExtractReport{}, usage.Errorf("%w", err)
		}
		if rep > 0 {
			report.MS = append(report.MS, float64(time.Since(start).Microseconds())/1000)
		}
	}
	report.Triangles, report.Vertices, report.SHA256 = m.Triangles(), m.Vertices(), hashMesh(m)
	return report, nil
}

// check returns an error if a number of c is out of range.
func (c *Extract) check() (mesher.Kind, error) {
	kind, err := mesher.ParseKind(c.Mesher)
	switch {
	case err != nil:
		return kind, usage.Errorf("--mesher: %w", err)
	case c.Threads < 1 || c.Threads > meshing.MaxThreads:
		return kind, usage.Errorf("--threads %d is outside 1 … %d", c.Threads, meshing.MaxThreads)
	case c.Reps < 1 || c.Reps > 10000:
		return kind, usage.Errorf("--reps %d is outside 1 … 10000", c.Reps)
	}
	return kind, nil
}

// extractor returns an extractor that has no memory yet.
func (c *Extract) extractor(kind mesher.Kind) *mesher.Extractor {
	x := &mesher.Extractor{Kind: kind, Iso: c.Iso, NoNormals: !c.Normals, Run: meshing.Together, Threads: c.Threads}
	if !c.Small {
		x.Memory = memory.HugePages{}
	}
	return x
}
