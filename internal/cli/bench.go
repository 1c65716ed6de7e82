package cli

import (
	"encoding/json"
	"math"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/bench"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
)

type benchCmd struct {
	Extract benchExtractCmd `cmd:"" help:"Make the surface of a volume several times."`
	Field   benchFieldCmd   `cmd:"" help:"Compute noise several times."`
	Chunk   benchChunkCmd   `cmd:"" help:"Build what a viewer of a world sees several times."`
}

type benchExtractCmd struct {
	Volume string        `arg:"" help:"A volume, as terrane mesh reads them; with --dims raw little-endian float32, x fastest." placeholder:"VOLUME"`
	Dims   usage.Numbers `help:"Samples along x, y and z of a file of numbers alone." placeholder:"NX,NY,NZ"`

	bench.Extract `embed:""`
}

// Help is printed by `terrane bench extract --help`.
func (benchExtractCmd) Help() string {
	return `Prints one line of JSON: the milliseconds of each repetition, from samples to mesh, and what came out. Reading the file is
not counted. Buffers are used again, unless --fresh asks for new ones.

  terrane bench extract head.nrrd --iso 300
  terrane bench extract terrain_256.f32 --dims 256,256,256 --normals`
}

// Run measures.
func (c *benchExtractCmd) Run(p *program) error {
	v, err := c.read()
	if err != nil {
		return err
	}
	report, err := c.Measure(v)
	if err != nil {
		return err
	}
	return json.NewEncoder(p.stdout).Encode(report)
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
	return &v.Volume, nil
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
	return &v.Volume, nil
}

type benchFieldCmd struct {
	bench.Field `embed:""`
}

// Help is printed by `terrane bench field --help`.
func (benchFieldCmd) Help() string {
	return `Prints one line of JSON: how many millions of samples of noise a second this machine computes (the median of the
repetitions), on vectors of how many bits, and the SHA-256 of the samples, which is the same on every machine.

  terrane bench field --kind value --octaves 5 --side 256 --threads 1 --reps 5
  GODEBUG=simd=128 terrane bench field --kind gradient    (on narrower vectors; 0 for none)

For comparison, with the same octaves, side and frequency on one thread, the best C++ library for noise on vectors
computes, on 512, 256 and 128 bits: value 189, 67, 49; gradient 119, 40, 25; simplex 114, 42, 29. Plain C computes
14 to 18 of value noise.`
}

// Run measures.
func (c *benchFieldCmd) Run(p *program) error {
	report, err := c.Measure()
	if err != nil {
		return err
	}
	return json.NewEncoder(p.stdout).Encode(report)
}

type benchChunkCmd struct {
	bench.Chunk `embed:""`
	Seed        *int64 `help:"Which hills (default 1)." placeholder:"N"`
}

// Help is printed by `terrane bench chunk --help`.
func (benchChunkCmd) Help() string {
	return `Prints one line of JSON about all that a viewer at the origin sees, made by one thread as a browser's worker makes it:
how long a chunk with a mesh takes on average, from its 35×35×35 samples to positions and normals; how many chunks were
sampled, because bounds left it open whether they hold surface, and the share of them that do; and the SHA-256 of all
meshes.

  terrane bench chunk --template hills --radius 8`
}

// Run measures.
func (c *benchChunkCmd) Run(p *program) error {
	if err := c.Check(); err != nil {
		return err
	}
	flags := worldfile.Flags{Template: c.Template, Seed: c.Seed}
	if err := flags.Check(); err != nil {
		return err
	}
	_, graph, assets, err := p.maker().Ground(flags)
	if err != nil {
		return err
	}
	report, err := c.Measure(graph, assets.Find)
	if err != nil {
		return err
	}
	return json.NewEncoder(p.stdout).Encode(report)
}
