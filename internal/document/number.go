package document

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/terrane/terrane/internal/document/syntax"
	"github.com/terrane/terrane/lattice"
)

// number reads a number or the use of a parameter, of any size.
func (c *checker) number(v *syntax.Value, name string) (syntax.Number, bool) {
	if v.Shape != syntax.Scalar {
		c.At(v.Span, "%s is a number, not %s", name, v.Describe())
		return syntax.Number{}, false
	}
	if p, ok := strings.CutPrefix(v.Text, "$"); ok {
		q, ok := c.params[p]
		if !ok {
			c.unknownParameter(v.Span, p)
			return syntax.Number{}, false
		}
		q.used = true
		return syntax.Number{Span: v.Span, Text: q.number.Text}, true
	}
	n, wrong := syntax.ParseNumber(v.Text)
	if wrong != "" {
		p := c.At(v.Span, "%s must be a number; %s", name, wrong)
		if _, ok := c.params[v.Text]; ok {
			p.Suggest("the parameter of that name is written $%s", v.Text)
		} else if m := syntax.NumberWithUnit.FindStringSubmatch(v.Text); m != nil {
			p.Suggest("numbers have no units: %s", m[1])
		}
		return n, false
	}
	if v.Quoted {
		c.At(v.Span, "%s is a number; %q in quotes is text", name, v.Text).Suggest("write it without the quotes: %s", v.Text)
		return n, false
	}
	n.Span = v.Span
	return n, true
}

func (c *checker) unknownParameter(at syntax.Span, name string) {
	if c.broken[name] {
		return // and was reported
	}
	p := c.At(at, "there is no parameter %q%s", name, c.DidYouMean(name, c.paramNames))
	if len(c.params) == 0 {
		p.Suggest("parameters are made at the top: parameters: {%s: 1}", name)
	}
}

// ranged reads a number within a parameter's range.
func (c *checker) ranged(v *syntax.Value, p *param) (syntax.Number, bool) {
	n, ok := c.number(v, p.name)
	if !ok {
		return n, false
	}
	if f := n.F64(); f < p.lo || f > p.hi {
		c.outOfRange(v, n.Text, p)
		return n, false
	}
	return n, true
}

func (c *checker) outOfRange(v *syntax.Value, is string, p *param) {
	q := c.At(v.Span, "%s is %s; it may be %s", p.name, withUnit(is, p.unit), p.rangeText())
	if name, ok := v.Parameter(); ok {
		q.Suggest("it is the value of the parameter %q", name)
	}
}

// withUnit adds a unit to a number, if there is one.
func withUnit(s, unit string) string {
	if unit == "" {
		return s
	}
	return s + " " + unit
}

// rangeText gives the range of a parameter, as messages and the manual have it.
func (p *param) rangeText() string {
	return withUnit(limitText(p.lo)+" … "+limitText(p.hi), p.unit)
}

// limitText writes the end of a range: powers as powers.
func limitText(v float64) string {
	sign, a := "", v
	if v < 0 {
		sign, a = "−", -v
	}
	switch a {
	case 1e9:
		return sign + "10⁹"
	case 2e9:
		return sign + "2·10⁹"
	case 1e6:
		return sign + "10⁶"
	case 1e-9:
		return sign + "10⁻⁹"
	case 1e-6:
		return sign + "10⁻⁶"
	case lattice.Limit:
		return sign + "2³⁰"
	case longest:
		return sign + "2³²"
	}
	if a > 0 && a < 1e-4 {
		return sign + strconv.FormatFloat(a, 'g', 3, 64)
	}
	return sign + strconv.FormatFloat(a, 'f', -1, 64)
}

// whole reads a whole number within a range.
func (c *checker) whole(v *syntax.Value, name, unit string, lo, hi float64) (int64, bool) {
	n, ok := c.number(v, name)
	if !ok {
		return 0, false
	}
	f := n.F64()
	if f != math.Trunc(f) {
		c.At(v.Span, "%s is a whole number, not %s", name, n)
		return 0, false
	}
	if f < lo || f > hi {
		c.outOfRange(v, n.Text, &param{name: name, unit: unit, lo: lo, hi: hi})
		return 0, false
	}
	return int64(f), true
}

// integer reads a whole number of 64 bits.
func (c *checker) integer(v *syntax.Value, name string) (int64, bool) {
	n, ok := c.number(v, name)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(strings.TrimPrefix(n.Text, "+"), 10, 64)
	if err != nil {
		c.At(v.Span, "%s is a whole number from −2⁶³ to 2⁶³−1, not %s", name, n)
		return 0, false
	}
	return i, true
}

// numbers reads a list of numbers; a number alone stands for a list of one if the parameter allows that.
func (c *checker) numbers(v *syntax.Value, p *param) []syntax.Number {
	items := v.Items
	switch {
	case v.Shape == syntax.Scalar && p.count[0] == 1:
		items = []*syntax.Value{v}
	case v.Shape != syntax.List:
		c.At(v.Span, "%s is %s, not %s", p.name, p.countText(), v.Describe())
		return nil
	}
	if len(items) < p.count[0] || len(items) > p.count[1] {
		c.At(v.Span, "%s has %d numbers; it is %s", p.name, len(items), p.countText())
		return nil
	}
	var list []syntax.Number
	for _, item := range items {
		if n, ok := c.ranged(item, p); ok {
			list = append(list, n)
		}
	}
	if len(list) < len(items) {
		return nil
	}
	return list
}

// countText says how many numbers a parameter is.
func (p *param) countText() string {
	lo, hi := p.count[0], p.count[1]
	switch {
	case hi == 1:
		return "a number"
	case lo == hi:
		return fmt.Sprintf("a list of %d numbers", lo)
	case lo == 1:
		return fmt.Sprintf("a number or a list of up to %d", hi)
	}
	return fmt.Sprintf("a list of %d to %d numbers", lo, hi)
}

// words reads one of some words.
func (c *checker) oneOf(v *syntax.Value, p *param) (string, bool) {
	if v.Shape != syntax.Scalar {
		c.At(v.Span, "%s is one of %s, not %s", p.name, strings.Join(p.words, ", "), v.Describe())
		return "", false
	}
	if !slices.Contains(p.words, v.Text) {
		c.At(v.Span, "%s is %q%s", p.name, syntax.Shorten(v.Text), orOneOf(v.Text, p.words))
		return "", false
	}
	return v.Text, true
}

// orOneOf ends a message about a wrong word with all right ones, the most likely first.
func orOneOf(wrong string, words []string) string {
	all := "; it is one of " + strings.Join(words, ", ")
	if s := syntax.Closest(wrong, words); s != "" {
		return fmt.Sprintf("; did you mean %q? It is one of %s", s, strings.Join(words, ", "))
	}
	return all
}
