package gpu

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/noise"
)

// A textWriter gathers a program's text.
type textWriter struct{ b []byte }

// text appends words and whole numbers.
func (t *textWriter) text(words ...any) {
	for _, w := range words {
		switch w := w.(type) {
		case string:
			t.b = append(t.b, w...)
		case int:
			t.b = strconv.AppendInt(t.b, int64(w), 10)
		default:
			panic("gpu: text of an unknown type")
		}
	}
}

func (t *textWriter) String() string { return string(t.b) }

func decimal(v int) string { return strconv.Itoa(v) }

// literal returns the shortest text that WGSL reads as v, which is finite.
func literal(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) + "f" }

// An expression is a node's value while it is written.
type expression struct {
	w    *generator
	out  *textWriter
	n    *graph.Node
	node int
}

// input returns the value of input i.
func (e *expression) input(i int) string { return e.w.value(e.node, e.n.Inputs[i]) }

// call writes a call of a function with the inputs and then numbers.
func (e *expression) call(name string, numbers ...float32) error {
	e.out.text(name, "(")
	comma := ""
	for i := range e.n.Inputs {
		e.out.text(comma, e.input(i))
		comma = ", "
	}
	e.numbers(comma, numbers)
	e.out.text(")")
	return nil
}

func (e *expression) numbers(comma string, numbers []float32) {
	for _, v := range numbers {
		e.out.text(comma, literal(v))
		comma = ", "
	}
}

// solid writes a call of a shape's function with the place relative to its anchor and then numbers. ints is how
// many integers follow the anchor before those that repeat the shape; floats how many floats there are before those
// that turn it.
func (e *expression) solid(name string, ints, floats int, numbers ...float32) error {
	i, f := e.n.Ints, e.n.Floats
	place := "relative(p, " + vector3i(i) + ", " + vector3f(f) + ")"
	if len(i) > 3+ints {
		place = "repeated(p, " + vector3i(i) + ", " + vector3i(i[3+ints:]) + ", " + vector3f(f) + ")"
	}
	after := ""
	if len(f) > floats {
		t := f[floats:]
		axes := turn(t)
		place = "turned(" + place + ", " + vector3f(axes[0:]) + ", " + vector3f(axes[3:]) + ", " + vector3f(axes[6:]) + ", " +
			vector3f([]float32{1 / t[4], 1 / t[5], 1 / t[6]}) + ")"
		after = " * " + literal(least(t[4:7]))
	}
	e.out.text(name, "(", place)
	e.numbers(", ", numbers)
	e.out.text(")", after)
	return nil
}

// turn returns the axes that a quaternion x, y, z, w turns those of the world to (package field, turned.go).
func turn(q []float32) []float32 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	l := geom.Sqrt(float32(x*x) + float32(y*y) + (float32(z*z) + float32(w*w)))
	x, y, z, w = x/l, y/l, z/l, w/l
	double := func(a, b float32) float32 { return float32(2 * float32(a*b)) }
	xx, yy, zz := double(x, x), double(y, y), double(z, z)
	xy, xz, yz := double(x, y), double(x, z), double(y, z)
	wx, wy, wz := double(w, x), double(w, y), double(w, z)
	return []float32{1 - yy - zz, xy + wz, xz - wy, xy - wz, 1 - xx - zz, yz + wx, xz + wy, yz - wx, 1 - xx - yy}
}

func least(v []float32) float32 {
	m := v[0]
	for _, f := range v[1:] {
		if f < m {
			m = f
		}
	}
	return m
}

func vector3i(v []int64) string {
	return "vec3<i32>(" + decimal(int(v[0])) + ", " + decimal(int(v[1])) + ", " + decimal(int(v[2])) + ")"
}

func vector3f(v []float32) string {
	return "vec3<f32>(" + literal(v[0]) + ", " + literal(v[1]) + ", " + literal(v[2]) + ")"
}

// points writes a call of a curve's function with its input and where its points are.
func (e *expression) points(name string, slope []float32) error {
	p := e.w.p
	at := len(p.Numbers)
	for i, s := range slope {
		p.Numbers = append(p.Numbers, math.Float32bits(e.n.Floats[2*i]), math.Float32bits(e.n.Floats[2*i+1]), math.Float32bits(s))
	}
	e.out.text(name, "(", e.input(0), ", ", at, "u, ", len(slope), "u)")
	return nil
}

// noise writes a call of a noise's function with the place, shifted if it is warped, and where its octaves are.
func (e *expression) noise(name string, kind noise.Kind, dims int, warped bool) error {
	f, err := graph.NoiseOf(e.n)
	if err != nil {
		return err
	}
	p := e.w.p
	at, octaves := len(p.Numbers), f.Octaves()
	for i := range octaves {
		p.Numbers = appendOctave(p.Numbers, &octaves[i])
	}
	where := "at_sample(p)"
	if warped {
		y := "0f"
		if dims == 3 {
			y = e.input(1)
		}
		where = "at_shift(p, vec3<f32>(" + e.input(0) + ", " + y + ", " + e.input(dims-1) + "))"
	}
	e.out.text(name, "(", where, ", ", at, "u, ", len(octaves), "u)")
	return nil
}

// appendOctave appends an octave as noise.wgsl describes it.
func appendOctave(dst []uint32, o *noise.Octave) []uint32 {
	dst = append(dst, o.Seed, math.Float32bits(o.Weight))
	for _, s := range o.Step {
		dst = append(dst, uint32(s), uint32(s>>32))
	}
	for _, s := range o.Offset {
		dst = append(dst, uint32(s), uint32(s>>32))
	}
	return append(dst, math.Float32bits(o.Base), math.Float32bits(o.Slope))
}

// heightmap writes a call of heightmap with where the raster's values are.
func (e *expression) heightmap() error {
	w, n := e.w, e.n
	r, ok := w.raster[n.Asset]
	if !ok {
		if w.assets == nil {
			return errNoRasters
		}
		f, err := w.assets(n.Asset)
		if err != nil {
			return err
		}
		r = rasterPlace{w.values, f.Width, f.Height}
		w.raster[n.Asset] = r
		w.values += f.Width * f.Height
		w.p.Rasters = append(w.p.Rasters, n.Asset)
	}
	e.out.text("heightmap(p, ", r.at, "u, ", r.width, ", ", r.height, ", ", samplesPerSample(n.Ints[0]), ", ",
		samplesPerSample(n.Ints[1]), ", ", literal(n.Floats[0]), ", ", literal(n.Floats[1]), ")")
	return nil
}

// samplesPerSample returns 2⁶⁴ over a spacing in 32.32, how many of a raster's samples a sample is, as 32.64 in three words.
func samplesPerSample(spacing int64) string {
	high, rest := bits.Div64(0, 1<<32, uint64(spacing))
	low, _ := bits.Div64(rest, 0, uint64(spacing))
	word := func(v uint64) string { return strconv.FormatUint(v&0xffffffff, 10) + "u" }
	return "vec3<u32>(" + word(low) + ", " + word(low>>32) + ", " + word(high) + ")"
}

// RasterValues appends the heights of a raster in meters, as the buffer rasters holds them.
func RasterValues(dst []float32, r *field.Raster) []float32 {
	for _, v := range r.Values {
		dst = append(dst, r.Offset+float32(r.Scale*v)+0)
	}
	return dst
}
