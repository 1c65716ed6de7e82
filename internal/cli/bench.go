package cli

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"runtime/debug"
	"time"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/meshing"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

type benchCmd struct {
	Extract benchExtractCmd `cmd:"" help:"Make the surface of a volume several times."`
	Field   benchFieldCmd   `cmd:"" help:"Compute noise several times."`
	Chunk   benchChunkCmd   `cmd:"" help:"Build what a viewer of a world sees several times."`
}

type benchExtractCmd struct {
	Volume  string        `arg:"" help:"A volume, as terrane mesh reads them; with --dims raw little-endian float32, x fastest." placeholder:"VOLUME"`
	Dims    usage.Numbers `help:"Samples along x, y and z of a file of numbers alone." placeholder:"NX,NY,NZ"`
	Iso     float32       `default:"0" help:"Value of the surface (default 0)." placeholder:"V"`
	Threads int           `default:"1" help:"Threads that work on it (default 1)." placeholder:"N"`
	Reps    int           `default:"5" help:"Repetitions, after one to warm up (default 5)." placeholder:"N"`
	Normals bool          `help:"With normals."`
	Mesher  string        `default:"marching" help:"${meshers} (default marching)." placeholder:"NAME"`
	Fresh   bool          `help:"Into memory that the system hands out anew each time."`
	Small   bool          `help:"With pages of 4 KiB, not 2 MiB."`
}

// Help is printed by `terrane bench extract --help`.
func (benchExtractCmd) Help() string {
	return `Prints one line of JSON: the milliseconds of each repetition, from samples to mesh, and what came out. Reading the file is
not counted. Buffers are used again, unless --fresh asks for new ones.

  terrane bench extract head.nrrd --iso 300
  terrane bench extract terrain_256.f32 --dims 256,256,256 --normals`
}

// An extractReport is what terrane bench extract prints.
type extractReport struct {
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

// Run measures.
func (c *benchExtractCmd) Run(p *program) error {
	kind, err := mesher.ParseKind(c.Mesher)
	if err != nil {
		return usage.Errorf("--mesher: %w", err)
	}
	if c.Threads < 1 || c.Threads > meshing.MaxThreads {
		return usage.Errorf("--threads %d is outside 1 … %d", c.Threads, meshing.MaxThreads)
	}
	if c.Reps < 1 || c.Reps > 10000 {
		return usage.Errorf("--reps %d is outside 1 … 10000", c.Reps)
	}
	v, err := c.read()
	if err != nil {
		return err
	}
	m := &mesh.Mesh{}
	x := c.extractor(kind)
	report := extractReport{
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
			return usage.Errorf("%s: %w", c.Volume, err)
		}
		if rep > 0 {
			report.MS = append(report.MS, float64(time.Since(start).Microseconds())/1000)
		}
	}
	report.Triangles, report.Vertices, report.SHA256 = m.Triangles(), m.Vertices(), hashMesh(m)
	return json.NewEncoder(p.stdout).Encode(report)
}

// extractor returns an extractor that has no memory yet.
func (c *benchExtractCmd) extractor(kind mesher.Kind) *mesher.Extractor {
	x := &mesher.Extractor{Kind: kind, Iso: c.Iso, NoNormals: !c.Normals, Run: meshing.Together, Threads: c.Threads}
	if !c.Small {
		x.Memory = memory.HugePages{}
	}
	return x
}

// read reads the volume.
func (c *benchExtractCmd) read() (*grid.Volume, error) {
	if c.Dims == nil {
		return c.readKnown()
	}
	if len(c.Dims) != 3 {
		return nil, usage.Errorf("--dims takes three numbers, like 256,256,256, not %v", []float64(c.Dims))
	}
	var dims [3]int
	for i, d := range c.Dims {
		if !(d >= 1 && d <= 1<<20) || d != math.Trunc(d) {
			return nil, usage.Errorf("--dims %v: %v is no number of samples", []float64(c.Dims), d)
		}
		dims[i] = int(d)
	}
	f, closeFile, err := importer.Open(c.Volume)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	f.Name = c.Volume + ".raw" // whatever it is called, it has no header
	v, err := ingest.ReadVolume(f, ingest.Options{
		Width: dims[0], Height: dims[1], Depth: dims[2], Kind: ingest.Float32, Order: ingest.LittleEndian, MaxSamples: 1 << 31,
	})
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	return &grid.Volume{NX: dims[0], NY: dims[1], NZ: dims[2], Samples: v.Values}, nil
}

// readKnown reads a volume that says itself what it is.
func (c *benchExtractCmd) readKnown() (*grid.Volume, error) {
	f, closeFile, err := importer.Open(c.Volume)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	v, err := ingest.ReadVolume(f, ingest.Options{Beside: importer.Beside(c.Volume), MaxSamples: 1 << 31})
	if err != nil {
		return nil, usage.Errorf("%w (with --dims NX,NY,NZ it is taken for raw little-endian float32)", err)
	}
	return &grid.Volume{NX: v.Dims[0], NY: v.Dims[1], NZ: v.Dims[2], Samples: v.Values}, nil
}

// hashMesh returns the SHA-256 of all numbers of a mesh.
func hashMesh(m *mesh.Mesh) string {
	sum := sha256.New()
	var word [4]byte
	for _, list := range [][]float32{m.Positions, m.Normals} {
		for _, v := range list {
			binary.LittleEndian.PutUint32(word[:], math.Float32bits(v))
			sum.Write(word[:])
		}
	}
	for _, v := range m.Indices {
		binary.LittleEndian.PutUint32(word[:], v)
		sum.Write(word[:])
	}
	return hex.EncodeToString(sum.Sum(nil))
}
