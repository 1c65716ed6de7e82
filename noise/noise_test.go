package noise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/internal/kernel/scalar"
	"github.com/terrane/terrane/lattice"
)

// configs yields configs of every kind, fractal and dimension, with random steps and octaves.
func configs(r *rand.Rand, each int, f func(Config)) {
	for range each {
		for kind := Value; kind <= Edges; kind++ {
			for fractal := FBM; fractal <= Turbulence; fractal++ {
				for dims := 2; dims <= 3; dims++ {
					c := Config{Kind: kind, Fractal: fractal, Dims: dims, Seed: r.Int64() - r.Int64(),
						Octaves: 1 + r.IntN(5), Gain: 0.3 + 0.7*r.Float32()}
					for _, s := range []*Step{&c.StepX, &c.StepY, &c.StepZ} {
						*s = 1 + Step(math.Exp2(40*r.Float64()-8))&(MaxStep-1)
						if r.IntN(2) == 0 {
							*s = OneCell/256 + Step(r.Int64N(int64(OneCell)))
						}
					}
					if r.IntN(3) == 0 {
						c.Lacunarity = OneCell + Step(r.Int64N(3*int64(OneCell)))
					}
					f(c)
				}
			}
		}
	}
}

func mustNew(t testing.TB, c Config) *Noise {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return n
}

// somewhere returns a sample number anywhere in a world, often near its middle or its edges.
func somewhere(r *rand.Rand) int32 {
	switch r.IntN(4) {
	case 0:
		return int32(r.IntN(200) - 100)
	case 1:
		return int32(r.IntN(2*10_000_000) - 10_000_000)
	case 2:
		return lattice.Limit - 1 - int32(r.IntN(100))
	}
	return -lattice.Limit + 1 + int32(r.IntN(100))
}

func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func TestRowsEqualAt(t *testing.T) {
	r := newRand(t)
	configs(r, 8, func(c Config) {
		n := mustNew(t, c)
		rows := n.NewRows()
		for range 3 {
			x, y, z := somewhere(r), somewhere(r), somewhere(r)
			d := int32(1) << r.IntN(6)
			count, ny, nz := 1+r.IntN(40), 1+r.IntN(20), 1+r.IntN(3)
			rows.Reset(x, d, count)
			dst := make([]float32, count*ny)
			for k := range nz {
				z := z + int32(k)*d
				if c.Dims == 2 {
					rows.Fill2(dst, z, d, ny)
				} else {
					rows.Fill3(dst, y, d, ny, z)
				}
				for i, got := range dst {
					x, a := x+int32(i%count)*d, int32(i/count)*d
					want := n.At(x, y+a, z)
					if c.Dims == 2 {
						want = n.At(x, y, z+a)
					}
					if math.Float32bits(got) != math.Float32bits(want) {
						t.Fatalf("%+v at %d, step %d, sample %d: row gives %v, point %v", c, x, d, i, got, want)
					}
				}
			}
		}
	})
}

func TestBoundsHold(t *testing.T) {
	r := newRand(t)
	configs(r, 20, func(c Config) {
		n := mustNew(t, c)
		rlo, rhi := n.Range()
		for range 10 {
			b := lattice.Box{Min: lattice.Sample{X: somewhere(r), Y: somewhere(r), Z: somewhere(r)}}
			b.Max = b.Min.Add(1+int32(r.IntN(1<<r.IntN(12))), 1+int32(r.IntN(1<<r.IntN(12))), 1+int32(r.IntN(1<<r.IntN(12))))
			lo, hi := n.Bounds(b)
			if lo < rlo || hi > rhi || !(lo <= hi) {
				t.Fatalf("%+v: bounds %v … %v over %v, range %v … %v", c, lo, hi, b, rlo, rhi)
			}
			for range 200 {
				x, y, z := within(r, b.Min.X, b.Max.X), within(r, b.Min.Y, b.Max.Y), within(r, b.Min.Z, b.Max.Z)
				if v := n.At(x, y, z); !(v >= lo && v <= hi) || math.Float32bits(v) == 1<<31 {
					t.Fatalf("%+v at %d,%d,%d: %v is not in %v … %v, the bounds of %v", c, x, y, z, v, lo, hi, b)
				}
			}
		}
	})
}

// TestFadeWobble tries every place in a cell: fade falls below what it was by less than fadeWobble.
func TestFadeWobble(t *testing.T) {
	highest, fall := float32(0), float32(0)
	for i := range 1 << 24 {
		v := fade(float32(i) / (1 << 24))
		highest = scalar.Larger(highest, v)
		fall = scalar.Larger(fall, highest-v)
	}
	if !(fall > 0 && fall < fadeWobble) {
		t.Errorf("fade falls by %v, bounds allow %v", fall, fadeWobble)
	}
}

// TestBoundsHoldInThinBoxes is TestBoundsHold where only rounding decides: tiny steps, boxes of few samples.
func TestBoundsHoldInThinBoxes(t *testing.T) {
	for _, c := range []struct {
		Config
		b  lattice.Box
		at lattice.Sample
	}{
		{
			Config{Kind: Gradient, Fractal: Billow, Dims: 3, Seed: 8350949346679524393, StepX: 9394646, StepY: 151, StepZ: 2792, Octaves: 1, Gain: 0.85067177},
			lattice.Box{Min: lattice.Sample{X: 1073741802, Y: 7188981, Z: 1073741724}, Max: lattice.Sample{X: 1073741803, Y: 7188987, Z: 1073741744}},
			lattice.Sample{X: 1073741802, Y: 7188986, Z: 1073741732},
		},
		{
			Config{Kind: Value, Fractal: Billow, Dims: 2, Seed: 2957123656705289211, StepX: 34, StepY: 10, StepZ: 87, Octaves: 1, Gain: 0.43067592},
			lattice.Box{Min: lattice.Sample{X: 1073741806, Y: -1073741724, Z: -520056}, Max: lattice.Sample{X: 1073741807, Y: -1073741680, Z: -519867}},
			lattice.Sample{X: 1073741806, Y: -1073741681, Z: -519999},
		},
	} {
		n := mustNew(t, c.Config)
		lo, hi := n.Bounds(c.b)
		if v := n.At(c.at.X, c.at.Y, c.at.Z); !(v >= lo && v <= hi) {
			t.Errorf("%+v: %v at %v is not in %v … %v", c.Config, v, c.at, lo, hi)
		}
	}
}

// within returns a number from lo to hi, which is excluded, often at an end.
func within(r *rand.Rand, lo, hi int32) int32 {
	switch r.IntN(4) {
	case 0:
		return lo
	case 1:
		return hi - 1
	}
	return lo + r.Int32N(hi-lo)
}

// TestBoundsAreClose measures how much wider than the truth the bounds of chunks are.
func TestBoundsAreClose(t *testing.T) {
	for _, c := range []struct {
		name string
		Config
		most float64 // width of the bounds over that of the values, mean
	}{
		{"value 2-D", Config{Kind: Value, Dims: 2, Octaves: 1}, 1.0001},
		{"value 3-D", Config{Kind: Value, Dims: 3, Octaves: 1}, 1.0001},
		{"gradient 2-D", Config{Kind: Gradient, Dims: 2, Octaves: 1}, 2},
		{"gradient 3-D", Config{Kind: Gradient, Dims: 3, Octaves: 1}, 2.3},
	} {
		c.Gain = 0.5
		c.StepX, c.StepY, c.StepZ = OneCell/100, OneCell/100, OneCell/100
		n := mustNew(t, c.Config)
		sum, count := 0.0, 0
		for i := range int32(100) {
			const side = 33
			o := lattice.Sample{X: i * 1000, Y: i * 100, Z: -i * 777}
			lo, hi := n.Bounds(lattice.Box{Min: o, Max: o.Add(side, side, side)})
			e := newExtremes()
			for z := range int32(side) {
				for y := range int32(side) {
					for x := range int32(side) {
						e.add(n.At(o.X+x, o.Y+y, o.Z+z))
					}
				}
			}
			sum += float64(hi-lo) / float64(e.hi-e.lo)
			count++
		}
		if mean := sum / float64(count); mean > c.most {
			t.Errorf("%s: bounds are %.3f times as wide as the values, want at most %v", c.name, mean, c.most)
		} else {
			t.Logf("%s: %.3f", c.name, mean)
		}
	}
}

// TestGradientScale searches for the largest value that any choice of gradients can reach in a cell: at each
// place, every corner's gradient may be the best for it.
func TestGradientScale(t *testing.T) {
	const steps = 64
	most2, most3 := 0.0, 0.0
	at := func(i int) float64 { return float64(i) / steps }
	for i := range steps/2 + 1 {
		for j := range steps/2 + 1 {
			sum := 0.0
			for c := range 4 {
				dx, dz := math.Abs(at(i)-float64(c&1)), math.Abs(at(j)-float64(c>>1))
				w := (1 - float64(fade(float32(dx)))) * (1 - float64(fade(float32(dz))))
				sum += w * support(dx, dz)
			}
			most2 = max(most2, sum)
			for k := range steps/2 + 1 {
				sum := 0.0
				for c := range 8 {
					dx, dy, dz := math.Abs(at(i)-float64(c&1)), math.Abs(at(j)-float64(c>>1&1)), math.Abs(at(k)-float64(c>>2))
					w := (1 - float64(fade(float32(dx)))) * (1 - float64(fade(float32(dy)))) * (1 - float64(fade(float32(dz))))
					sum += w * (dx + dy + dz - min(dx, dy, dz))
				}
				most3 = max(most3, sum)
			}
		}
	}
	t.Logf("most in 2-D %.6f, in 3-D %.6f", most2, most3)
	if most2*gradientScale2 > 1 || most2*gradientScale2 < 0.99 {
		t.Errorf("2-D: scale %v times %v, want just under 1", gradientScale2, most2)
	}
	if most3*gradientScale3 > 1 || most3*gradientScale3 < 0.99 {
		t.Errorf("3-D: scale %v times %v, want just under 1", gradientScale3, most3)
	}
}

// TestSimplexScale searches, like TestGradientScale, for the largest value and the largest slope that any
// choice of gradients can reach. A lattice point spreads t⁴(g·d), t = reach − d², and changes by at most
// |t⁴g − 8t³(g·d)d|.
func TestSimplexScale(t *testing.T) {
	const steps = 48
	spreadMost := func(d [3]float64, support func(d [3]float64) float64, length float64) (value, slope float64) {
		q := d[0]*d[0] + d[1]*d[1] + d[2]*d[2]
		k := max(0.75-q, 0)
		value = k * k * k * k * support(d)
		return value, k*k*k*k*length + 8*k*k*k*support(d)*math.Sqrt(q)
	}
	grids := [2]float64{0, 0.5}
	most2, slope2, most3, slope3 := 0.0, 0.0, 0.0, 0.0
	edge := func(d [3]float64) float64 {
		a, b, c := math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2])
		return a + b + c - min(a, b, c)
	}
	for i := range steps {
		for j := range steps {
			x, z := float64(i)/steps, float64(j)/steps
			value, slope := 0.0, 0.0
			for _, g := range grids {
				for c := range 16 { // corners of all cells that may reach
					d := [3]float64{x - g - float64(c&3) + 1, 0, (z - g - float64(c>>2) + 1) * math.Sqrt(3)}
					v, s := spreadMost(d, func(d [3]float64) float64 { return support(math.Abs(d[0]), math.Abs(d[2])) }, 1.0607)
					value, slope = value+v, slope+s
				}
			}
			most2, slope2 = max(most2, value), max(slope2, slope)
			for k := range steps {
				y := float64(k) / steps
				value, slope := 0.0, 0.0
				for _, g := range grids {
					for c := range 64 {
						d := [3]float64{x - g - float64(c&3) + 1, y - g - float64(c>>2&3) + 1, z - g - float64(c>>4) + 1}
						if d[0]*d[0]+d[1]*d[1]+d[2]*d[2] < 0.75 {
							v, s := spreadMost(d, edge, math.Sqrt2)
							value, slope = value+v, slope+s
						}
					}
				}
				most3, slope3 = max(most3, value), max(slope3, slope)
			}
		}
	}
	for _, c := range []struct {
		name              string
		most, scale       float64
		steepest, claimed float64
	}{{"2-D", most2, simplexScale2, slope2, simplexSlope2}, {"3-D", most3, simplexScale3, slope3, simplexSlope3}} {
		t.Logf("%s: most %.5f, slope %.5f", c.name, c.most, c.steepest)
		if v := c.most * c.scale; v > 1 || v < 0.98 {
			t.Errorf("%s: scale %v times %v, want just under 1", c.name, c.scale, c.most)
		}
		if v := c.steepest * c.scale; v > c.claimed || v < 0.9*c.claimed {
			t.Errorf("%s: slope %v, want just under %v", c.name, v, c.claimed)
		}
	}
}

// support returns the largest scalar product of x, z with a gradient in two dimensions.
func support(x, z float64) float64 {
	most := 0.0
	for h := range uint32(256) {
		gx, gz := gradient2(h<<24, 1)
		most = max(most, math.Abs(float64(gx))*x+math.Abs(float64(gz))*z)
	}
	return most
}

func TestStatistics(t *testing.T) {
	r := newRand(t)
	configs(r, 2, func(c Config) {
		c.Octaves, c.StepX, c.StepY, c.StepZ = 1, OneCell/7, OneCell/7, OneCell/7
		if c.Fractal != FBM {
			return
		}
		n := mustNew(t, c)
		sum, sq := 0.0, 0.0
		const count = 40000
		for range count {
			v := float64(n.At(r.Int32N(1<<20), r.Int32N(1<<20), r.Int32N(1<<20)))
			sum += v
			sq += v * v
		}
		mean := sum / count
		dev := math.Sqrt(sq/count - mean*mean)
		if c.Kind <= Simplex && math.Abs(mean) > 0.02 || dev < 0.15 || dev > 0.6 {
			t.Errorf("%+v: mean %.4f, deviation %.4f", c, mean, dev)
		}
	})
}

// TestSmooth checks that neighboring samples differ as little ten million samples out, and at the end of the
// world, as at the origin.
func TestSmooth(t *testing.T) {
	for _, kind := range []Kind{Value, Gradient, Simplex, Cellular, Edges} {
		n := mustNew(t, Config{Kind: kind, Dims: 3, Octaves: 1, Gain: 1,
			StepX: OneCell / 1000, StepY: OneCell / 1000, StepZ: OneCell / 1000})
		for _, o := range []int32{0, 10_000_000, -10_000_000, lattice.Limit, -lattice.Limit - 1000, math.MaxInt32 - 2000} {
			for i := range int32(2000) {
				a, b := n.At(o+i, o, o), n.At(o+i+1, o, o)
				if d := math.Abs(float64(a - b)); d > 0.005 {
					t.Fatalf("kind %d: %v, %v at %d and the next", kind, a, b, o+i)
				}
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	good := Config{Kind: Value, Dims: 3, Octaves: 1, Gain: 0.5, StepX: 1, StepY: 1, StepZ: MaxStep}
	mustNew(t, good)
	nan := float32(math.NaN())
	for name, f := range map[string]func(*Config){
		"kind":             func(c *Config) { c.Kind = 0 },
		"fractal":          func(c *Config) { c.Fractal = 9 },
		"dims":             func(c *Config) { c.Dims = 4 },
		"no octaves":       func(c *Config) { c.Octaves = 0 },
		"many octaves":     func(c *Config) { c.Octaves = MaxOctaves + 1 },
		"gain 0":           func(c *Config) { c.Gain = 0 },
		"gain NaN":         func(c *Config) { c.Gain = nan },
		"step 0":           func(c *Config) { c.StepZ = 0 },
		"step too large":   func(c *Config) { c.StepX = MaxStep + 1 },
		"small lacunarity": func(c *Config) { c.Lacunarity = 1 },
	} {
		c := good
		f(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, f := range []float64{0, -1, math.NaN(), math.Inf(1), 5, 1e-20} {
		if s, ok := StepOf(f); ok {
			t.Errorf("StepOf(%v) = %v, ok", f, s)
		}
	}
	if s, ok := StepOf(0.25); !ok || s != OneCell/4 || s.Frequency() != 0.25 {
		t.Errorf("StepOf(0.25) = %v, %v", s, ok)
	}
}

func TestRowsDoNotAllocate(t *testing.T) {
	n := mustNew(t, Config{Kind: Gradient, Dims: 3, Octaves: 4, Gain: 0.5, StepX: OneCell / 9, StepY: OneCell / 9, StepZ: OneCell / 9})
	rows, dst, i := n.NewRows(), make([]float32, 35*35), int32(0)
	chunk := func() {
		rows.Reset(i*32, 1, 35)
		for z := range int32(35) {
			rows.Fill3(dst, i*32, 1, 35, z)
		}
		n.Bounds(lattice.Box{Max: lattice.Sample{X: 35, Y: 35, Z: 35}})
		i++
	}
	chunk()
	if a := testing.AllocsPerRun(20, chunk); a != 0 {
		t.Errorf("%v allocations a chunk", a)
	}
}

func benchmarkFill(b *testing.B, c Config, side int) {
	n := mustNew(b, c)
	rows, dst := n.NewRows(), make([]float32, side*side)
	rows.Reset(0, 1, side)
	z := int32(0)
	for b.Loop() {
		rows.Fill3(dst, 0, 1, side, z)
		z = (z + 1) % int32(side)
	}
	b.ReportMetric(float64(b.N)*float64(side*side)/b.Elapsed().Seconds()/1e6, "Msamples/s")
}

func BenchmarkFill(b *testing.B) {
	step, _ := StepOf(0.02)
	for name, kind := range map[string]Kind{"value": Value, "gradient": Gradient, "simplex": Simplex, "cellular": Cellular} {
		c := Config{Kind: kind, Dims: 3, Octaves: 5, Gain: 0.5, StepX: step, StepY: step, StepZ: step}
		b.Run(name+"/256", func(b *testing.B) { benchmarkFill(b, c, 256) })
		b.Run(name+"/35", func(b *testing.B) { benchmarkFill(b, c, 35) })
	}
}

func BenchmarkAt(b *testing.B) {
	step, _ := StepOf(0.02)
	for name, kind := range map[string]Kind{"value": Value, "gradient": Gradient} {
		n := mustNew(b, Config{Kind: kind, Dims: 3, Octaves: 5, Gain: 0.5, StepX: step, StepY: step, StepZ: step})
		b.Run(name, func(b *testing.B) {
			i := int32(0)
			for b.Loop() {
				n.At(i, 5, 7)
				i++
			}
		})
	}
}

func BenchmarkBounds(b *testing.B) {
	step, _ := StepOf(0.02)
	for name, kind := range map[string]Kind{"value": Value, "gradient": Gradient} {
		n := mustNew(b, Config{Kind: kind, Dims: 3, Octaves: 3, Gain: 0.5, StepX: step, StepY: step, StepZ: step})
		b.Run(name, func(b *testing.B) {
			i := int32(0)
			for b.Loop() {
				n.Bounds(lattice.Box{Min: lattice.Sample{X: i}, Max: lattice.Sample{X: i + 35, Y: 35, Z: 35}})
				i++
			}
		})
	}
}

func TestShifts(t *testing.T) {
	r := newRand(t)
	configs(r, 5, func(c Config) {
		n := mustNew(t, c)
		for range 100 {
			x, y, z := somewhere(r), somewhere(r), somewhere(r)
			dx, dy, dz := r.Int32N(2000)-1000, r.Int32N(2000)-1000, r.Int32N(2000)-1000
			if i := r.IntN(100); i == 0 {
				checkFillShifted(t, r, n, x, y, z)
			}
			got := n.AtShifted(x, y, z, ShiftOf(float32(dx)), ShiftOf(float32(dy)), ShiftOf(float32(dz)))
			if want := n.At(x+dx, y+dy, z+dz); got != want {
				t.Fatalf("%+v at %d,%d,%d shifted by %d,%d,%d: %v, want %v", c, x, y, z, dx, dy, dz, got, want)
			}
		}
	})
	for _, c := range []struct {
		d    float32
		want Shift
	}{{0, 0}, {1, 1 << 16}, {-1.5, -3 << 15}, {1e30, MaxShift << 16}, {float32(math.Inf(-1)), -MaxShift << 16},
		{float32(math.NaN()), 0}, {math.SmallestNonzeroFloat32, 0}} {
		if got := ShiftOf(c.d); got != c.want {
			t.Errorf("ShiftOf(%v) = %v, want %v", c.d, got, c.want)
		}
	}
}

// checkFillShifted compares a row of shifted places with AtShifted.
func checkFillShifted(t *testing.T, r *rand.Rand, n *Noise, x, y, z int32) {
	t.Helper()
	rows, count, step := n.NewRows(), 1+r.IntN(50), int32(1)<<r.IntN(4)
	rows.Reset(x, step, count)
	var d [3][]float32
	for axis := range d {
		for range count {
			d[axis] = append(d[axis], float32(r.NormFloat64()*100))
		}
	}
	dst := make([]float32, count)
	rows.FillShifted(dst, y, z, d[0], d[1], d[2])
	for i, got := range dst {
		want := n.AtShifted(x+int32(i)*step, y, z, ShiftOf(d[0][i]), ShiftOf(d[1][i]), ShiftOf(d[2][i]))
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Fatalf("%+v: sample %d of a row at %d,%d,%d: %v, want %v", n, i, x, y, z, got, want)
		}
	}
}
