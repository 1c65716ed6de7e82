package printer

import (
	"errors"
	"strconv"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
	"github.com/terrane/terrane/noise"
)

// printers writes the node of each kind that the language has; functions and noise follow from their tables. TestPrint
// holds it together with the operations' build functions.
var printers = map[graph.Kind]func(w *nodeWriter){
	graph.KindConstant: func(w *nodeWriter) {},
	graph.KindCoordinate: func(w *nodeWriter) {
		w.op("coordinate", syntax.AxisNames[min(max(w.n.Ints[0], 0), 2)])
		w.key("from", strconv.FormatInt(w.n.Ints[1], 10))
	},

	graph.KindBall: shapePrinter(0, 4, func(w *nodeWriter, f []float32) { w.op("ball", f32Text(f[0])) }, nil),
	graph.KindBox: shapePrinter(0, 7, func(w *nodeWriter, f []float32) { w.op("box", listText(f[:3], twice)) },
		func(w *nodeWriter) { w.f("edge", 6) }),
	graph.KindCapsule: shapePrinter(0, 7, func(w *nodeWriter, f []float32) { w.op("capsule", f32Text(f[3])) },
		func(w *nodeWriter) { w.key("along", listText(w.n.Floats[3:6], f32Text)) }),
	graph.KindCylinder: shapePrinter(1, 4, func(w *nodeWriter, f []float32) { w.op("cylinder", f32Text(f[0])) },
		func(w *nodeWriter) { w.key("axis", syntax.AxisNames[min(max(w.n.Ints[3], 0), 2)]) }),
	graph.KindCone: shapePrinter(0, 5, func(w *nodeWriter, f []float32) { w.op("cone", f32Text(f[1])) },
		func(w *nodeWriter) { w.f("height", 3) }),
	graph.KindTorus: shapePrinter(0, 5, func(w *nodeWriter, f []float32) { w.op("torus", f32Text(f[0])) },
		func(w *nodeWriter) { w.f("tube", 4) }),
	graph.KindEllipsoid: shapePrinter(0, 6, func(w *nodeWriter, f []float32) { w.op("ellipsoid", listText(f[:3], f32Text)) }, nil),
	graph.KindPlane:     shapePrinter(0, 6, func(w *nodeWriter, f []float32) { w.op("plane", listText(f[:3], f32Text)) }, nil),
	graph.KindSlab: func(w *nodeWriter) {
		w.op("slab", twice(w.n.Floats[1]))
		w.at(1)
	},

	graph.KindUnion:              listPrinter("union", ""),
	graph.KindIntersection:       listPrinter("intersection", ""),
	graph.KindDifference:         listPrinter("difference", ""),
	graph.KindSmoothUnion:        listPrinter("union", "smooth"),
	graph.KindSmoothIntersection: listPrinter("intersection", "smooth"),
	graph.KindSmoothDifference:   listPrinter("difference", "smooth"),
	graph.KindAdd:                listPrinter("add", ""),
	graph.KindSubtract:           listPrinter("subtract", ""),
	graph.KindMultiply:           listPrinter("multiply", ""),
	graph.KindHypot:              listPrinter("hypot", ""),
	graph.KindMix: func(w *nodeWriter) {
		w.op("mix", listText(w.in[:2], same))
		w.key("by", w.in[2])
	},
	graph.KindSelect: func(w *nodeWriter) {
		w.op("select", w.in[2])
		w.f("threshold", 0)
		w.key("under", w.in[0])
		w.key("over", w.in[1])
	},

	graph.KindCurve:  pointsPrinter("curve"),
	graph.KindSpline: pointsPrinter("spline"),

	graph.KindHeightmap: func(w *nodeWriter) {
		w.op("heightmap", w.asset)
		w.key("spacing", listText(w.n.Ints, fixedText))
		w.f("by", 0)
		w.f("plus", 1)
	},
	graph.KindVolume: func(w *nodeWriter) {
		w.op("volume", w.asset)
		w.at(3)
		w.key("spacing", listText(w.n.Floats[3:6], f32Text))
		w.f("by", 6)
		w.f("plus", 7)
		w.solid(3, 8)
	},
	graph.KindCracks: func(w *nodeWriter) {
		w.op("cracks", w.period(w.n.Ints[1]))
		w.f("jitter", 0)
		w.key("seed", strconv.FormatInt(w.n.Ints[0], 10))
	},
	graph.KindRough: func(w *nodeWriter) {
		w.op("rough", f32Text(w.n.Floats[0]))
		if w.n.Ints[0] == 1 {
			w.key("form", "smooth")
		}
	},
}

func init() {
	for _, f := range syntax.Functions {
		printers[f.Kind] = functionPrinter(f)
	}
	infos := graph.Infos()
	for i := range infos {
		if k := &infos[i]; k.Dims != 0 {
			printers[k.Kind] = func(w *nodeWriter) { w.noise(syntax.NoiseNames[k.Noise-noise.Value], k.Dims, k.Warped) }
		}
	}
}

// shapePrinter writes a shape: head, place, what lies between, repetition.
func shapePrinter(ints, floats int, head func(w *nodeWriter, f []float32), rest func(w *nodeWriter)) func(w *nodeWriter) {
	return func(w *nodeWriter) {
		head(w, w.n.Floats[3:])
		w.at(3)
		if rest != nil {
			rest(w)
		}
		w.solid(3+ints, floats)
	}
}

// solid writes the repetition, the rotation and the stretch of a shape, which follow its other numbers.
func (w *nodeWriter) solid(ints, floats int) {
	if f := w.n.Floats[floats:]; len(f) == 7 {
		w.key("turn", "{quaternion: "+listText(f[:4], f32Text)+"}")
		w.key("stretch", listText(f[4:], f32Text))
	}
	if periods := w.n.Ints[ints:]; len(periods) == 3 {
		w.key("repeat", listText(periods, func(v int64) string { return strconv.FormatInt(v, 10) }))
	}
}

// listPrinter writes an operation on a list of nodes, with its float if it has one.
func listPrinter(name, float string) func(w *nodeWriter) {
	return func(w *nodeWriter) {
		w.op(name, listText(w.in, same))
		if float != "" {
			w.f(float, 0)
		}
	}
}

// functionPrinter writes a function of one node with its floats.
func functionPrinter(f syntax.Function) func(w *nodeWriter) {
	return func(w *nodeWriter) {
		w.op(f.Name, w.in[0])
		for i, name := range f.Floats {
			w.f(name, i)
		}
	}
}

func pointsPrinter(name string) func(w *nodeWriter) {
	return func(w *nodeWriter) {
		var points []string
		for i := 0; i < len(w.n.Floats); i += 2 {
			points = append(points, listText(w.n.Floats[i:i+2], f32Text))
		}
		w.op(name, w.in[0])
		w.key("points", listText(points, same))
	}
}

// noise writes noise.
func (w *nodeWriter) noise(name string, dims int, warped bool) {
	n := w.n
	w.op("noise", name)
	steps := n.Ints[3 : 3+dims]
	equal := true
	periods := make([]string, dims)
	for i, s := range steps {
		periods[i] = w.period(s)
		equal = equal && s == steps[0]
	}
	if equal {
		w.key("period", periods[0])
	} else {
		w.key("period", listText(periods, same))
	}
	if dims == 3 {
		w.key("dims", "3")
	}
	if n.Ints[1] != 1 {
		w.key("octaves", strconv.FormatInt(n.Ints[1], 10))
	}
	if n.Floats[0] != 0.5 {
		w.f("gain", 0)
	}
	if l := n.Ints[3+dims]; l != 0 {
		w.key("lacunarity", fixedText(l))
	}
	if f := n.Ints[2]; f != 0 {
		w.key("fractal", syntax.FractalNames[f])
	}
	w.key("seed", strconv.FormatInt(n.Ints[0], 10))
	if warped {
		w.key("warp", listText(w.in, same))
	}
}

// fixedText writes 32.32 fixed point in decimal.
func fixedText(v int64) string { return f64Text(float64(v) / (1 << 32)) }

// period returns the shortest period in decimal that gives a step.
func (w *nodeWriter) period(step int64) string {
	exact := 1 / noise.Step(step).Frequency()
	for digits := 1; digits <= 17; digits++ {
		text := strconv.FormatFloat(exact, 'g', digits, 64)
		v, _ := strconv.ParseFloat(text, 64)
		if s, ok := noise.StepOf(1 / v); ok && int64(s) == step {
			return f64Text(v)
		}
	}
	w.err = errors.New("no period gives its step of noise")
	return ""
}
