package gpu

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/raster"
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

// An expression is a step's value while it is written.
type expression struct {
	*graph.Step
	w    *generator
	out  *textWriter
	step int
}

// write writes the value.
func (e *expression) write() error {
	switch {
	case e.Kind == graph.KindConstant:
		e.out.text(literal(e.Constants[0]))
	case e.Kind == graph.KindCoordinate:
		e.out.text("f32(p.", string("xyz"[e.Axis]), " - (", int(e.Place[e.Axis].Anchor), "))")
	case e.Kind == graph.KindHeight:
		e.out.text(e.input(0), " - f32(p.y)")
	case e.Kind == graph.KindWorld, e.Kind == graph.KindPaintedWorld:
		e.out.text(e.input(0))
	case e.Kind == graph.KindSlope:
		return e.slope()
	case e.Kind == graph.KindHeightmap:
		return e.heightmap()
	case e.Noise != nil:
		e.noise()
	case e.Cracks != nil:
		e.cracks()
	case e.Info.Placed():
		e.shape()
	case e.Rounds:
		e.points()
	default:
		e.call()
	}
	return nil
}

// input returns the value of input i.
func (e *expression) input(i int) string { return e.w.value(e.step, e.Inputs[i]) }

// call writes a call of the kind's function with the inputs and then its constants.
func (e *expression) call() {
	e.out.text(functionOf(e.Info), "(")
	comma := ""
	for i := range e.Inputs {
		e.out.text(comma, e.input(i))
		comma = ", "
	}
	for _, v := range e.Constants {
		e.out.text(comma, literal(v))
		comma = ", "
	}
	e.out.text(")")
}

// shape writes a call of a shape's function with the place relative to its anchor and then its constants.
func (e *expression) shape() {
	anchor, period, repeats := [3]int{}, [3]int{}, false
	var offset geom.Vec3
	for i, at := range []*float32{&offset.X, &offset.Y, &offset.Z} {
		p := &e.Place[i]
		anchor[i], period[i], *at = int(p.Anchor), int(p.Period), p.Offset
		repeats = repeats || p.Period != 0
	}
	place := "relative(p, " + vector3i(anchor) + ", " + vector3f(offset) + ")"
	if repeats {
		place = "repeated(p, " + vector3i(anchor) + ", " + vector3i(period) + ", " + vector3f(offset) + ")"
	}
	after := ""
	if r := e.Rotation; r != nil {
		place = "rotated(" + place + ", " + vector3f(r.Axes[0]) + ", " + vector3f(r.Axes[1]) + ", " + vector3f(r.Axes[2]) + ", " +
			vector3f(r.Inverse) + ")"
		after = " * " + literal(r.Least)
	}
	name := functionOf(e.Info)
	if e.Kind == graph.KindCylinder {
		name += "_" + string("xyz"[e.Axis])
	}
	e.out.text(name, "(", place)
	for _, v := range e.Constants {
		e.out.text(", ", literal(v))
	}
	e.out.text(")", after)
}

func vector3i(v [3]int) string {
	return "vec3<i32>(" + decimal(v[0]) + ", " + decimal(v[1]) + ", " + decimal(v[2]) + ")"
}

func vector3f(v geom.Vec3) string {
	return "vec3<f32>(" + literal(v.X) + ", " + literal(v.Y) + ", " + literal(v.Z) + ")"
}

// slope writes the steepness of a height between the samples round the place: a function of the place.
func (e *expression) slope() error {
	h := "height_" + decimal(int(e.Inputs[0]))
	e.out.text(functionOf(e.Info), "(", h, "(p + vec3<i32>(1, 0, 0)) - ", h, "(p - vec3<i32>(1, 0, 0)), ",
		h, "(p + vec3<i32>(0, 0, 1)) - ", h, "(p - vec3<i32>(0, 0, 1)))")
	return e.w.function(int(e.Inputs[0]))
}

// points writes a call of a curve's function with its input and where its points are: x, y and slope of each.
func (e *expression) points() {
	p := e.w.p
	at := len(p.Numbers)
	for _, v := range e.Constants {
		p.Numbers = append(p.Numbers, math.Float32bits(v))
	}
	e.out.text(functionOf(e.Info), "(", e.input(0), ", ", at, "u, ", len(e.Constants)/3, "u)")
}

// noise writes a call of the sum of a noise's octaves with the place, shifted if it is warped, and where its octaves are.
func (e *expression) noise() {
	p := e.w.p
	at, octaves := len(p.Numbers), e.Noise.Octaves()
	for i := range octaves {
		p.Numbers = appendOctave(p.Numbers, &octaves[i])
	}
	where := "at_sample(p)"
	if e.Warped {
		y := "0f"
		if e.Dims == 3 {
			y = e.input(1)
		}
		where = "at_shift(p, vec3<f32>(" + e.input(0) + ", " + y + ", " + e.input(e.Dims-1) + "))"
	}
	e.out.text(e.w.sum(e.Step), "(", where, ", ", at, "u, ", len(octaves), "u)")
}

// cracks writes a call with where the one octave is, whose slope is the jitter.
func (e *expression) cracks() {
	p := e.w.p
	o, jitter := e.Cracks.Octave()
	o.Slope = jitter
	e.out.text(functionOf(e.Info), "(p, ", len(p.Numbers), "u)")
	p.Numbers = appendOctave(p.Numbers, &o)
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

// heightmap writes a call with where the raster's values are.
func (e *expression) heightmap() error {
	w := e.w
	r, ok := w.raster[e.Asset]
	if !ok {
		if w.assets == nil {
			return errNoRasters
		}
		f, err := w.assets(e.Asset)
		if err != nil {
			return err
		}
		r = rasterPlace{w.values, f.Width, f.Height}
		w.raster[e.Asset] = r
		w.values += f.Width * f.Height
		w.p.Rasters = append(w.p.Rasters, e.Asset)
	}
	e.out.text(functionOf(e.Info), "(p, ", r.at, "u, ", r.width, ", ", r.height, ", ", samplesPerSample(e.Spacing[0]), ", ",
		samplesPerSample(e.Spacing[1]), ", ", literal(e.Constants[0]), ", ", literal(e.Constants[1]), ")")
	return nil
}

// samplesPerSample returns 2⁶⁴ over a spacing in 32.32, how many of a raster's samples a sample is, as 32.64 in three words.
func samplesPerSample(spacing uint64) string {
	high, rest := bits.Div64(0, 1<<32, spacing)
	low, _ := bits.Div64(rest, 0, spacing)
	word := func(v uint64) string { return strconv.FormatUint(v&0xffffffff, 10) + "u" }
	return "vec3<u32>(" + word(low) + ", " + word(low>>32) + ", " + word(high) + ")"
}

// RasterValues appends the heights of a raster in meters, as the buffer rasters holds them.
func RasterValues(dst []float32, r *raster.Raster) []float32 {
	for _, v := range r.Values {
		dst = append(dst, r.Offset+float32(r.Scale*v)+0)
	}
	return dst
}
