package noise

import (
	"fmt"
	"math/bits"
)

// A Kind is a family of noise, named for what a lattice point carries: a value, a gradient or a feature point.
type Kind uint8

// The kinds of noise. Their numbers are stored.
const (
	Value    Kind = 1 // a value, mixed within the cell
	Gradient Kind = 2 // a slope; the noise is 0 at the lattice points
	Simplex  Kind = 3 // a slope, spread round the points of a lattice that favors no direction
	Cellular Kind = 4 // the distance to the nearest of the points strewn over the cells
	Edges    Kind = 5 // how much farther the second nearest point is: ridges between cells, upside down
)

// A Fractal says how octaves are added. In each, the result lies in [−1, 1], of Turbulence in [0, 1].
type Fractal uint8

// The ways of adding octaves. Their numbers are stored.
const (
	FBM    Fractal = 0 // the octaves as they are
	Ridged Fractal = 1 // 1 − 2|octave|: ridges where the octave changes sign
	Billow Fractal = 2 // 2|octave| − 1: creases where the octave changes sign
	// Turbulence is |octave|, what Billow is between 0 and 1 (Perlin 1985, "An image synthesizer").
	Turbulence Fractal = 3
)

// MaxOctaves bounds the octaves of a noise.
const MaxOctaves = 16

// A Config describes a noise. Two equal configs give the same noise on every machine, for ever.
type Config struct {
	Kind    Kind
	Fractal Fractal
	Dims    int // 2 (x and z) or 3
	Seed    int64
	// StepX, StepY and StepZ are the lattice cells per sample of the first octave. StepY is ignored if Dims
	// is 2.
	StepX, StepY, StepZ Step
	Octaves             int     // 1 … MaxOctaves
	Gain                float32 // amplitude of each octave over the one before it, in (0, 1]
	// Lacunarity is the step of each octave over the one before it, 1 … 4 as 32.32 fixed point; 0 means 2.
	Lacunarity Step
}

// A Noise is a function from samples to values in [−1, 1]. It is immutable and safe for concurrent use.
type Noise struct {
	kind    Kind
	dims    int
	octaves []octave
}

// An octave is one lattice.
type octave struct {
	seed      uint32
	weight    float32 // share in the sum; for gradients times the scale that brings them into [−1, 1]
	step      [3]Step
	offset    [3]Phase
	amplitude float32 // bound of the octave's share in the sum
	// folded octaves add base + slope·|v| in place of their value v.
	folded      bool
	base, slope float32
}

// New returns the noise that c describes.
func New(c Config) (*Noise, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if c.Lacunarity == 0 {
		c.Lacunarity = 2 * OneCell
	}
	weights := make([]float32, c.Octaves)
	sum, a := float32(0), float32(1)
	for i := range weights {
		weights[i] = a
		sum += a
		a = float32(a * c.Gain)
	}
	n := &Noise{kind: c.Kind, dims: c.Dims, octaves: make([]octave, c.Octaves)}
	state := uint64(c.Seed)
	step := [3]Step{c.StepX, c.StepY, c.StepZ}
	if c.Kind == Simplex && c.Dims == 2 {
		step[2] = mulStep(step[2], simplexAspect)
	}
	for i := range n.octaves {
		o := &n.octaves[i]
		o.seed = uint32(splitMix(&state) >> 32)
		for axis := range o.offset {
			o.offset[axis] = Phase(splitMix(&state))
		}
		o.step = step
		o.amplitude = weights[i] / sum
		switch c.Fractal {
		case Ridged:
			o.folded, o.base, o.slope = true, o.amplitude, -2
		case Billow:
			o.folded, o.base, o.slope = true, -o.amplitude, 2
		case Turbulence:
			o.folded, o.slope = true, 1
		}
		o.weight = float32(o.amplitude * c.scale())
		for axis := range step {
			step[axis] = mulStep(step[axis], c.Lacunarity)
		}
	}
	return n, nil
}

// scale returns what brings a lattice's noise into [−1, 1].
func (c *Config) scale() float32 {
	scales := map[Kind][2]float32{Gradient: {gradientScale2, gradientScale3}, Simplex: {simplexScale2, simplexScale3}}
	if s, ok := scales[c.Kind]; ok {
		return s[c.Dims-2]
	}
	return 1
}

func (c *Config) validate() error {
	switch {
	case c.Kind < Value || c.Kind > Edges:
		return fmt.Errorf("noise: kind %d is unknown; 1 is value, 2 gradient, 3 simplex, 4 cellular, 5 edges", c.Kind)
	case c.Fractal > Turbulence:
		return fmt.Errorf("noise: fractal %d is unknown; 0 is fbm, 1 ridged, 2 billow, 3 turbulence", c.Fractal)
	case c.Dims != 2 && c.Dims != 3:
		return fmt.Errorf("noise: %d dimensions, want 2 or 3", c.Dims)
	case c.Octaves < 1 || c.Octaves > MaxOctaves:
		return fmt.Errorf("noise: %d octaves, want 1 … %d", c.Octaves, MaxOctaves)
	case !(c.Gain > 0 && c.Gain <= 1): // false for NaN
		return fmt.Errorf("noise: gain %v, want over 0 and at most 1", c.Gain)
	case c.Lacunarity != 0 && (c.Lacunarity < OneCell || c.Lacunarity > 4*OneCell):
		return fmt.Errorf("noise: lacunarity %v, want 1 … 4", c.Lacunarity.Frequency())
	}
	for axis, s := range [3]Step{c.StepX, c.StepY, c.StepZ} {
		if axis == 1 && c.Dims == 2 {
			continue
		}
		if s < 1 || s > MaxStep {
			return fmt.Errorf("noise: %v cells per sample along %c, want over 0 and at most %v",
				s.Frequency(), "xyz"[axis], MaxStep.Frequency())
		}
	}
	return nil
}

// mulStep returns a·b rounded down, wrapping as phases do.
func mulStep(a, b Step) Step {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return Step(hi<<32 | lo>>32)
}

// Dims returns the number of dimensions, 2 (x and z) or 3.
func (n *Noise) Dims() int { return n.dims }

// phase returns o's phase of a sample number on an axis.
func (o *octave) phase(axis int, sample int32) Phase { return o.step[axis].At(sample) + o.offset[axis] }

// At returns the noise at a sample. It is +0 where it is 0, as everywhere in this package.
func (n *Noise) At(x, y, z int32) float32 {
	sum := float32(0)
	for i := range n.octaves {
		o := &n.octaves[i]
		var py place
		if n.dims == 3 {
			py = o.phase(1, y).place()
		}
		sum += o.fold(o.at(n.kind, n.dims, o.phase(0, x).place(), py, o.phase(2, z).place()))
	}
	return sum
}

// A place is a phase apart: a cell and how far in it.
type place struct {
	cell     uint32
	fraction float32
}

func (p Phase) place() place { return place{p.Cell(), p.Fraction()} }

// at returns the octave's value, its weight in it.
func (o *octave) at(kind Kind, dims int, x, y, z place) float32 {
	switch kind {
	case Value:
		if dims == 2 {
			return o.value2(x, z)
		}
		return o.value3(x, y, z)
	case Gradient:
		if dims == 2 {
			return o.gradient2(x, z)
		}
		return o.gradient3(x, y, z)
	case Simplex:
		if dims == 2 {
			return o.simplex2(x, z)
		}
		return o.simplex3(x, y, z)
	case Cellular:
		return o.cellular(dims, x, y, z)
	}
	return o.edges(dims, x, y, z)
}

// fold makes an octave's share of its value, which the weight is already in.
func (o *octave) fold(v float32) float32 {
	if !o.folded {
		return v
	}
	if v < 0 {
		v = -v
	}
	return o.base + float32(o.slope*v)
}

// An Octave is one lattice of a noise as other evaluators need it, shaders for one. What they compute from it
// is in this package's kernels.
type Octave struct {
	Seed   uint32
	Weight float32  // of the octave's value in the sum
	Step   [3]Step  // along x, y and z
	Offset [3]Phase // added to the phase of a sample
	// In place of its value v an octave with a Slope adds Base + Slope·|v|.
	Base, Slope float32
}

// Octaves returns the octaves of n in the order in which they are added.
func (n *Noise) Octaves() []Octave {
	list := make([]Octave, len(n.octaves))
	for i, o := range n.octaves {
		list[i] = Octave{Seed: o.seed, Weight: o.weight, Step: o.step, Offset: o.offset, Base: o.base, Slope: o.slope}
	}
	return list
}
