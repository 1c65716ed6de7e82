package ops

import (
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/kernel/fdlibm"
	"github.com/terrane/terrane/lattice"
)

// The rough procedural heightmap and its smooth predecessor (reference §3). They are older than the engine and
// kept as they are: float64, with noise from a hash that depends on the last bits of a sine.

// RoughHeight returns the rough heightmap at x, z, within ±1.4: broad waves, octaves of noise and two finer noises.
//
// The sum is grouped as it is because that gives the known heights to the last bit, −1.005 at 0, 0 among them. The
// grouping that one would write, waves, octaves and finer noises each summed first, misses that one by a bit; of the
// 945 ways to group the six terms ten give all of them, and this is the plainest of these.
func RoughHeight(x, z float64) float64 {
	waves := float64(0.18*fdlibm.Sin(float64(0.22*x))) + float64(0.14*fdlibm.Sin(float64(0.12*(x+z))))
	middle := float64(0.16*fdlibm.Cos(float64(0.2*z))) + float64(1.05*sineFBM(x, z)) + float64(0.08*sineNoise(float64(1.8*x), float64(1.8*z)))
	return clamp64(waves+middle+float64(0.035*sineNoise(float64(3.5*x), float64(3.5*z))), -1.4, 1.4)
}

// SmoothHeight returns the smooth predecessor of the rough heightmap at x, z, within ±1.2.
func SmoothHeight(x, z float64) float64 {
	return clamp64(float64(0.55*fdlibm.Sin(float64(0.25*x)))+float64(0.45*fdlibm.Cos(float64(0.22*z)))+float64(0.35*fdlibm.Sin(float64(0.16*(x+z)))),
		-1.2, 1.2)
}

func clamp64(v, lo, hi float64) float64 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// sineHash returns a number in [0, 1) for a lattice point.
func sineHash(x, z float64) float64 {
	v := float64(fdlibm.Sin(float64(127.1*x)+float64(311.7*z)) * 43758.5453123)
	return v - math.Floor(v)
}

// sineNoise is value noise of sineHash in [−1, 1).
func sineNoise(x, z float64) float64 {
	cx, cz := math.Floor(x), math.Floor(z)
	step := func(t float64) float64 { return float64(float64(t*t) * (3 - float64(2*t))) }
	mix := func(a, b, t float64) float64 { return a + float64((b-a)*t) }
	sx, sz := step(x-cx), step(z-cz)
	low := mix(sineHash(cx, cz), sineHash(cx+1, cz), sx)
	high := mix(sineHash(cx, cz+1), sineHash(cx+1, cz+1), sx)
	return float64(mix(low, high, sz)*2) - 1
}

// sineFBM is five octaves of sineNoise.
func sineFBM(x, z float64) float64 {
	sum, amplitude, frequency := 0.0, 1.0, 0.08
	for range 5 {
		sum += float64(amplitude * sineNoise(float64(x*frequency), float64(z*frequency)))
		amplitude *= 0.5
		frequency *= 2
	}
	return sum / 1.9375
}

// rough is an op: roughHeight or smoothHeight at samples that are a number of units apart.
type rough struct {
	height func(x, z float64) float64
	meters float64 // in a unit
	limit  float32
}

// NewRough makes the rough heightmap of a step.
func NewRough(s *graph.Step, _ Files) (Op, error) {
	if s.Smooth {
		return rough{SmoothHeight, float64(s.Constants[0]), 1.2}, nil
	}
	return rough{RoughHeight, float64(s.Constants[0]), 1.4}, nil
}

func (r rough) at(x, z int32) float32 {
	return float32(r.height(float64(x)/r.meters, float64(z)/r.meters)) + 0
}

func (r rough) Point(_ *Values, s lattice.Sample) float32 { return r.at(s.X, s.Z) }

func (r rough) Block(dst []float32, _ *Operands, b *Block) {
	for k := range b.Rows {
		row := dst[k*b.Count:][:b.Count]
		for i := range row {
			row[i] = r.at(b.X+int32(i)*b.Dx, b.Z+int32(k)*b.Dz)
		}
	}
}

func (r rough) Bounds(*Intervals, *lattice.Box) geom.Interval {
	return geom.Interval{Lo: -r.limit, Hi: r.limit}
}
