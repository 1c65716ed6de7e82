package document

import "github.com/terrane/terrane/graph"

func arithmeticOperations() []operation {
	const group = "Arithmetic"
	least := func(c *call, a, b graph.Ref, _ float32) graph.Ref {
		return c.b.Add(graph.Node{Kind: graph.KindIntersection}, a, b)
	}
	most := func(c *call, a, b graph.Ref, _ float32) graph.Ref {
		return c.b.Add(graph.Node{Kind: graph.KindUnion}, a, b)
	}
	return []operation{
		{name: "add", group: group, example: "{add: [hills, bumps, 3]}", about: "The sum of all of them.",
			head: inputs("", 2, maxInputs, "two nodes or more"), build: buildAdd},
		{name: "subtract", group: group, example: "{subtract: [hills, bumps]}", about: "The first less the second.",
			head: inputs("", 2, 2, "two nodes"), build: buildSubtract},
		{name: "multiply", group: group, example: "{multiply: [bumps, rugged]}", about: "The product of all of them.",
			head: inputs("", 2, maxInputs, "two nodes or more"), build: buildMultiply},
		{name: "scale", group: group, example: "{scale: bumps, by: 38, plus: 12}", about: "A node times a number, plus a number.",
			head:   input("", "the node"),
			params: []param{anyNumber("by", "", "1", "the factor"), anyNumber("plus", "", "0", "what is added")}},
		{name: "abs", group: group, example: "{abs: bumps}", about: "The node without its sign.",
			head: input("", "the node")},
		foldOf("min", group, "{min: [hills, 40]}", "The least of them.", false, least),
		foldOf("max", group, "{max: [hills, 0]}", "The greatest of them.", false, most),
		{name: "clamp", group: group, example: "{clamp: hills, low: -10, high: 60}", about: "The node, clamped to a range.",
			head:   input("", "the node"),
			params: []param{anyNumber("low", "", "", "the least it can be"), anyNumber("high", "", "", "the most it can be")},
			check:  checkOrder},
		{name: "hypot", group: group, example: "{hypot: [x, z]}", about: "The distance from 0 of a point with two coordinates: √(a² + b²).",
			head: inputs("", 2, 2, "two nodes"),
			build: func(c *call) graph.Ref {
				r := c.refs("hypot")
				return c.b.Hypot(r[0], r[1])
			}},
		{name: "mix", group: group, example: "{mix: [plains, hills], by: rugged}", about: "Between two nodes: the first where the third is 0, the second where it is 1.",
			head: inputs("", 2, 2, "two nodes"), params: []param{input("by", "the share of the second, 0 to 1")},
			build: func(c *call) graph.Ref {
				r := c.refs("mix")
				return c.b.Mix(r[0], r[1], c.ref("by"))
			}},
		{name: "select", group: group, example: "{select: steepness, threshold: 0.9, under: grass, over: rock}",
			about: "One of two nodes or materials: the first where a node is under a threshold, else the second.",
			head:  input("", "the node that decides"),
			params: []param{anyNumber("threshold", "", "", "where it changes"),
				{name: "under", kind: nodeParam, material: true, about: "what it is under the threshold"},
				{name: "over", kind: nodeParam, material: true, about: "what it is at the threshold and over it"}},
			build: func(c *call) graph.Ref {
				under, over, by := c.ref("under"), c.ref("over"), c.ref("select")
				return c.b.Select(under, over, by, c.f32("threshold"))
			}},
		{name: "bands", group: group, example: "{bands: y, of: [sand, 3, grass, 60, rock]}",
			about: "One of many nodes or materials, by where a node lies between thresholds.",
			head:  input("", "the node that decides"),
			params: []param{{name: "of", kind: bandsParam, lo: -huge, hi: huge, count: [2]int{3, 2*maxInputs - 1}, material: true,
				about: "nodes with the ascending thresholds between them"}},
			build: buildBands},
	}
}

// checkOrder reports a low that is over high.
func checkOrder(c *checker, n *node) {
	low, high := n.args["low"], n.args["high"]
	if low.given && high.given && !(low.f32() <= high.f32()) {
		c.At(high.Span, "high is %s, under low, which is %s", high.nums[0], low.nums[0])
	}
}

// checkRise reports a low that is not under high.
func checkRise(c *checker, n *node) {
	low, high := n.args["low"], n.args["high"]
	if low.given && high.given && !(high.f32()-low.f32() >= tiny) {
		c.At(high.Span, "high is %s; it must be at least %v over low, which is %s", high.nums[0], tiny, low.nums[0])
	}
}

// buildAdd folds numbers that stand in the list itself into the sum: a number is a term of a scale, not a node.
func buildAdd(c *call) graph.Ref {
	return c.fold("add", func(r graph.Ref, v float32) graph.Ref { return c.b.Scale(r, 1, v) },
		func(a, b graph.Ref) graph.Ref { return c.b.Sum(a, b) })
}

func buildMultiply(c *call) graph.Ref {
	return c.fold("multiply", func(r graph.Ref, v float32) graph.Ref { return c.b.Scale(r, v, 0) },
		func(a, b graph.Ref) graph.Ref { return c.b.Multiply(a, b) })
}

// fold combines a list from left to right, its numbers last. Both ways of combining commute.
func (c *call) fold(name string, number func(r graph.Ref, v float32) graph.Ref, two func(a, b graph.Ref) graph.Ref) graph.Ref {
	var r graph.Ref
	var numbers []float32
	have := false
	for _, e := range c.args[name].exprs {
		switch {
		case e.kind == exprNumber:
			numbers = append(numbers, e.number.F32())
		case !have:
			r, have = c.emit(e), true
		default:
			r = two(r, c.emit(e))
		}
	}
	for _, v := range numbers {
		if !have {
			r, have = c.b.Constant(v), true
			continue
		}
		r = number(r, v)
	}
	return r
}

func buildSubtract(c *call) graph.Ref {
	a, b := c.args["subtract"].exprs[0], c.args["subtract"].exprs[1]
	switch {
	case b.kind == exprNumber && a.kind != exprNumber:
		return c.b.Scale(c.emit(a), 1, 0-b.number.F32())
	case a.kind == exprNumber && b.kind != exprNumber:
		return c.b.Scale(c.emit(b), -1, a.number.F32())
	}
	x, y := c.emit(a), c.emit(b)
	return c.b.Subtract(x, y)
}

// buildBands makes selects in each other, the last band innermost.
func buildBands(c *call) graph.Ref {
	of := c.args["of"]
	by := c.ref("bands")
	refs := make([]graph.Ref, len(of.exprs))
	for i, e := range of.exprs {
		refs[i] = c.emit(e)
	}
	r := refs[len(refs)-1]
	for i := len(refs) - 2; i >= 0; i-- {
		r = c.b.Select(refs[i], r, by, of.nums[i].F32())
	}
	return r
}

func curveOperations() []operation {
	const group = "Curves"
	curve := func(name, about string, add func(b *graph.Builder, x graph.Ref, points ...float32) graph.Ref) operation {
		return operation{name: name, group: group, example: "{" + name + ": bumps, points: [[-0.5, -12], [0, 0], [0.6, 40]]}", about: about,
			head: input("", "the node"), params: []param{points}, check: checkPoints,
			build: func(c *call) graph.Ref {
				return add(c.b, c.ref(name), c.vector("points")...)
			}}
	}
	return []operation{
		curve("curve", "A function of a node: straight lines through points, level beyond both ends.", (*graph.Builder).Curve),
		curve("spline", "A function of a node: a smooth line through points that overshoots none, level beyond both ends.", (*graph.Builder).Spline),
		{name: "smoothstep", group: group, example: "{smoothstep: bumps, low: -0.2, high: 0.4}", about: "A smooth rise from 0, where the node is low, to 1, where it is high.",
			head:   input("", "the node"),
			params: []param{anyNumber("low", "", "", "where it is 0"), anyNumber("high", "", "", "where it is 1")},
			check:  checkRise},
		{name: "remap", group: group, example: "{remap: bumps, from: [-1, 1], to: [0, 40]}", about: "A node stretched from one range to another, and beyond both ends as well.",
			head: input("", "the node"),
			params: []param{vector("from", "", 2, -huge, huge, "", "two of its values"),
				vector("to", "", 2, -huge, huge, "", "what they become")},
			check: func(c *checker, n *node) {
				if from := n.args["from"]; len(from.nums) == 2 && from.nums[0].F32() == from.nums[1].F32() {
					c.At(from.Span, "both ends of the range are %s; they must differ", from.nums[0])
				}
			},
			build: func(c *call) graph.Ref {
				from, to := c.args["from"].nums, c.args["to"].nums
				by := (to[1].F64() - to[0].F64()) / (from[1].F64() - from[0].F64())
				return c.b.Scale(c.ref("remap"), float32(by), float32(to[0].F64()-from[0].F64()*by))
			}},
		{name: "terrace", group: group, example: "{terrace: hills, step: 8, rise: 0.3}", about: "Slopes turned into steps.",
			head: input("", "the node"),
			params: []param{length("step", "", "height of a step"),
				num("rise", "", 0, 1, "0.25", "share of a step that rises: 0 makes cliffs, 1 leaves the slope as it is")}},
		{name: "bump", group: group, example: "{bump: surface, width: 30}", about: "1 where the node is 0, falling smoothly to 0 where it is the width away from it.",
			head: input("", "the node"), params: []param{length("width", "", "where it has become 0")}},
	}
}

// checkPoints reports points whose x do not ascend.
func checkPoints(c *checker, n *node) {
	p := n.args["points"]
	for i := 2; i+1 < len(p.nums); i += 2 {
		if !(p.nums[i].F32()-p.nums[i-2].F32() >= tiny) {
			c.At(p.nums[i].Span, "x is %s after %s; it must be at least %v more", p.nums[i], p.nums[i-2], tiny)
		}
	}
}

func fileOperations() []operation {
	return []operation{
		{name: "heightmap", group: "Files", example: "{heightmap: alps, scale: 0.1}",
			about: "The height in meters of a file, its middle at x = z = 0, endless by repeating its edges.",
			head:  param{kind: assetParam, about: "the name of an asset"},
			params: []param{
				num("scale", "", 1e-4, 1e4, "1", "shrinks or enlarges the landscape in all directions"),
				{name: "spacing", kind: periodParam, unit: "m", lo: tiny, hi: 1e6, count: [2]int{1, 2}, optional: true, about: "meters between samples along x and z, instead of what the asset says times scale"},
				{name: "by", kind: numberParam, lo: -1e6, hi: 1e6, optional: true, about: "factor of the heights, instead of scale"},
				num("plus", "m", -1e6, 1e6, "0", "what is added to the heights")},
			build: buildHeightmap},
		{name: "volume", group: "Files", example: "{volume: scan, iso: 128, by: 0.05, at: [0, 40, 0]}",
			about: "The solid in a box of numbers in space, a scan or a simulation: where they are over a level.",
			head:  param{kind: assetParam, about: "the name of an asset"},
			params: []param{placed,
				{name: "spacing", kind: vectorParam, unit: "m", lo: tiny, hi: huge, count: [2]int{3, 3}, optional: true, about: "meters between samples along x, y, z, instead of what the asset says"},
				anyNumber("iso", "", "0", "the level at which its surface lies"),
				{name: "by", kind: numberParam, lo: -1e6, hi: 1e6, def: "1", about: "meters of depth for each step of the numbers over the level; below 0 the solid is where they are under it"},
				anyNumber("plus", "m", "0", "moves the surface out"),
				rotated, stretched, repeated},
			build: buildVolume},
	}
}

func buildVolume(c *call) graph.Ref {
	a := c.asset("volume")
	anchor, offset := c.place("at")
	spacing := []float32{float32(a.MetersX), float32(a.MetersY), float32(a.MetersZ)}
	if c.given("spacing") {
		spacing = c.vector("spacing")
	}
	term := c.f32("plus")
	if iso := c.f64("iso"); iso != 0 {
		term = float32(c.f64("plus") - iso*c.f64("by"))
	}
	floats := append(append(offset, spacing...), c.f32("by"), term)
	return c.solid(graph.Node{Kind: graph.KindVolume, Ints: anchor, Floats: floats, Asset: a.Hash})
}

func buildHeightmap(c *call) graph.Ref {
	a := c.asset("heightmap")
	scale := c.f64("scale")
	x, z := a.MetersX*scale, a.MetersZ*scale
	if s := c.args["spacing"]; s.given {
		x, z = s.nums[0].F64(), s.nums[len(s.nums)-1].F64()
	}
	by := float32(scale)
	if c.given("by") {
		by = c.f32("by")
	}
	return c.b.Heightmap(a.Hash, x, z, by, c.f32("plus"))
}

func materialOperations() []operation {
	const group = "For materials"
	return []operation{
		{name: "slope", group: group, example: "{slope: hills}",
			about: "The steepness of a height, as rise over run: 1 is 45 degrees. The height must not depend on y.",
			head:  input("", "the height, in meters")},
		{name: "saw", group: group, example: "{saw: y, period: 6}",
			about: "How far a node is past the last multiple of a period: strata, where it is a height.",
			head:  input("", "the node"), params: []param{length("period", "", "from one to the next")}},
	}
}
