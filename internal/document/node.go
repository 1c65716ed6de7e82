package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terrane/terrane/field"
)

// An exprKind says what stands where a node is read.
type exprKind uint8

const (
	exprNumber     exprKind = iota
	exprName                // a node's name
	exprMaterial            // a material's name
	exprCoordinate          // x, y or z
	exprDepth               // depth
	exprNode                // a node
)

// An expr is what stands where a node is read: a number, a name or a whole node.
type expr struct {
	span
	kind   exprKind
	number number
	name   string
	index  int // of the material or the axis
	node   *node
	to     *named // what a name means
	path   string // where it is, for people: the names of nodes and keys on the way to it
}

// A node is an operation with its parameters.
type node struct {
	span
	op   *operation
	args map[string]*arg // one for each parameter, given or not
	path string
	// meant are the parameters that misspelled keys most likely mean: that they are missing needs no saying.
	meant []string
}

// An arg is the value of a parameter.
type arg struct {
	span
	param *param
	given bool
	nums  []number
	ints  []int64
	word  string
	exprs []*expr
	// Of a place: whole meters and the rest.
	anchor []int64
	offset []float32
	// Of a turn: its numbers are a quaternion, else degrees about x, z and y.
	quaternion bool
}

func (a *arg) f32() float32 { return a.nums[0].f32() }
func (a *arg) int() int64   { return a.ints[0] }

// expr reads a node: a mapping, a name or a number. It returns nil if it is none.
func (c *checker) expr(v *value, path string) *expr {
	e := &expr{span: v.span, path: path}
	switch v.shape {
	case nothing:
		c.at(v.span, "%s has no value; a node is a mapping like %s, a name or a number", path, operationOf["noise"].example)
		return nil
	case list:
		c.at(v.span, "a node is a mapping like %s, a name or a number, not a list", operationOf["noise"].example)
		return nil
	case mapping:
		e.kind = exprNode
		if e.node = c.node(v, path); e.node == nil {
			return nil
		}
		e.span = e.node.span
		return e
	}
	// JSON has names and parameters in quotes only, so that quotes make no difference here.
	material := slices.ContainsFunc(c.doc.Materials, func(m field.Material) bool { return m.Name == v.text })
	if material || nameForm.MatchString(v.text) && !notFinite(v.text) {
		e.kind, e.name = exprName, v.text
		return e
	}
	if v.quoted && strings.HasPrefix(v.text, "$") {
		v = &value{shape: scalar, span: v.span, text: v.text}
	}
	if _, ok := v.isParameter(); !ok && !v.quoted {
		if _, wrong := parseNumber(v.text); strings.HasSuffix(wrong, "is no number") {
			p := c.at(v.span, "%s reads a node: a name, a number or a mapping like %s; %q is none of these", lastOf(path), operationOf["noise"].example, shorten(v.text))
			if strings.ContainsAny(v.text, "+*/()") {
				p.hint("formulas come later; there are add, subtract, multiply and scale")
			}
			return nil
		}
	}
	n, ok := c.number(v, lastOf(path))
	if !ok {
		return nil
	}
	if f := n.f64(); f < -huge || f > huge {
		c.at(v.span, "the number %s is outside %s … %s", n, limitText(-huge), limitText(huge))
		return nil
	}
	e.kind, e.number = exprNumber, n
	return e
}

// notFinite reports whether a name is one of those that numbers without a value have.
func notFinite(s string) bool {
	return slices.Contains([]string{"inf", "nan", "infinity"}, strings.ToLower(s))
}

// lastOf returns the last word of a path.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// node reads a node's mapping.
func (c *checker) node(v *value, path string) *node {
	o := c.operation(v)
	if o == nil {
		return nil
	}
	n := &node{span: v.span, op: o, args: map[string]*arg{}, path: path}
	for _, p := range v.pairs {
		if p.key == o.name {
			n.span = p.at
			continue
		}
		names := o.paramNames()
		if !slices.Contains(names, p.key) {
			if len(names) == 0 {
				c.at(p.at, "%s has no parameter %q; it has none", o.name, p.key)
				continue
			}
			q := c.at(p.at, "%s has no parameter %q%s", o.name, p.key, meaning(p.key, names))
			if digits(p.key) {
				q.hint("decimals have a point: 3.5, not 3,5")
			}
			n.meant = append(n.meant, suggest(p.key, names))
		}
	}
	good := len(c.list)
	c.arg(n, v, &o.head)
	for i := range o.params {
		c.arg(n, v, &o.params[i])
	}
	if o.check != nil && len(c.list) == good {
		o.check(c, n)
	}
	return n
}

// paramNames returns the names of the parameters beside the head.
func (o *operation) paramNames() []string {
	var names []string
	for _, p := range o.params {
		names = append(names, p.name)
	}
	return names
}

// operation finds the key that says what a node does. A key that is both, like scale, is a parameter where another
// operation has one of that name.
func (c *checker) operation(v *value) *operation {
	var found []pair
	for _, p := range v.pairs {
		if operationOf[p.key] != nil {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		c.noOperation(v)
		return nil
	}
	for i := range found {
		o := operationOf[found[i].key]
		names := o.paramNames()
		rest := slices.DeleteFunc(slices.Clone(found), func(p pair) bool { return p.key == o.name || slices.Contains(names, p.key) })
		if len(rest) == 0 {
			return o
		}
	}
	c.at(found[1].at, "a node does one thing; this one says both %s and %s", found[0].key, found[1].key).
		hint("put one into the other, or give each a name under nodes")
	return nil
}

// noOperation reports a mapping that says nothing a node does.
func (c *checker) noOperation(v *value) {
	if len(v.pairs) == 0 {
		c.at(v.span, "the node is empty; it is a mapping like %s", operationOf["noise"].example)
		return
	}
	for _, p := range v.pairs {
		if what, ok := later[p.key]; ok {
			c.at(p.at, "%q is kept for %s, which this version does not have", p.key, what)
			return
		}
	}
	parameter := func(name string) bool {
		return slices.ContainsFunc(operations, func(o operation) bool { return slices.Contains(o.paramNames(), name) })
	}
	for _, p := range v.pairs {
		if s := suggest(p.key, allNames); s != "" && !parameter(p.key) {
			c.at(p.at, "there is no node %q; did you mean %q?", p.key, s).hint("like %s", operationOf[s].example)
			return
		}
	}
	p := v.pairs[0]
	q := c.at(p.at, "there is no node %q", p.key)
	if parameter(p.key) {
		q.Message = fmt.Sprintf("none of the keys of this node says what it does, as in %s", operationOf["noise"].example)
	}
	q.hint("nodes are %s", strings.Join(allNames, ", "))
}

// arg reads one parameter of n from its mapping.
func (c *checker) arg(n *node, v *value, p *param) {
	a := &arg{span: n.span, param: p}
	n.args[p.name] = a
	c.doc.Seeded = c.doc.Seeded || p.kind == aSeed
	part := v.find(p.name)
	if part == nil {
		switch {
		case p.def != "":
			c.defaults(a, p)
		case p.required() && !slices.Contains(n.meant, p.name):
			c.at(n.span, "%s needs %q: %s", n.op.name, p.name, p.about).hint("like %s", n.op.example)
		}
		return
	}
	a.span, a.given = part.span, true
	if part.shape == nothing {
		c.at(part.span, "%s has no value: %s", p.name, p.about).hint("like %s", n.op.example)
		return
	}
	switch p.kind {
	case aNumber:
		if f, ok := c.ranged(part, p); ok {
			a.nums = []number{f}
		}
	case anInt:
		if i, ok := c.whole(part, p.name, p.unit, p.lo, p.hi); ok {
			a.ints = []int64{i}
		}
	case aSeed:
		if i, ok := c.integer(part, p.name); ok {
			a.ints = []int64{i}
		}
	case aWord:
		a.word, _ = c.oneOf(part, p)
	case anAsset:
		c.assetName(a, part)
	case aNode:
		if e := c.expr(part, join(n.path, p.name)); e != nil {
			a.exprs = []*expr{e}
		}
	case theNodes:
		c.exprs(a, part, join(n.path, p.name))
	case aVector:
		c.vector(a, part)
	case aPeriod:
		a.nums = c.numbers(part, p)
	case aPlace:
		c.place(a, part)
	case thePoints:
		c.points(a, part)
	case aTurn:
		c.turn(a, part)
	case theBands:
		c.bands(a, part, join(n.path, p.name))
	}
	if len(a.nums)+len(a.ints)+len(a.exprs)+len(a.anchor) == 0 && a.word == "" {
		c.defaults(a, p) // something is wrong with it and was reported
	}
}

// join returns the path of a part.
func join(path, part string) string { return path + "." + part }

// defaults sets a parameter that was left out.
func (c *checker) defaults(a *arg, p *param) {
	switch p.kind {
	case aNumber:
		a.nums = []number{{a.span, p.def}}
		if p.def == "" {
			a.nums[0].text = "0"
		}
	case anInt, aSeed:
		n := number{text: p.def}
		a.ints = []int64{int64(n.f64())}
	case aWord:
		a.word = p.def
	case aPlace:
		n := max(p.count[0], 1)
		if n == 1 && p.count[0] == 0 {
			n = 3
		}
		a.anchor, a.offset = make([]int64, n), make([]float32, n)
	}
}

// exprs reads a list of nodes.
func (c *checker) exprs(a *arg, v *value, path string) {
	p := a.param
	if v.shape != list {
		c.at(v.span, "%s is a list of nodes, not %s", p.name, v.describe()).hint("like %s: [one, another]", p.name)
		return
	}
	if n := len(v.items); n < p.count[0] || n > p.count[1] {
		c.at(v.span, "%s takes %s nodes, not %d", p.name, countOf(p.count), n)
		return
	}
	for i, item := range v.items {
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
func (c *checker) vector(a *arg, v *value) {
	a.nums = c.numbers(v, a.param)
	if a.param.name != "repeat" {
		return
	}
	for i, n := range a.nums {
		if f := n.f64(); f != float64(int64(f)) {
			c.at(v.items[i].span, "repeat is whole meters, not %s", n)
		}
		a.ints = append(a.ints, int64(n.f64()))
	}
}

// place reads a place: numbers in decimal, or whole meters and the rest apart.
func (c *checker) place(a *arg, v *value) {
	p := *a.param
	if p.count[0] == 0 {
		p.count = [2]int{3, 3}
	}
	n := p.count[0]
	if v.shape != mapping {
		for _, d := range c.numbers(v, &p) {
			whole, rest := d.split()
			a.anchor, a.offset = append(a.anchor, whole), append(a.offset, rest)
		}
		return
	}
	if !c.keys(v, p.name, "anchor", "offset") {
		return
	}
	a.anchor, a.offset = make([]int64, n), make([]float32, n)
	if part := v.find("anchor"); part != nil {
		q := p
		q.name = "anchor"
		for i, d := range c.numbers(part, &q) {
			if f := d.f64(); f != float64(int64(f)) {
				c.at(d.span, "anchor is whole meters, not %s; the rest belongs into offset", d)
			}
			a.anchor[i] = int64(d.f64())
		}
	}
	if part := v.find("offset"); part != nil {
		q := p
		q.name, q.lo, q.hi = "offset", -huge, huge
		for i, d := range c.numbers(part, &q) {
			a.offset[i] = d.f32()
		}
	}
}

// points reads pairs of numbers.
func (c *checker) points(a *arg, v *value) {
	p := a.param
	if v.shape != list || len(v.items) < p.count[0] || len(v.items) > p.count[1] {
		c.at(v.span, "%s is a list of %s [x, y] pairs, not %s", p.name, countOf(p.count), v.describeList())
		return
	}
	for _, item := range v.items {
		if item.shape != list || len(item.items) != 2 {
			c.at(item.span, "a point is a pair of numbers, [x, y], not %s", item.describeList())
			continue
		}
		for i, at := range item.items {
			q := *p
			q.name = string("xy"[i])
			if n, ok := c.ranged(at, &q); ok {
				a.nums = append(a.nums, n)
			}
		}
	}
}

// describeList is describe with the length of a list.
func (v *value) describeList() string {
	if v.shape == list {
		return fmt.Sprintf("a list of %d", len(v.items))
	}
	return v.describe()
}

// bands reads nodes with numbers between them.
func (c *checker) bands(a *arg, v *value, path string) {
	p := a.param
	if n := len(v.items); v.shape != list || n < p.count[0] || n > p.count[1] || n%2 == 0 {
		c.at(v.span, "%s is a list of nodes with thresholds between them, an odd number of things from %d to %d, not %s",
			p.name, p.count[0], p.count[1], v.describeList()).hint("like %s: [sand, 3, grass, 60, rock]", p.name)
		return
	}
	for i, item := range v.items {
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
		if k := len(a.nums); k > 0 && !(n.f32() > a.nums[k-1].f32()) {
			c.at(item.span, "the threshold %s follows %s; thresholds ascend", n, a.nums[k-1])
		}
		a.nums = append(a.nums, n)
	}
}

// assetName reads the name of an asset.
func (c *checker) assetName(a *arg, v *value) {
	var names []string
	for _, s := range c.doc.Assets {
		names = append(names, s.Name)
	}
	if v.shape != scalar {
		c.at(v.span, "%s is the name of an asset, not %s", a.param.name, v.describe())
		return
	}
	if c.broken[v.text] {
		return
	}
	if !slices.Contains(names, v.text) {
		p := c.at(v.span, "there is no asset %q%s", shorten(v.text), c.didYouMean(v.text, func() []string { return names }))
		if strings.ContainsAny(v.text, "./") {
			p.hint("a file gets a name first: assets: {ground: %s}, and then heightmap: ground", v.text)
		}
		return
	}
	a.word = v.text
	s := &c.doc.Assets[slices.Index(names, v.text)]
	use := Heightmap
	if a.param.name == "volume" {
		use = Volume
	}
	if s.Use != Unused && s.Use != use {
		c.at(v.span, "the asset %q is a %v on another line, and here a %v", s.Name, s.Use, use).hint("give the file two names under assets")
	}
	s.Use = use
}

// turn reads degrees about y, about x, z and y, or a quaternion.
func (c *checker) turn(a *arg, v *value) {
	zero := number{span: v.span, text: "0"}
	if v.shape != mapping {
		if n, ok := c.ranged(v, a.param); ok {
			a.nums = []number{zero, zero, n}
		}
		return
	}
	if q := v.find("quaternion"); q != nil && len(v.pairs) == 1 {
		a.quaternion = true
		a.nums = c.numbers(q, &param{name: "quaternion", lo: -1e3, hi: 1e3, count: [2]int{4, 4}})
		return
	}
	if !c.keys(v, "turn", "x", "z", "y") {
		return
	}
	for _, axis := range []string{"x", "z", "y"} {
		n := zero
		if part := v.find(axis); part != nil {
			p := *a.param
			p.name = axis
			n, _ = c.ranged(part, &p)
		}
		a.nums = append(a.nums, n)
	}
}
