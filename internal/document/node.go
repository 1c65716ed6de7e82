package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
)

// An exprKind is the kind of an expr.
type exprKind uint8

const (
	exprNumber     exprKind = iota
	exprName                // a node's name
	exprMaterial            // a material's name
	exprCoordinate          // x, y or z
	exprDepth               // depth
	exprNode                // a node
)

// An expr is the value of a parameter that takes a node: a number, a name or a whole node.
type expr struct {
	syntax.Span
	kind   exprKind
	number syntax.Number
	name   string
	index  int // of the material or the axis
	node   *node
	to     *named // what a name means
	path   string // where it is, for people: the names of nodes and keys on the way to it
}

// A node is an operation with its parameters.
type node struct {
	syntax.Span
	op   *operation
	args map[string]*arg // one for each parameter, given or not
	path string
	// meant are the parameters that misspelled keys most likely mean: that they are missing needs no saying.
	meant []string
}

// An arg is the value of a parameter.
type arg struct {
	syntax.Span
	param *param
	given bool
	nums  []syntax.Number
	ints  []int64
	word  string
	exprs []*expr
	// Of a place: whole meters and the rest.
	anchor []int64
	offset []float32
	// Of a rotation: its numbers are a quaternion, else degrees about x, z and y.
	quaternion bool
}

func (a *arg) f32() float32 { return a.nums[0].F32() }
func (a *arg) int() int64   { return a.ints[0] }

// expr reads a node: a mapping, a name or a number. It returns nil if it is none.
func (c *checker) expr(v *syntax.Value, path string) *expr {
	e := &expr{Span: v.Span, path: path}
	switch v.Shape {
	case syntax.Nothing:
		c.At(v.Span, "%s has no value; a node is a mapping like %s, a name or a number", path, operationOf["noise"].example)
		return nil
	case syntax.List:
		c.At(v.Span, "a node is a mapping like %s, a name or a number, not a list", operationOf["noise"].example)
		return nil
	case syntax.Mapping:
		e.kind = exprNode
		if e.node = c.node(v, path); e.node == nil {
			return nil
		}
		e.Span = e.node.Span
		return e
	}
	// JSON has names and parameters in quotes only, so that quotes make no difference here.
	material := slices.ContainsFunc(c.doc.Materials, func(m graph.Material) bool { return m.Name == v.Text })
	if material || syntax.NameForm.MatchString(v.Text) && !syntax.NotFinite(v.Text) {
		e.kind, e.name = exprName, v.Text
		return e
	}
	if v.Quoted && strings.HasPrefix(v.Text, "$") {
		v = &syntax.Value{Shape: syntax.Scalar, Span: v.Span, Text: v.Text}
	}
	if _, ok := v.Parameter(); !ok && !v.Quoted {
		if _, wrong := syntax.ParseNumber(v.Text); strings.HasSuffix(wrong, "is no number") {
			p := c.At(v.Span, "%s reads a node: a name, a number or a mapping like %s; %q is none of these", lastOf(path), operationOf["noise"].example, syntax.Shorten(v.Text))
			if strings.ContainsAny(v.Text, "+*/()") {
				p.Suggest("formulas come later; there are add, subtract, multiply and scale")
			}
			return nil
		}
	}
	n, ok := c.number(v, lastOf(path))
	if !ok {
		return nil
	}
	if f := n.F64(); f < -huge || f > huge {
		c.At(v.Span, "the number %s is outside %s … %s", n, limitText(-huge), limitText(huge))
		return nil
	}
	e.kind, e.number = exprNumber, n
	return e
}

// lastOf returns the last word of a path.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// node reads a node's mapping.
func (c *checker) node(v *syntax.Value, path string) *node {
	o := c.operation(v)
	if o == nil {
		return nil
	}
	n := &node{Span: v.Span, op: o, args: map[string]*arg{}, path: path}
	for _, p := range v.Pairs {
		if p.Key == o.name {
			n.Span = p.At
			continue
		}
		names := o.paramNames()
		if !slices.Contains(names, p.Key) {
			if len(names) == 0 {
				c.At(p.At, "%s has no parameter %q; it has none", o.name, p.Key)
				continue
			}
			q := c.At(p.At, "%s has no parameter %q%s", o.name, p.Key, syntax.Meaning(p.Key, names))
			if syntax.Digits(p.Key) {
				q.Suggest("decimals have a point: 3.5, not 3,5")
			}
			n.meant = append(n.meant, syntax.Closest(p.Key, names))
		}
	}
	good := len(c.List)
	c.arg(n, v, &o.head)
	for i := range o.params {
		c.arg(n, v, &o.params[i])
	}
	if o.check != nil && len(c.List) == good {
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

// operation finds the key that names the operation of a node. A key that is both, like scale, is a parameter where another
// operation has one of that name.
func (c *checker) operation(v *syntax.Value) *operation {
	var found []syntax.Pair
	for _, p := range v.Pairs {
		if operationOf[p.Key] != nil {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		c.noOperation(v)
		return nil
	}
	for i := range found {
		o := operationOf[found[i].Key]
		names := o.paramNames()
		rest := slices.DeleteFunc(slices.Clone(found), func(p syntax.Pair) bool { return p.Key == o.name || slices.Contains(names, p.Key) })
		if len(rest) == 0 {
			return o
		}
	}
	c.At(found[1].At, "a node does one thing; this one says both %s and %s", found[0].Key, found[1].Key).
		Suggest("put one into the other, or give each a name under nodes")
	return nil
}

// noOperation reports a mapping that says nothing a node does.
func (c *checker) noOperation(v *syntax.Value) {
	if len(v.Pairs) == 0 {
		c.At(v.Span, "the node is empty; it is a mapping like %s", operationOf["noise"].example)
		return
	}
	for _, p := range v.Pairs {
		if what, ok := later[p.Key]; ok {
			c.At(p.At, "%q is kept for %s, which this version does not have", p.Key, what)
			return
		}
	}
	parameter := func(name string) bool {
		return slices.ContainsFunc(operations, func(o operation) bool { return slices.Contains(o.paramNames(), name) })
	}
	for _, p := range v.Pairs {
		if s := syntax.Closest(p.Key, allNames); s != "" && !parameter(p.Key) {
			c.At(p.At, "there is no node %q; did you mean %q?", p.Key, s).Suggest("like %s", operationOf[s].example)
			return
		}
	}
	p := v.Pairs[0]
	q := c.At(p.At, "there is no node %q", p.Key)
	if parameter(p.Key) {
		q.Message = fmt.Sprintf("none of the keys of this node says what it does, as in %s", operationOf["noise"].example)
	}
	q.Suggest("nodes are %s", strings.Join(allNames, ", "))
}
