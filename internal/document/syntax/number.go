package syntax

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// A Number is a number as the document has it, in decimal. Everything made of it is rounded once, from there.
type Number struct {
	Span
	Text string
}

func (n Number) String() string { return n.Text }

// F32 returns the nearest float32.
func (n Number) F32() float32 {
	v, _ := strconv.ParseFloat(n.Text, 32) // numberForm and the checks of its size saw it
	return float32(v)
}

func (n Number) F64() float64 {
	v, _ := strconv.ParseFloat(n.Text, 64)
	return v
}

// Split parts the number into a whole number and a rest in [0, 1), both exactly what the decimal digits say: the
// rest is as exact far from the origin as near it.
func (n Number) Split() (int64, float32) {
	r, ok := new(big.Rat).SetString(n.Text)
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

// NumberForm is what numbers look like: decimal, without the hexadecimal and octal forms of YAML.
var NumberForm = regexp.MustCompile(`^[-+]?([0-9][0-9_]*)?(\.[0-9]*)?([eE][-+]?[0-9]{1,3})?$`)

// MaxDigits bounds the length of a number.
const MaxDigits = 64

// ParseNumber reads a number. What is wrong is empty if it is one.
func ParseNumber(text string) (n Number, wrong string) {
	s := strings.ReplaceAll(text, "_", "")
	switch lower := strings.TrimLeft(strings.ToLower(s), "+-."); lower {
	case "inf", "nan", "infinity":
		return n, text + " is not finite"
	}
	if strings.HasPrefix(strings.ToLower(s), "0x") || strings.HasPrefix(strings.ToLower(s), "0o") {
		return n, fmt.Sprintf("%q is no decimal number", Shorten(text))
	}
	if !NumberForm.MatchString(text) || !strings.ContainsAny(s, "0123456789") || strings.HasPrefix(strings.ToLower(s), "e") {
		return n, fmt.Sprintf("%q is no number", Shorten(text))
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case len(s) > MaxDigits:
		return n, fmt.Sprintf("the number has %d digits; it may have %d", len(s), MaxDigits)
	case err != nil || v > math.MaxFloat32 || v < -math.MaxFloat32:
		return n, text + " is too large: not finite as a 32-bit number"
	case math.Abs(v) < 1e-60 && v != 0:
		s = "0"
	}
	return Number{Text: s}, ""
}

// Parameter reports whether v is the use of a parameter, and of which.
func (v *Value) Parameter() (name string, ok bool) {
	if v.Shape != Scalar {
		return "", false
	}
	return strings.CutPrefix(v.Text, "$")
}

// NumberWithUnit fits a number with a unit behind it.
var NumberWithUnit = regexp.MustCompile(`^([-+]?[0-9]+(?:\.[0-9]+)?) ?(?:[a-zA-Z]{1,7}|%|°)$`)

// Digits reports whether s is the rest of a number that was cut at a decimal comma.
func Digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
