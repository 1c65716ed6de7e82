package document

import (
	"slices"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
	"github.com/terrane/terrane/template"
)

// shapeOf returns an operation for a shape: its nodes have an anchor and ints, an offset and floats.
func shapeOf(kind graph.Kind, name, example, about string, head param, params []param, ints func(c *call) []int64, floats func(c *call) []float32) operation {
	return operation{name: name, group: "Shapes", example: example, about: about, head: head,
		params: slices.Concat([]param{placed}, params, []param{rotated, stretched, repeated}),
		build: func(c *call) graph.Ref {
			anchor, offset := c.place("at")
			n := graph.Node{Kind: kind, Ints: anchor, Floats: append(offset, floats(c)...)}
			if ints != nil {
				n.Ints = append(n.Ints, ints(c)...)
			}
			return c.solid(n)
		}}
}

// solid adds a shape with its repetition, its rotation and its stretch.
func (c *call) solid(n graph.Node) graph.Ref {
	if c.given("repeat") {
		n.Ints = append(n.Ints, c.ints("repeat")...)
	}
	var err error
	if c.given("stretch") {
		s := c.vector("stretch")
		n, err = n.Stretched(geom.Vec3{X: s[0], Y: s[1], Z: s[2]})
	}
	if c.given("turn") && err == nil {
		n, err = c.rotated(n)
	}
	if err != nil {
		c.problems.At(c.node.Span, "%v", err)
	}
	return c.b.Add(n)
}

// rotated returns a shape rotated as its node has it: by a quaternion, or by angles about x, z and then y.
func (c *call) rotated(n graph.Node) (graph.Node, error) {
	t := c.args["turn"]
	if t.quaternion {
		return n.Oriented([4]float32(c.vector("turn")))
	}
	for i, axis := range []geom.Vec3{{X: 1}, {Z: 1}, {Y: 1}} {
		degrees := t.nums[i].F64()
		if degrees == 0 {
			continue
		}
		var err error
		if n, err = n.Rotated(axis, degrees); err != nil {
			return n, err
		}
	}
	return n, nil
}

func shapeOperations() []operation {
	vec := func(name string) func(c *call) []float32 { return func(c *call) []float32 { return c.vector(name) } }
	sizes := func(c *call) []float32 {
		v := c.vector("box")
		for i := range v {
			v[i] /= 2
		}
		return append(v, c.f32("edge"))
	}
	slab := operation{name: "slab", group: "Shapes", example: "{slab: 8, at: -4}",
		about:  "A level layer without end.",
		head:   num("", "m", 2*tiny, 2*huge, "", "its thickness"),
		params: []param{{name: "at", kind: placeParam, unit: "m", lo: -limit, hi: limit, count: [2]int{1, 1}, def: "0", about: "height of its middle"}},
		build: func(c *call) graph.Ref {
			anchor, offset := c.place("at")
			return c.b.Add(graph.Node{Kind: graph.KindSlab, Ints: anchor[:1], Floats: []float32{offset[0], c.f32("slab") / 2}})
		}}
	return []operation{
		shapeOf(graph.KindBall, "ball", "{ball: 10, at: [0, 16, 0]}", "A ball.", length("", "", "radius"), nil, nil,
			func(c *call) []float32 { return []float32{c.f32("ball")} }),
		shapeOf(graph.KindBox, "box", "{box: [10, 4, 6], at: [0, 2, 0], edge: 0.5}", "A box, its edges rounded if they have a radius.",
			vector("", "m", 3, 2*tiny, 2*huge, "", "its size along x, y, z"),
			[]param{num("edge", "m", 0, huge, "0", "radius of its edges")}, nil, sizes),
		shapeOf(graph.KindCapsule, "capsule", "{capsule: 3, at: [0, 5, 0], along: [20, 4, 0]}", "A ball swept along a line.",
			length("", "", "radius"), []param{vector("along", "m", 3, -huge, huge, "", "from the start to the end of the line: x, y, z")}, nil,
			func(c *call) []float32 { return append(c.vector("along"), c.f32("capsule")) }),
		shapeOf(graph.KindCylinder, "cylinder", "{cylinder: 8, axis: z, at: [0, 16, 0]}", "An endless cylinder; intersect it to cut it.",
			length("", "", "radius"), []param{word("axis", "y", "the axis that it runs along", syntax.AxisNames...)},
			func(c *call) []int64 { return []int64{int64(slices.Index(syntax.AxisNames, c.word("axis")))} },
			func(c *call) []float32 { return []float32{c.f32("cylinder")} }),
		shapeOf(graph.KindCone, "cone", "{cone: 12, height: 30, at: [0, 30, 0]}", "An upright cone; it is placed by its tip.",
			length("", "", "radius of its base"), []param{length("height", "", "from base to tip")}, nil,
			func(c *call) []float32 { return []float32{c.f32("height"), c.f32("cone")} }),
		shapeOf(graph.KindTorus, "torus", "{torus: 20, tube: 4, at: [0, 10, 0]}", "A level ring.",
			length("", "", "radius of the ring, to the middle of its tube"), []param{length("tube", "", "radius of the tube")}, nil,
			func(c *call) []float32 { return []float32{c.f32("torus"), c.f32("tube")} }),
		shapeOf(graph.KindEllipsoid, "ellipsoid", "{ellipsoid: [20, 8, 12]}", "A ball stretched along the axes.",
			vector("", "m", 3, tiny, huge, "", "radii along x, y, z"), nil, nil, vec("ellipsoid")),
		shapeOf(graph.KindPlane, "plane", "{plane: [1, 2, 0], at: [0, 5, 0]}", "Everything on one side of a plane.",
			vector("", "", 3, -huge, huge, "", "the direction out of the solid; its length does not matter"), nil, nil, vec("plane")),
		slab,
	}
}

// foldOf returns an operation on two solids and more, from left to right.
func foldOf(name, group, example, about string, smoothed bool, fold func(c *call, a, b graph.Ref, k float32) graph.Ref) operation {
	o := operation{name: name, group: group, example: example, about: about,
		head: inputs("", 2, maxInputs, "two nodes or more")}
	if smoothed {
		o.params = []param{smooth}
	}
	o.build = func(c *call) graph.Ref {
		k := float32(-1)
		if smoothed && c.given("smooth") {
			k = c.f32("smooth")
		}
		refs := c.refs(name)
		r := refs[0]
		for _, next := range refs[1:] {
			r = fold(c, r, next, k)
		}
		return r
	}
	return o
}

func solidOperations() []operation {
	const group = "Solids together"
	return []operation{
		foldOf("union", group, "{union: [hill, tower], smooth: 3}", "Solid where any of them is.", true,
			func(c *call, a, b graph.Ref, k float32) graph.Ref { return c.set(graph.KindUnion, k, a, b) }),
		foldOf("intersection", group, "{intersection: [ball, slab]}", "Solid where all of them are.", true,
			func(c *call, a, b graph.Ref, k float32) graph.Ref { return c.set(graph.KindIntersection, k, a, b) }),
		foldOf("difference", group, "{difference: [rock, caves], smooth: 2.5}", "Solid where the first is and none of the others.", true,
			func(c *call, a, b graph.Ref, k float32) graph.Ref { return c.set(graph.KindDifference, k, a, b) }),
		{name: "displace", group: group, example: "{displace: caves, with: bumps, within: 4}",
			about: "A solid whose surface is moved out and in by a node, in meters; within some meters of the surface only, if that is given, which keeps the rest cheap.",
			head:  input("", "the solid"),
			params: []param{input("with", "how far the surface moves out, in meters"),
				{name: "within", kind: numberParam, unit: "m", lo: tiny, hi: huge, optional: true, about: "how far from the surface it has an effect"}},
			build: func(c *call) graph.Ref {
				solid, with := c.ref("displace"), c.ref("with")
				if c.given("within") {
					with = c.b.Multiply(c.b.Bump(solid, c.f32("within")), with)
				}
				return c.b.Sum(solid, with)
			}},
		{name: "tube", group: group, example: "{tube: line, height: 20, radius: 4}",
			about: "A winding tunnel: it runs where a node is 0, at a height. Subtract it from the ground.",
			head:  input("", "0 along the middle, changing by about 1 a meter beside it: noise times half its period"),
			params: []param{input("height", "height of the middle, in meters; it must not depend on y"),
				input("radius", "its radius, in meters; none where it is below 0")},
			build: func(c *call) graph.Ref {
				line, height, radius := c.ref("tube"), c.ref("height"), c.ref("radius")
				return c.tube(line, height, radius)
			}},
		{name: "caves", group: group, example: "{difference: [ground, {caves: hills}], smooth: 2}",
			about: "Winding tunnels under a height that come up to it here and there. Subtract them from the ground.",
			head:  input("", "the height of the ground, in meters"),
			params: []param{length("radius", "4", "mean radius of the tunnels"), length("depth", "16", "usual depth of their middle"),
				num("period", "m", 16, longest, "130", "how far apart they are"),
				num("walls", "m", 0, 100, "1.6", "how far rock sticks out of their walls"), own},
			build: func(c *call) graph.Ref {
				v := template.Caves{Ground: c.ref("caves"), Seed: c.seed(), Radius: c.f32("radius"), Depth: c.f32("depth"),
					Period: c.f64("period"), Walls: c.f32("walls")}
				if v.Walls == 0 {
					v.Walls = -1 // its word for none
				}
				return v.Add(c.b)
			}},
	}
}

// tube adds a tunnel along the line where a node is 0.
func (c *call) tube(line, height, radius graph.Ref) graph.Ref {
	return c.b.Subtract(radius, c.b.Hypot(line, c.b.Height(height)))
}

// set adds a set operation: the sharp kind if k is below 0, else the one with that blend radius.
func (c *call) set(sharp graph.Kind, k float32, a, b graph.Ref) graph.Ref {
	if k < 0 {
		return c.b.Add(graph.Node{Kind: sharp}, a, b)
	}
	return c.b.Add(graph.Node{Kind: sharp + graph.KindSmoothUnion - graph.KindUnion, Floats: []float32{k}}, a, b)
}
