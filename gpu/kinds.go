package gpu

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/noise"
)

// A form says how a kind of node is written.
type form struct {
	parts  []string // what its function needs
	inputs int
	ints   int
	floats int  // at least
	flat   bool // it does not depend on y unless an input does
	write  func(e *expression) error
}

var errNoRasters = errors.New("it reads a raster, and none are there")

var forms map[graph.Kind]*form

func init() { forms = makeForms() } // a slope's form writes nodes, which looks forms up

// formOf returns the form of a kind, or nil if it has none.
func formOf(k graph.Kind) *form { return forms[k] }

// isFlat reports whether a node does not depend on y unless an input does.
func isFlat(n *graph.Node) bool {
	if n.Kind == graph.KindCoordinate {
		return n.Ints[0] != 1
	}
	return formOf(n.Kind).flat
}

func makeForms() map[graph.Kind]*form {
	f := map[graph.Kind]*form{
		graph.KindConstant: {floats: 1, flat: true, write: func(e *expression) error {
			e.out.text(literal(e.n.Floats[0]))
			return nil
		}},
		graph.KindCoordinate: {ints: 2, flat: true, write: func(e *expression) error {
			e.out.text("f32(p.", string("xyz"[e.n.Ints[0]]), " - (", int(e.n.Ints[1]), "))")
			return nil
		}},
		graph.KindHeight: {inputs: 1, write: func(e *expression) error {
			e.out.text(e.input(0), " - f32(p.y)")
			return nil
		}},
		graph.KindWorld: {inputs: 2, flat: true, write: func(e *expression) error {
			e.out.text(e.input(0))
			return nil
		}},
		graph.KindPaintedWorld: {inputs: 3, flat: true, write: func(e *expression) error {
			e.out.text(e.input(0))
			return nil
		}},
		graph.KindSlope: {parts: []string{"combine"}, inputs: 1, flat: true, write: func(e *expression) error {
			h := "height_" + decimal(int(e.n.Inputs[0]))
			e.out.text("steepness(", h, "(p + vec3<i32>(1, 0, 0)) - ", h, "(p - vec3<i32>(1, 0, 0)), ",
				h, "(p + vec3<i32>(0, 0, 1)) - ", h, "(p - vec3<i32>(0, 0, 1)))")
			return e.w.function(int(e.n.Inputs[0]))
		}},
		graph.KindHeightmap: {parts: []string{"raster"}, ints: 2, floats: 2, flat: true,
			write: func(e *expression) error { return e.heightmap() }},
	}
	addShapes(f)
	addCombinations(f)
	addCurves(f)
	addNoise(f)
	return f
}

// shape returns the form of a shape; numbers makes the arguments of its function of the floats after the offset.
func shape(name string, floats int, numbers func(f []float32) []float32) *form {
	return &form{parts: []string{"shapes"}, ints: 3, floats: 3 + floats, write: func(e *expression) error {
		return e.solid(name, 0, 3+floats, numbers(e.n.Floats[3:3+floats])...)
	}}
}

// addShapes adds the shapes. What the constructors of package field work out is worked out here as there.
func addShapes(f map[graph.Kind]*form) {
	same := func(f []float32) []float32 { return f }
	f[graph.KindBall] = shape("ball", 1, same)
	f[graph.KindTorus] = shape("torus", 2, same)
	f[graph.KindSlab] = &form{parts: []string{"shapes"}, ints: 1, floats: 2, write: func(e *expression) error {
		e.out.text("slab(relative(p, vec3<i32>(0, ", int(e.n.Ints[0]), ", 0), vec3<f32>(0f, ", literal(e.n.Floats[0]), ", 0f)), ",
			literal(e.n.Floats[1]), ")")
		return nil
	}}
	f[graph.KindCylinder] = &form{parts: []string{"shapes"}, ints: 4, floats: 4, write: func(e *expression) error {
		return e.solid("cylinder_"+string("xyz"[e.n.Ints[3]]), 1, 4, e.n.Floats[3])
	}}
	f[graph.KindBox] = shape("box", 4, func(f []float32) []float32 {
		edge := least(f[:4])
		return []float32{f[0] - edge, f[1] - edge, f[2] - edge, edge}
	})
	f[graph.KindCapsule] = shape("capsule", 4, func(f []float32) []float32 {
		return append(f[:4:4], float32(f[0]*f[0])+(float32(f[1]*f[1])+float32(f[2]*f[2])))
	})
	f[graph.KindPlane] = shape("plane", 3, func(f []float32) []float32 {
		v := geom.Vec3{X: f[0], Y: f[1], Z: f[2]}
		if l := v.Len(); l > 0 {
			return []float32{v.X / l, v.Y / l, v.Z / l}
		}
		return []float32{0, 1, 0}
	})
	f[graph.KindEllipsoid] = shape("ellipsoid", 3, func(f []float32) []float32 {
		return []float32{1 / f[0], 1 / f[1], 1 / f[2], least(f)}
	})
	f[graph.KindCone] = shape("cone", 2, func(f []float32) []float32 {
		return append(f[:2:2], float32(f[0]*f[0])+float32(f[1]*f[1]))
	})
}

// addCombinations adds set operations and arithmetic.
func addCombinations(f map[graph.Kind]*form) {
	add := func(k graph.Kind, name string, inputs, floats int) {
		f[k] = &form{parts: []string{"combine"}, inputs: inputs, floats: floats, flat: true,
			write: func(e *expression) error { return e.call(name, e.n.Floats...) }}
	}
	add(graph.KindUnion, "join", 2, 0)
	add(graph.KindIntersection, "intersect", 2, 0)
	add(graph.KindDifference, "subtract_solid", 2, 0)
	add(graph.KindSmoothUnion, "smooth_join", 2, 1)
	add(graph.KindSmoothIntersection, "smooth_intersect", 2, 1)
	add(graph.KindSmoothDifference, "smooth_subtract_solid", 2, 1)
	add(graph.KindAdd, "plus", 2, 0)
	add(graph.KindSubtract, "minus", 2, 0)
	add(graph.KindMultiply, "times", 2, 0)
	add(graph.KindScale, "scaled", 1, 2)
	add(graph.KindAbs, "abs", 1, 0)
	add(graph.KindClamp, "held", 1, 2)
	add(graph.KindMix, "mixed", 3, 0)
	add(graph.KindHypot, "hypotenuse", 2, 0)
	add(graph.KindSelect, "chosen", 3, 1)
	add(graph.KindSaw, "saw", 1, 1)
	f[graph.KindSmoothstep] = &form{parts: []string{"combine"}, inputs: 1, floats: 2, flat: true, write: func(e *expression) error {
		return e.call("smooth_rise", e.n.Floats[0], 1/(e.n.Floats[1]-e.n.Floats[0]))
	}}
	f[graph.KindBump] = &form{parts: []string{"combine"}, inputs: 1, floats: 1, flat: true, write: func(e *expression) error {
		return e.call("bump", 1/e.n.Floats[0])
	}}
}

// addCurves adds functions through points.
func addCurves(f map[graph.Kind]*form) {
	parts := []string{"number", "curves"}
	f[graph.KindCurve] = &form{parts: parts, inputs: 1, floats: 4, flat: true, write: func(e *expression) error {
		return e.points("curve", slopes(e.n.Floats))
	}}
	f[graph.KindSpline] = &form{parts: parts, inputs: 1, floats: 4, flat: true, write: func(e *expression) error {
		return e.points("spline", tangents(e.n.Floats))
	}}
	f[graph.KindTerrace] = &form{parts: parts, inputs: 1, floats: 2, flat: true, write: func(e *expression) error {
		return e.call("terrace", e.n.Floats[0], 1/e.n.Floats[0], e.n.Floats[1])
	}}
}

// slopes returns the slopes of the lines between points, and 0 for the last.
func slopes(points []float32) []float32 {
	s := make([]float32, len(points)/2)
	for i := range len(s) - 1 {
		p := points[2*i:]
		s[i] = (p[3] - p[1]) / (p[2] - p[0])
	}
	return s
}

// tangents returns the slopes of a spline at its points (Fritsch, Butland 1984; package field, curves.go).
func tangents(points []float32) []float32 {
	s := slopes(points)
	t := make([]float32, len(s))
	for i := 1; i < len(s)-1; i++ {
		a, b := s[i-1], s[i]
		if float32(a*b) <= 0 {
			continue
		}
		before, after := points[2*i]-points[2*i-2], points[2*i+2]-points[2*i]
		wa, wb := before+float32(2*after), float32(2*before)+after
		t[i] = (wa + wb) / (wa/a + wb/b)
	}
	return t
}

// addNoise adds noise: of each kind four, over x and z and in space, as it is and warped.
func addNoise(f map[graph.Kind]*form) {
	files := []string{"value", "gradient", "simplex", "cellular", "cellular"}
	for i, name := range []string{"value", "gradient", "simplex", "cellular", "edges"} {
		kind, first := noise.Value+noise.Kind(i), graph.KindValue2+4*graph.Kind(i)
		for j := range 4 {
			dims, warped := 2+j%2, j >= 2
			form := &form{parts: []string{"number", "noise", files[i]}, ints: 5 + dims - 1, floats: 1, flat: dims == 2}
			if warped {
				form.inputs = dims
			}
			form.write = func(e *expression) error {
				return e.noise(name+decimal(dims)+"_noise", kind, dims, warped)
			}
			f[first+graph.Kind(j)] = form
		}
	}
}

// A Fallback is a kind of node that only the processor computes.
type Fallback struct {
	Kind   graph.Kind
	Reason string
}

// Fallbacks returns the kinds that only the processor computes, with the reason.
func Fallbacks() []Fallback {
	var list []Fallback
	for _, s := range graph.Infos() {
		if why := reason(s.Kind); why != "" {
			list = append(list, Fallback{s.Kind, why})
		}
	}
	return list
}

// reason says why a kind falls back, "" if it does not.
func reason(k graph.Kind) string {
	switch {
	case k == graph.KindRough:
		return "it needs 64-bit floats: its hash is made of the last bits of a sine"
	case k == graph.KindVolume:
		return "its samples are not brought to the GPU yet"
	case k == graph.KindField:
		return "it is a program of its own"
	case formOf(k) == nil:
		return "no shader is written for it yet"
	}
	return ""
}

// ErrUnsupported is wrapped by the errors of Supported and Generate about nodes that only the processor computes.
var ErrUnsupported = errors.New("gpu: only the processor computes this graph")

// Supported returns nil if every node that the density of g needs can be written as a shader; otherwise an error
// that names those that cannot, with the reason. g must be a graph that field.Compile accepts.
func Supported(g *graph.Graph) error {
	if len(g.Nodes) == 0 {
		return errors.New("gpu: the graph has no nodes")
	}
	needed := make([]bool, len(g.Nodes))
	needed[len(g.Nodes)-1] = true
	var bad []string
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		n := &g.Nodes[i]
		if !needed[i] {
			continue
		}
		why := reason(n.Kind)
		if why == "" {
			why = formOf(n.Kind).lacks(n, i)
		}
		if why != "" {
			bad = append(bad, fmt.Sprintf("node %d (%v): %s", i, n.Kind, why))
			continue
		}
		reads := dependsOn(n)
		if n.Kind == graph.KindSlope {
			reads = n.Inputs
		}
		for _, k := range reads {
			needed[k] = true
		}
	}
	slices.Reverse(bad)
	if bad != nil {
		return fmt.Errorf("%w: %s", ErrUnsupported, strings.Join(bad, "; "))
	}
	return nil
}

// lacks says what node i lacks to be written at all, "" for every node that compiles.
func (f *form) lacks(n *graph.Node, i int) string {
	if len(n.Inputs) != f.inputs || len(n.Ints) < f.ints || len(n.Floats) < f.floats || n.Version != 1 {
		return fmt.Sprintf("it has %d inputs, %d integers, %d floats and version %d, want %d, %d, %d and 1",
			len(n.Inputs), len(n.Ints), len(n.Floats), n.Version, f.inputs, f.ints, f.floats)
	}
	for _, k := range n.Inputs {
		if k >= uint32(i) {
			return fmt.Sprintf("its input is node %d, want an earlier one", k)
		}
	}
	return ""
}
