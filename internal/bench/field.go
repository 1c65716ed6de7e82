package bench

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/terrane/terrane/internal/meshing"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/noise"
)

// Field says which noise to compute, and how often. Its fields are the flags of terrane bench field.
type Field struct {
	Kind      string  `default:"value" help:"value, gradient, simplex, cellular or edges (default value)." placeholder:"NAME"`
	Dims      int     `default:"3" help:"2 (a plane) or 3 (a cube) (default 3)." placeholder:"N"`
	Octaves   int     `default:"5" help:"Octaves, each of twice the frequency and half the height (default 5)." placeholder:"N"`
	Frequency float64 `default:"0.02" help:"Lattice cells per sample of the first octave (default 0.02)." placeholder:"F"`
	Side      int     `default:"256" help:"Samples along each side (default 256)." placeholder:"N"`
	Threads   int     `default:"1" help:"Threads that work on it (default 1)." placeholder:"N"`
	Reps      int     `default:"5" help:"Repetitions, after one to warm up (default 5)." placeholder:"N"`
}

// A FieldReport is the result of terrane bench field.
type FieldReport struct {
	Bench      string    `json:"bench"`
	Kind       string    `json:"kind"`
	Dims       int       `json:"dims"`
	Octaves    int       `json:"octaves"`
	Frequency  float64   `json:"frequency"`
	Side       int       `json:"side"`
	Threads    int       `json:"threads"`
	VectorBits int       `json:"vector_bits"` // 0 is none
	MS         []float64 `json:"ms"`
	Msamples   float64   `json:"msamples_per_s"`
	SHA256     string    `json:"sha256"` // of the samples, little-endian float32, x fastest, then y, then z
}

// maxFieldSamples bounds the memory of a measurement: 2 GiB.
const maxFieldSamples = 1 << 29

// Measure computes the noise and returns an error if a number of c is out of range.
func (c *Field) Measure() (FieldReport, error) {
	n, err := c.noise()
	if err != nil {
		return FieldReport{}, err
	}
	count := c.Side * c.Side
	if c.Dims == 3 {
		count *= c.Side
	}
	samples := make([]float32, count)
	slabs := c.slabs(n)
	report := FieldReport{Bench: "field", Kind: c.Kind, Dims: c.Dims, Octaves: c.Octaves, Frequency: c.Frequency, Side: c.Side,
		Threads: c.Threads, VectorBits: vectorBits(), MS: make([]float64, 0, c.Reps)}
	for rep := range c.Reps + 1 {
		start := time.Now()
		var wait sync.WaitGroup
		for i := range slabs {
			wait.Go(func() { slabs[i].fill(samples) })
		}
		wait.Wait()
		if rep > 0 {
			report.MS = append(report.MS, float64(time.Since(start).Microseconds())/1000)
		}
	}
	report.Msamples = math.Round(float64(count)/median(report.MS)/10) / 100
	report.SHA256 = hashFloats(samples)
	return report, nil
}

// noise returns the noise that the flags ask for.
func (c *Field) noise() (*noise.Noise, error) {
	kinds := []string{"value", "gradient", "simplex", "cellular", "edges"}
	kind := slices.Index(kinds, c.Kind)
	if kind < 0 {
		return nil, usage.Errorf("--kind %s is unknown; there are %s", c.Kind, strings.Join(kinds, ", "))
	}
	for _, f := range []struct {
		name        string
		v, low, top int
	}{{"dims", c.Dims, 2, 3}, {"octaves", c.Octaves, 1, noise.MaxOctaves}, {"side", c.Side, 1, 1 << 14}, {"threads", c.Threads, 1, meshing.MaxThreads},
		{"reps", c.Reps, 1, 10000}} {
		if f.v < f.low || f.v > f.top {
			return nil, usage.Errorf("--%s %d is outside %d … %d", f.name, f.v, f.low, f.top)
		}
	}
	if c.Dims == 3 && c.Side*c.Side*c.Side > maxFieldSamples {
		return nil, usage.Errorf("--side %d makes %d samples in 3 dimensions; at most %d fit", c.Side, c.Side*c.Side*c.Side, maxFieldSamples)
	}
	step, ok := noise.StepOf(c.Frequency)
	if !ok {
		return nil, usage.Errorf("--frequency %v is outside 0 … %v", c.Frequency, noise.MaxStep.Frequency())
	}
	n, err := noise.New(noise.Config{Kind: noise.Value + noise.Kind(kind), Dims: c.Dims, Seed: 1, Octaves: c.Octaves, Gain: 0.5,
		StepX: step, StepY: step, StepZ: step})
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	return n, nil
}

// A slab is the part of the samples that one thread computes: some rows of a plane, some layers of a cube.
type slab struct {
	rows    *noise.Rows
	dims    int
	side    int
	low, hi int // along z
}

// slabs cuts the samples into one slab a thread.
func (c *Field) slabs(n *noise.Noise) []slab {
	all := make([]slab, c.Threads)
	for i := range all {
		all[i] = slab{n.NewRows(), c.Dims, c.Side, c.Side * i / c.Threads, c.Side * (i + 1) / c.Threads}
		all[i].rows.Reset(0, 1, c.Side)
	}
	return all
}

func (s *slab) fill(samples []float32) {
	if s.dims == 2 {
		s.rows.Fill2(samples[s.low*s.side:s.hi*s.side], int32(s.low), 1, s.hi-s.low)
		return
	}
	layer := s.side * s.side
	for z := s.low; z < s.hi; z++ {
		s.rows.Fill3(samples[z*layer:][:layer], 0, 1, s.side, int32(z))
	}
}
