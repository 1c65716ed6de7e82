package document

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terrane/terrane/lattice"
)

// A number is a number as the document has it, in decimal. Everything made of it is rounded once, from there.
type number struct {
	span
	text string
}

func (n number) String() string { return n.text }

// f32 returns the nearest float32.
func (n number) f32() float32 {
	v, _ := strconv.ParseFloat(n.text, 32) // numberForm and the checks of its size saw it
	return float32(v)
}

func (n number) f64() float64 {
	v, _ := strconv.ParseFloat(n.text, 64)
	return v
}

// split parts the number into a whole number and a rest in [0, 1), both exactly what the decimal digits say: the
// rest is as exact far from the origin as near it.
func (n number) split() (int64, float32) {
	r, ok := new(big.Rat).SetString(n.text)
	if !ok {
		return 0, 0
	}
	whole := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: down for a positive divisor
	rest, _ := new(big.Rat).Sub(r, new(big.Rat).SetInt(whole)).Float32()
	w := whole.Int64()
	if rest >= 1 { // it rounds to 1
		return w + 1, 0
	}
	return w, rest
}

// numberForm is what numbers look like: decimal, without the hexadecimal and octal forms of YAML.
var numberForm = regexp.MustCompile(`^[-+]?([0-9][0-9_]*)?(\.[0-9]*)?([eE][-+]?[0-9]{1,3})?$`)

// maxDigits bounds the length of a number.
const maxDigits = 64

// parseNumber reads a number. What is wrong is empty if it is one.
func parseNumber(text string) (n number, wrong string) {
	s := strings.ReplaceAll(text, "_", "")
	switch lower := strings.TrimLeft(strings.ToLower(s), "+-."); lower {
	case "inf", "nan", "infinity":
		return n, text + " is not finite"
	}
	if strings.HasPrefix(strings.ToLower(s), "0x") || strings.HasPrefix(strings.ToLower(s), "0o") {
		return n, fmt.Sprintf("%q is no decimal number", shorten(text))
	}
	if !numberForm.MatchString(text) || !strings.ContainsAny(s, "0123456789") || strings.HasPrefix(strings.ToLower(s), "e") {
		return n, fmt.Sprintf("%q is no number", shorten(text))
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case len(s) > maxDigits:
		return n, fmt.Sprintf("the number has %d digits; it may have %d", len(s), maxDigits)
	case err != nil || v > math.MaxFloat32 || v < -math.MaxFloat32:
		return n, text + " is too large: not finite as a 32-bit number"
	case math.Abs(v) < 1e-60 && v != 0:
		s = "0"
	}
	return number{text: s}, ""
}

// isParameter reports whether v is the use of a parameter, and of which.
func (v *value) isParameter() (name string, ok bool) {
	if v.shape != scalar {
		return "", false
	}
	return strings.CutPrefix(v.text, "$")
}

// number reads a number or the use of a parameter, of any size.
func (c *checker) number(v *value, name string) (number, bool) {
	if v.shape != scalar {
		c.at(v.span, "%s is a number, not %s", name, v.describe())
		return number{}, false
	}
	if p, ok := strings.CutPrefix(v.text, "$"); ok {
		q, ok := c.params[p]
		if !ok {
			c.unknownParameter(v.span, p)
			return number{}, false
		}
		q.used = true
		return number{v.span, q.number.text}, true
	}
	n, wrong := parseNumber(v.text)
	if wrong != "" {
		p := c.at(v.span, "%s must be a number; %s", name, wrong)
		if _, ok := c.params[v.text]; ok {
			p.hint("the parameter of that name is written $%s", v.text)
		} else if m := numberWithUnit.FindStringSubmatch(v.text); m != nil {
			p.hint("numbers have no units: %s", m[1])
		}
		return n, false
	}
	if v.quoted {
		c.at(v.span, "%s is a number; %q in quotes is text", name, v.text).hint("write it without the quotes: %s", v.text)
		return n, false
	}
	n.span = v.span
	return n, true
}

func (c *checker) unknownParameter(at span, name string) {
	if c.broken[name] {
		return // and was reported
	}
	p := c.at(at, "there is no parameter %q%s", name, c.didYouMean(name, c.paramNames))
	if len(c.params) == 0 {
		p.hint("parameters are made at the top: parameters: {%s: 1}", name)
	}
}

// ranged reads a number within a parameter's range.
func (c *checker) ranged(v *value, p *param) (number, bool) {
	n, ok := c.number(v, p.name)
	if !ok {
		return n, false
	}
	if f := n.f64(); f < p.lo || f > p.hi {
		c.outOfRange(v, n.text, p)
		return n, false
	}
	return n, true
}

func (c *checker) outOfRange(v *value, is string, p *param) {
	q := c.at(v.span, "%s is %s; it may be %s", p.name, withUnit(is, p.unit), p.rangeText())
	if name, ok := v.isParameter(); ok {
		q.hint("it is the value of the parameter %q", name)
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
func (c *checker) whole(v *value, name, unit string, lo, hi float64) (int64, bool) {
	n, ok := c.number(v, name)
	if !ok {
		return 0, false
	}
	f := n.f64()
	if f != math.Trunc(f) {
		c.at(v.span, "%s is a whole number, not %s", name, n)
		return 0, false
	}
	if f < lo || f > hi {
		c.outOfRange(v, n.text, &param{name: name, unit: unit, lo: lo, hi: hi})
		return 0, false
	}
	return int64(f), true
}

// integer reads a whole number of 64 bits.
func (c *checker) integer(v *value, name string) (int64, bool) {
	n, ok := c.number(v, name)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(strings.TrimPrefix(n.text, "+"), 10, 64)
	if err != nil {
		c.at(v.span, "%s is a whole number from −2⁶³ to 2⁶³−1, not %s", name, n)
		return 0, false
	}
	return i, true
}

// numbers reads a list of numbers; a number alone stands for a list of one if the parameter allows that.
func (c *checker) numbers(v *value, p *param) []number {
	items := v.items
	switch {
	case v.shape == scalar && p.count[0] == 1:
		items = []*value{v}
	case v.shape != list:
		c.at(v.span, "%s is %s, not %s", p.name, p.countText(), v.describe())
		return nil
	}
	if len(items) < p.count[0] || len(items) > p.count[1] {
		c.at(v.span, "%s has %d numbers; it is %s", p.name, len(items), p.countText())
		return nil
	}
	var list []number
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
func (c *checker) oneOf(v *value, p *param) (string, bool) {
	if v.shape != scalar {
		c.at(v.span, "%s is one of %s, not %s", p.name, strings.Join(p.words, ", "), v.describe())
		return "", false
	}
	if !slices.Contains(p.words, v.text) {
		c.at(v.span, "%s is %q%s", p.name, shorten(v.text), orOneOf(v.text, p.words))
		return "", false
	}
	return v.text, true
}

// orOneOf ends a message about a wrong word with all right ones, the most likely first.
func orOneOf(wrong string, words []string) string {
	all := "; it is one of " + strings.Join(words, ", ")
	if s := suggest(wrong, words); s != "" {
		return fmt.Sprintf("; did you mean %q? It is one of %s", s, strings.Join(words, ", "))
	}
	return all
}

// numberWithUnit fits a number with a unit behind it.
var numberWithUnit = regexp.MustCompile(`^([-+]?[0-9]+(?:\.[0-9]+)?) ?(?:[a-zA-Z]{1,7}|%|°)$`)

// digits reports whether s is the rest of a number that was cut at a decimal comma.
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
