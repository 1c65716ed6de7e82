package syntax

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Describe names a value in a message.
func (v *Value) Describe() string {
	if v.Shape == Scalar {
		return strconv.Quote(Shorten(v.Text))
	}
	return v.Shape.String()
}

// Shorten cuts long text.
func Shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}

// NameForm is what names look like.
var NameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// NotFinite reports whether a name is one of those that numbers without a value have.
func NotFinite(s string) bool {
	return slices.Contains([]string{"inf", "nan", "infinity"}, strings.ToLower(s))
}

// DescribeList is describe with the length of a list.
func (v *Value) DescribeList() string {
	if v.Shape == List {
		return fmt.Sprintf("a list of %d", len(v.Items))
	}
	return v.Describe()
}

// Names of noise.
var (
	NoiseNames   = []string{"value", "gradient", "simplex", "cellular", "edges"}
	FractalNames = []string{"fbm", "ridged", "billow", "turbulence"}
	AxisNames    = []string{"x", "y", "z"}
)
