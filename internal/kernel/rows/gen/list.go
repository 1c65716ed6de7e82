package main

// A kernel describes an operation on rows of samples, from which its loop in plain Go, its loop over vectors and the
// door that chooses between them are written.
type kernel struct {
	name string // exported
	doc  string // what the exported function does, after its name
	in   string // its rows, separated by spaces
	args string // its other arguments, as declared

	// Rows are of count samples, and an input may be one row that stands for all of them.
	rows bool
	// Rows lie at a height y, which is dy more in each; y in plain and yv in vector is that height.
	heights bool
	// It also sets some, by row, to bits that are 0 if all of the row's numbers are.
	some bool

	plain string // one element of dst, from elements of the inputs named like these

	// What does not change along a row, as vectors: "name=expression", separated by commas. zero comes by itself.
	constants string
	// The input whose vectors are loaded with the other sign. A statement for that would make the work too large to inline.
	negated string
	// Statements that end in an expression, a vector of dst: of the vectors that are named as inputs are, with a v behind.
	vector []string
	// The compiler finds the work on one vector too large to inline.
	large bool
}

var kernels = []kernel{
	{name: "Add", doc: "sets dst to a + b.", in: "a b", plain: "a + b", vector: []string{"av.Add(bv)"}},
	{name: "Subtract", doc: "sets dst to a − b.", in: "a b", plain: "a - b", vector: []string{"av.Sub(bv)"}},
	{name: "Multiply", doc: "sets dst to a·b.", in: "a b", plain: "scalar.Multiply(a, b)", vector: []string{"av.Mul(bv).Add(zero)"}},
	{name: "Larger", doc: "sets dst to the larger one of a and b.", in: "a b",
		plain: "scalar.Larger(a, b)", vector: []string{"selectLarger(av, bv)"}, large: true},
	{name: "Smaller", doc: "sets dst to the smaller one of a and b.", in: "a b",
		plain: "scalar.Smaller(a, b)", vector: []string{"selectSmaller(av, bv)"}, large: true},
	{name: "Difference", doc: "sets dst to the smaller one of a and −b.", in: "a b",
		plain: "scalar.Smaller(a, 0-b)", vector: []string{"selectSmaller(av, zero.Sub(bv))"}},
	{name: "SmoothMax", doc: "sets dst to the smooth maximum of a and b over a width of k.", in: "a b", args: "k float32",
		plain: "scalar.SmoothMax(a, b, k)", constants: "kv=k, fourK=4*k", vector: []string{
			"d := av.Sub(bv).IfElse(av.Greater(bv), bv.Sub(av))",
			"selectLarger(av, bv).Add(blend(d, kv, fourK)).Add(zero)",
		}},
	{name: "SmoothMin", doc: "sets dst to the smooth minimum of a and b over a width of k.", in: "a b", args: "k float32",
		plain: "scalar.SmoothMin(a, b, k)", constants: "kv=k, fourK=4*k", vector: []string{
			"d := bv.Sub(av).IfElse(av.Less(bv), av.Sub(bv))",
			"selectSmaller(av, bv).Sub(blend(d, kv, fourK)).Add(zero)",
		}},
	{name: "SmoothDifference", doc: "sets dst to the smooth minimum of a and −b over a width of k.", in: "a b", args: "k float32",
		plain: "scalar.SmoothMin(a, 0-b, k)", negated: "b", constants: "kv=k, fourK=4*k", vector: []string{
			"d := bv.Sub(av).IfElse(av.Less(bv), av.Sub(bv))",
			"selectSmaller(av, bv).Sub(blend(d, kv, fourK)).Add(zero)",
		}},
	{name: "Hypot", doc: "sets dst to √(a² + b²).", in: "a b",
		plain: "scalar.Hypot(a, b)", vector: []string{"av.Mul(av).Add(bv.Mul(bv)).Sqrt()"}},
	{name: "Mix", doc: "sets dst to a + (b − a)·t.", in: "a b t",
		plain: "scalar.Lerp(a, b, t) + 0", vector: []string{"av.Add(bv.Sub(av).Mul(tv)).Add(zero)"}},
	{name: "Scale", doc: "sets dst to factor·a + term.", in: "a", args: "factor, term float32",
		plain: "scalar.Scale(a, factor, term)", constants: "f=factor, c=term", vector: []string{"av.Mul(f).Add(c).Add(zero)"}},
	{name: "Abs", doc: "sets dst to |a|.", in: "a", plain: "scalar.Abs(a)", vector: []string{"av.Abs()"}},
	{name: "Clamp", doc: "sets dst to a clamped to [lo, hi].", in: "a", args: "lo, hi float32",
		plain: "scalar.Clamp(a, lo, hi)", constants: "low=lo, high=hi", vector: []string{"selectSmaller(selectLarger(av, low), high)"}},
	{name: "Smoothstep", doc: "sets dst to t²(3−2t) of t = (a − low)·inverse, clamped to [0, 1].", in: "a", args: "low, inverse float32",
		plain: "scalar.Smoothstep(a, low, inverse)", constants: "l=low, f=inverse, one=1, two=2, three=3", vector: []string{
			"t := selectSmaller(selectLarger(av.Sub(l).Mul(f), zero), one)",
			"t.Mul(t).Mul(three.Sub(two.Mul(t)))",
		}},
	{name: "Bump", doc: "sets dst to (1 − t²)² of t = a·inverse, 0 outside ±1.", in: "a", args: "inverse float32",
		plain: "scalar.Bump(a, inverse)", constants: "f=inverse, one=1", vector: []string{
			"t := av.Mul(f)",
			"v := selectLarger(one.Sub(t.Mul(t)), zero)",
			"v.Mul(v)",
		}},
	{name: "Saw", doc: "sets dst to a − period·⌊a/period⌋, 0 beyond scalar.FarTeeth periods.", in: "a", args: "period float32",
		plain: "scalar.Saw(a, period)", constants: "one=1, p=period, far=scalar.FarTeeth, near=-scalar.FarTeeth", vector: []string{
			"u := av.Div(p)",
			"u = u.IfElse(u.Less(far), far) // out of range a conversion differs between machines",
			"u = u.IfElse(u.Greater(near), near)",
			"k := u.ConvertToInt32().ConvertToFloat32()",
			"k = k.Sub(one).IfElse(k.Greater(u), k)",
			"v := selectSmaller(selectLarger(av.Sub(p.Mul(k)), zero), p)",
			"v = v.IfElse(u.Less(far), zero)",
			"v.IfElse(u.Greater(near), zero)",
		}, large: true},
	{name: "Displace", doc: "sets dst to a + weight·(factor·noise + term).", in: "a weight noise", args: "factor, term float32",
		plain: "a + scalar.Multiply(weight, scalar.Scale(noise, factor, term))", constants: "f=factor, c=term", vector: []string{
			"v := noisev.Mul(f).Add(c).Add(zero)",
			"av.Add(weightv.Mul(v).Add(zero))",
		}},
	{name: "Height", doc: "sets dst to height − y, y being dy more in each row of count.", in: "height", rows: true, heights: true,
		plain: "height - y", vector: []string{"heightv.Sub(yv)"}},
	{name: "Tube", doc: "sets dst to radius − √(line² + (height − y)²), y being dy more in each row of count.",
		in: "radius line height", rows: true, heights: true,
		plain: "radius - scalar.Hypot(line, height-y)", vector: []string{
			"h := heightv.Sub(yv)",
			"radiusv.Sub(linev.Mul(linev).Add(h.Mul(h)).Sqrt())",
		}},
	{name: "Select", doc: "sets dst to x where t is below the threshold, else to y.", in: "x y t", rows: true, args: "threshold float32",
		plain: "scalar.Select(x, y, t, threshold)", constants: "limit=threshold", vector: []string{"xv.IfElse(tv.Less(limit), yv)"}},
	{name: "Weight", doc: "sets dst to factor·(1 − t²)² of t = a·inverse, and some, by row, to bits that are 0 if the row's numbers are.",
		in: "a factor", rows: true, some: true, args: "inverse float32",
		plain: "scalar.Multiply(factor, scalar.Bump(a, inverse))", constants: "f=inverse, one=1", vector: []string{
			"t := av.Mul(f)",
			"v := selectLarger(one.Sub(t.Mul(t)), zero)",
			"factorv.Mul(v.Mul(v)).Add(zero)",
		}},
}
