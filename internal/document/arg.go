package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terrane/terrane/internal/document/syntax"
)

// arg reads one parameter of n from its mapping.
func (c *checker) arg(n *node, v *syntax.Value, p *param) {
	a := &arg{Span: n.Span, param: p}
	n.args[p.name] = a
	c.doc.Seeded = c.doc.Seeded || p.kind == seedParam
	part := v.Find(p.name)
	if part == nil {
		switch {
		case p.def != "":
			c.defaults(a, p)
		case p.required() && !slices.Contains(n.meant, p.name):
			c.At(n.Span, "%s needs %q: %s", n.op.name, p.name, p.about).Suggest("like %s", n.op.example)
		}
		return
	}
	a.Span, a.given = part.Span, true
	if part.Shape == syntax.Nothing {
		c.At(part.Span, "%s has no value: %s", p.name, p.about).Suggest("like %s", n.op.example)
		return
	}
	paramReaders[p.kind](c, a, part, join(n.path, p.name))
	if len(a.nums)+len(a.ints)+len(a.exprs)+len(a.anchor) == 0 && a.word == "" {
		c.defaults(a, p) // something is wrong with it and was reported
	}
}

// paramReaders read the value of a parameter of each kind; path is where the value stands, for nodes in it. It is filled
// by init, since reading a node leads back to it.
var paramReaders [rotationParam + 1]func(c *checker, a *arg, v *syntax.Value, path string)

func init() {
	type reader = func(c *checker, a *arg, v *syntax.Value, path string)
	plain := func(read func(c *checker, a *arg, v *syntax.Value)) reader {
		return func(c *checker, a *arg, v *syntax.Value, _ string) { read(c, a, v) }
	}
	paramReaders = [...]reader{
		numberParam:   plain((*checker).numberArg),
		wholeParam:    plain((*checker).wholeArg),
		seedParam:     plain((*checker).seedArg),
		wordParam:     plain(func(c *checker, a *arg, v *syntax.Value) { a.word, _ = c.oneOf(v, a.param) }),
		nodeParam:     (*checker).nodeArg,
		nodesParam:    (*checker).exprs,
		vectorParam:   plain((*checker).vector),
		placeParam:    plain((*checker).place),
		periodParam:   plain(func(c *checker, a *arg, v *syntax.Value) { a.nums = c.numbers(v, a.param) }),
		pointsParam:   plain((*checker).points),
		bandsParam:    (*checker).bands,
		assetParam:    plain((*checker).assetName),
		rotationParam: plain((*checker).rotation),
	}
}

func (c *checker) numberArg(a *arg, v *syntax.Value) {
	if f, ok := c.ranged(v, a.param); ok {
		a.nums = []syntax.Number{f}
	}
}

func (c *checker) wholeArg(a *arg, v *syntax.Value) {
	p := a.param
	if i, ok := c.whole(v, p.name, p.unit, p.lo, p.hi); ok {
		a.ints = []int64{i}
	}
}

func (c *checker) seedArg(a *arg, v *syntax.Value) {
	if i, ok := c.integer(v, a.param.name); ok {
		a.ints = []int64{i}
	}
}

func (c *checker) nodeArg(a *arg, v *syntax.Value, path string) {
	if e := c.expr(v, path); e != nil {
		a.exprs = []*expr{e}
	}
}

// join returns the path of a part.
func join(path, part string) string { return path + "." + part }

// defaults sets a parameter that was left out.
func (c *checker) defaults(a *arg, p *param) {
	switch p.kind {
	case numberParam:
		a.nums = []syntax.Number{{Span: a.Span, Text: p.def}}
		if p.def == "" {
			a.nums[0].Text = "0"
		}
	case wholeParam, seedParam:
		n := syntax.Number{Text: p.def}
		a.ints = []int64{int64(n.F64())}
	case wordParam:
		a.word = p.def
	case placeParam:
		n := max(p.count[0], 1)
		if n == 1 && p.count[0] == 0 {
			n = 3
		}
		a.anchor, a.offset = make([]int64, n), make([]float32, n)
	}
}

// exprs reads a list of nodes.
func (c *checker) exprs(a *arg, v *syntax.Value, path string) {
	p := a.param
	if v.Shape != syntax.List {
		c.At(v.Span, "%s is a list of nodes, not %s", p.name, v.Describe()).Suggest("like %s: [one, another]", p.name)
		return
	}
	if n := len(v.Items); n < p.count[0] || n > p.count[1] {
		c.At(v.Span, "%s takes %s nodes, not %d", p.name, countOf(p.count), n)
		return
	}
	for i, item := range v.Items {
		if e := c.expr(item, fmt.Sprintf("%s[%d]", path, i)); e != nil {
			a.exprs = append(a.exprs, e)
		}
	}
}

// countOf says how many things a list may hold.
func countOf(count [2]int) string {
	if count[0] == count[1] {
		return fmt.Sprint(count[0])
	}
	return fmt.Sprintf("%d to %d", count[0], count[1])
}

// vector reads a list of numbers; of whole numbers for repetitions.
func (c *checker) vector(a *arg, v *syntax.Value) {
	a.nums = c.numbers(v, a.param)
	if a.param.name != "repeat" {
		return
	}
	for i, n := range a.nums {
		if f := n.F64(); f != float64(int64(f)) {
			c.At(v.Items[i].Span, "repeat is whole meters, not %s", n)
		}
		a.ints = append(a.ints, int64(n.F64()))
	}
}

// place reads a place: numbers in decimal, or whole meters and the rest apart.
func (c *checker) place(a *arg, v *syntax.Value) {
	p := *a.param
	if p.count[0] == 0 {
		p.count = [2]int{3, 3}
	}
	n := p.count[0]
	if v.Shape != syntax.Mapping {
		for _, d := range c.numbers(v, &p) {
			whole, rest := d.Split()
			a.anchor, a.offset = append(a.anchor, whole), append(a.offset, rest)
		}
		return
	}
	if !c.keys(v, p.name, "anchor", "offset") {
		return
	}
	a.anchor, a.offset = make([]int64, n), make([]float32, n)
	if part := v.Find("anchor"); part != nil {
		q := p
		q.name = "anchor"
		for i, d := range c.numbers(part, &q) {
			if f := d.F64(); f != float64(int64(f)) {
				c.At(d.Span, "anchor is whole meters, not %s; the rest belongs into offset", d)
			}
			a.anchor[i] = int64(d.F64())
		}
	}
	if part := v.Find("offset"); part != nil {
		q := p
		q.name, q.lo, q.hi = "offset", -huge, huge
		for i, d := range c.numbers(part, &q) {
			a.offset[i] = d.F32()
		}
	}
}

// points reads pairs of numbers.
func (c *checker) points(a *arg, v *syntax.Value) {
	p := a.param
	if v.Shape != syntax.List || len(v.Items) < p.count[0] || len(v.Items) > p.count[1] {
		c.At(v.Span, "%s is a list of %s [x, y] pairs, not %s", p.name, countOf(p.count), v.DescribeList())
		return
	}
	for _, item := range v.Items {
		if item.Shape != syntax.List || len(item.Items) != 2 {
			c.At(item.Span, "a point is a pair of numbers, [x, y], not %s", item.DescribeList())
			continue
		}
		for i, at := range item.Items {
			q := *p
			q.name = string("xy"[i])
			if n, ok := c.ranged(at, &q); ok {
				a.nums = append(a.nums, n)
			}
		}
	}
}

// bands reads nodes with numbers between them.
func (c *checker) bands(a *arg, v *syntax.Value, path string) {
	p := a.param
	if n := len(v.Items); v.Shape != syntax.List || n < p.count[0] || n > p.count[1] || n%2 == 0 {
		c.At(v.Span, "%s is a list of nodes with thresholds between them, an odd number of things from %d to %d, not %s",
			p.name, p.count[0], p.count[1], v.DescribeList()).Suggest("like %s: [sand, 3, grass, 60, rock]", p.name)
		return
	}
	for i, item := range v.Items {
		if i%2 == 0 {
			if e := c.expr(item, fmt.Sprintf("%s[%d]", path, i)); e != nil {
				a.exprs = append(a.exprs, e)
			}
			continue
		}
		q := *p
		q.name = "a threshold"
		n, ok := c.ranged(item, &q)
		if !ok {
			continue
		}
		if k := len(a.nums); k > 0 && !(n.F32() > a.nums[k-1].F32()) {
			c.At(item.Span, "the threshold %s follows %s; thresholds ascend", n, a.nums[k-1])
		}
		a.nums = append(a.nums, n)
	}
}

// assetName reads the name of an asset.
func (c *checker) assetName(a *arg, v *syntax.Value) {
	var names []string
	for _, s := range c.doc.Assets {
		names = append(names, s.Name)
	}
	if v.Shape != syntax.Scalar {
		c.At(v.Span, "%s is the name of an asset, not %s", a.param.name, v.Describe())
		return
	}
	if c.broken[v.Text] {
		return
	}
	if !slices.Contains(names, v.Text) {
		p := c.At(v.Span, "there is no asset %q%s", syntax.Shorten(v.Text), c.DidYouMean(v.Text, func() []string { return names }))
		if strings.ContainsAny(v.Text, "./") {
			p.Suggest("a file gets a name first: assets: {ground: %s}, and then heightmap: ground", v.Text)
		}
		return
	}
	a.word = v.Text
	s := &c.doc.Assets[slices.Index(names, v.Text)]
	use := Heightmap
	if a.param.name == "volume" {
		use = Volume
	}
	if s.Use != Unused && s.Use != use {
		c.At(v.Span, "the asset %q is a %v on another line, and here a %v", s.Name, s.Use, use).Suggest("give the file two names under assets")
	}
	s.Use = use
}

// rotation reads degrees about y, about x, z and y, or a quaternion.
func (c *checker) rotation(a *arg, v *syntax.Value) {
	zero := syntax.Number{Span: v.Span, Text: "0"}
	if v.Shape != syntax.Mapping {
		if n, ok := c.ranged(v, a.param); ok {
			a.nums = []syntax.Number{zero, zero, n}
		}
		return
	}
	if q := v.Find("quaternion"); q != nil && len(v.Pairs) == 1 {
		a.quaternion = true
		a.nums = c.numbers(q, &param{name: "quaternion", lo: -1e3, hi: 1e3, count: [2]int{4, 4}})
		return
	}
	if !c.keys(v, "turn", "x", "z", "y") {
		return
	}
	for _, axis := range []string{"x", "z", "y"} {
		n := zero
		if part := v.Find(axis); part != nil {
			p := *a.param
			p.name = axis
			n, _ = c.ranged(part, &p)
		}
		a.nums = append(a.nums, n)
	}
}
