package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
)

// How far the search for cycles has come with a node.
type visit uint8

const (
	unvisited visit = iota
	visiting
	visited
)

// resolve finds what names mean, and refuses cycles, wrong types and materials where numbers belong.
func (c *checker) resolve() {
	c.doc.groundNode = &named{name: "ground", value: c.doc.ground} // what depth reads
	for _, n := range c.doc.named {
		c.bind(n.value)
	}
	for _, e := range c.doc.roots() {
		c.bind(e)
	}
	good := len(c.List)
	for _, n := range append(slices.Clone(c.doc.named), c.doc.groundNode) {
		c.cycles(n, nil)
	}
	if len(c.List) > good {
		return // what follows would run in circles
	}
	for _, n := range c.doc.named {
		c.types(n.value, true)
		if !n.used {
			c.doc.Unused = append(c.doc.Unused, n.name)
		}
	}
	c.types(c.doc.density, false)
	c.types(c.doc.ground, false)
	c.types(c.doc.paint, true)
	c.palette(c.doc.paint, true)
	if c.doc.paint != nil && len(c.doc.Materials) == 0 {
		c.At(c.doc.paint.Span, "the document has a material and no materials").Suggest(`it begins with: materials: {grass: {color: "#5a8f3c"}}`)
	}
}

// roots returns the density, and the ground and the material if the document has them.
func (d *Document) roots() []*expr {
	return slices.DeleteFunc([]*expr{d.density, d.ground, d.paint}, func(e *expr) bool { return e == nil })
}

// each calls f for every expr that e's node reads itself.
func (e *expr) each(f func(p *param, e *expr)) {
	if e == nil || e.kind != exprNode {
		return
	}
	do := func(p *param) {
		for _, x := range e.node.args[p.name].exprs {
			f(p, x)
		}
	}
	do(&e.node.op.head)
	for i := range e.node.op.params {
		do(&e.node.op.params[i])
	}
}

// bind finds what the names in e mean.
func (c *checker) bind(e *expr) {
	if e == nil {
		return
	}
	e.each(func(_ *param, x *expr) { c.bind(x) })
	if e.kind != exprName {
		return
	}
	if n := c.doc.byName[e.name]; n != nil {
		e.to, n.used = n, true
		return
	}
	if i := slices.Index(syntax.AxisNames, e.name); i >= 0 {
		e.kind, e.index = exprCoordinate, i
		return
	}
	if e.name == "depth" {
		e.kind = exprDepth
		if c.doc.ground != nil {
			e.to = c.doc.groundNode
		} else if c.tree.Find("ground") == nil {
			c.At(e.Span, "depth is how far below the ground a point is; the document has no ground").Suggest("say which node is the ground: ground: hills")
		}
		return
	}
	if i := slices.IndexFunc(c.doc.Materials, func(m graph.Material) bool { return m.Name == e.name }); i >= 0 {
		e.kind, e.index = exprMaterial, i
		return
	}
	c.unknownName(e)
}

func (c *checker) unknownName(e *expr) {
	if c.broken[e.name] {
		return // and was reported
	}
	names := func() []string {
		names := slices.Clone(c.names)
		for _, m := range c.doc.Materials {
			names = append(names, m.Name)
		}
		return append(names, reserved...)
	}
	p := c.At(e.Span, "there is no node %q%s", e.name, c.DidYouMean(e.name, names))
	if _, ok := c.params[e.name]; ok {
		p.Suggest("the parameter of that name is written $%s", e.name)
	}
	if o := operationOf[e.name]; o != nil {
		p.Suggest("%q is an operation: %s", e.name, o.example)
	}
}

// cycles reports a node that reads itself, directly or through others.
func (c *checker) cycles(n *named, way []*named) {
	if n.state == visited {
		return
	}
	n.state = visiting
	way = append(way, n)
	c.follow(n.value, way)
	n.state = visited
}

func (c *checker) follow(e *expr, way []*named) {
	if e == nil {
		return
	}
	if e.kind != exprName && e.kind != exprDepth {
		e.each(func(_ *param, x *expr) { c.follow(x, way) })
		return
	}
	if e.to == nil {
		return // a name without a meaning, which was reported
	}
	if e.to.state != visiting {
		c.cycles(e.to, way)
		return
	}
	if e.kind == exprDepth {
		c.At(e.Span, "the ground reads depth, which is measured from it")
		return
	}
	k := slices.Index(way, e.to)
	var names []string
	for _, n := range way[k:] {
		names = append(names, n.name)
	}
	names = append(names, e.to.name)
	if len(names) == 2 {
		c.At(e.Span, "the node %q reads itself", e.name)
		return
	}
	if len(names) > 12 {
		names = append(append(names[:6:6], "…"), names[len(names)-5:]...)
	}
	c.At(e.Span, "the node %q reads itself by way of others: %s", e.name, strings.Join(names, " → ")).
		Suggest("one of them must do without the next")
}

// painted reports whether e is a material: its name, or a choice between some. There are no cycles.
func (e *expr) painted() bool {
	switch {
	case e == nil:
		return false
	case e.kind == exprMaterial:
		return true
	case e.kind == exprName && e.to == nil:
		return false
	case e.kind == exprName:
		if !e.to.asked { // each name once: many may share it
			e.to.asked, e.to.painted = true, e.to.value.painted()
		}
		return e.to.painted
	}
	found := false
	e.each(func(p *param, x *expr) { found = found || p.material && x.painted() })
	return found
}

// types reports materials where numbers belong.
func (c *checker) types(e *expr, material bool) {
	if e == nil {
		return
	}
	if !material && e.painted() {
		what := fmt.Sprintf("%q is a material", e.name)
		if e.kind == exprNode {
			what = "this node chooses a material"
		} else if e.kind == exprName {
			what = fmt.Sprintf("the node %q chooses a material", e.name)
		}
		c.At(e.Span, "%s; %s reads numbers", what, readerOf(e.path)).
			Suggest("materials belong into material, and into select and bands there")
		return
	}
	e.each(func(p *param, x *expr) { c.types(x, p.material) })
}

// readerOf names what reads an expr by its path.
func readerOf(path string) string {
	name, _, _ := strings.Cut(lastOf(path), "[")
	return name
}

// palette reports numbers that name no material, in what chooses materials.
func (c *checker) palette(e *expr, material bool) {
	if e == nil || !material {
		return
	}
	if e.kind == exprNumber {
		n := len(c.doc.Materials)
		if f := e.number.F64(); n > 0 && (f != float64(int64(f)) || f < 0 || f >= float64(n)) {
			c.At(e.Span, "there is no material number %s; the document has %d, from 0", e.number, n)
		}
		return
	}
	if e.kind == exprNode && e.painted() {
		e.each(func(p *param, x *expr) { c.palette(x, p.material) })
	}
}
