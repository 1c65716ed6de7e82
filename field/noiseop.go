package field

import (
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
)

// A noiseOp is a sum of octaves of noise.
type noiseOp struct {
	n    *noise.Noise
	rows *noise.Rows
	all  Interval
}

func newNoiseOp(n *Node, kind noise.Kind, dims int) (op, error) {
	c := noise.Config{Kind: kind, Dims: dims, Seed: n.Ints[0], Octaves: int(n.Ints[1]), Fractal: noise.Fractal(n.Ints[2]),
		Gain: n.Floats[0]}
	steps := n.Ints[3:]
	c.StepX, c.StepZ, c.Lacunarity = noise.Step(steps[0]), noise.Step(steps[dims-1]), noise.Step(steps[dims])
	if dims == 3 {
		c.StepY = noise.Step(steps[1])
	}
	f, err := noise.New(c)
	if err != nil {
		return nil, err
	}
	o := noiseOp{n: f, rows: f.NewRows()}
	o.all.Lo, o.all.Hi = f.Range()
	if dims == 2 {
		return &noiseOp2{o}, nil
	}
	return &noiseOp3{o}, nil
}

func (o *noiseOp) loose() {}

func (o *noiseOp) point(_ *values, s lattice.Sample) float32 { return o.n.At(s.X, s.Y, s.Z) }

func (o *noiseOp) bounds(_ *intervals, b *lattice.Box) Interval {
	lo, hi := o.n.Bounds(*b)
	return Interval{lo, hi}
}

// A noiseOp2 is noise over x and z.
type noiseOp2 struct{ noiseOp }

func (o *noiseOp2) block(dst []float32, _ *operands, b *block) {
	o.rows.Reset(b.x, b.dx, b.count)
	o.rows.Fill2(dst, b.z, b.dz, b.rows)
}

// A noiseOp3 is noise in space.
type noiseOp3 struct{ noiseOp }

func (o *noiseOp3) block(dst []float32, _ *operands, b *block) {
	o.rows.Reset(b.x, b.dx, b.count)
	o.rows.Fill3(dst, b.y, b.dy, b.rows, b.z)
}
