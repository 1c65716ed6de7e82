package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/document/syntax"
)

// TestMessagesAreShort gives documents whose keys, names and values are as long as a document may be.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("x", syntax.MaxBytes-100)
	for name, src := range map[string]string{
		"key":      long + ": 1",
		"colons":   strings.Repeat(":", syntax.MaxBytes),
		"block":    strings.Repeat("|", syntax.MaxBytes),
		"name":     "terrane: 1\ndensity: {below: " + long + "}",
		"kind":     "terrane: 1\ndensity: {noise: " + long + "}",
		"material": "terrane: 1\nmaterials: {" + long + ": 1}\ndensity: {below: 1}",
		"asset":    "terrane: 1\nassets: {" + long + ": x}\ndensity: {heightmap: " + long[:syntax.MaxBytes/4] + "}",
	} {
		if _, err := Parse(name, []byte(src), Options{}); err == nil || len(err.Error()) > 10_000 {
			t.Errorf("%s: a message of %d bytes", name, len(fmt.Sprint(err)))
		}
	}
}

// TestMeaningsAreBounded names thousands of nodes that are not there among thousands that are: what each means is
// not looked for.
func TestMeaningsAreBounded(t *testing.T) {
	r, asked := &syntax.Reporter{}, 0
	for range 1000 {
		r.DidYouMean("hils", func() []string { asked++; return []string{"hills"} })
	}
	if asked != syntax.MostLooked {
		t.Errorf("looked for %d meanings, want %d", asked, syntax.MostLooked)
	}
	var b strings.Builder
	b.WriteString("terrane: 1\nnodes:\n")
	for i := range 4000 {
		fmt.Fprintf(&b, "  n%d: {add: [q%d, 1]}\n", i, i)
	}
	_, err := Parse("many", []byte(b.String()), Options{})
	if err == nil || !strings.Contains(err.Error(), `there is no node "q0"; did you mean "n0"?`) {
		t.Errorf("%v", err)
	}
}

// TestSetNothing sets a parameter of a document that has none.
func TestSetNothing(t *testing.T) {
	_, err := Parse("a", []byte("terrane: 1\ndensity: {below: 1}\n"), Options{Set: map[string]string{"density": "3"}})
	if err == nil || !strings.Contains(err.Error(), `there is no parameter "density" to set`) {
		t.Errorf("%v", err)
	}
}

func TestVisible(t *testing.T) {
	for _, c := range [][2]string{
		{"plain, ümläut, 山, 🏔, a\tb\nc", "plain, ümläut, 山, 🏔, a\tb\nc"},
		{"\x1b[31mred\x1b]0;mine\a", `\x1b[31mred\x1b]0;mine\x07`},
		{"C1 \u009b31m", `C1 \x9b31m`},
		{"\u202eabc\u2066", `\u202eabc\u2066`},
		{"not \xff UTF-8", `not \xff UTF-8`},
		{"back\rspace\b", `back\x0dspace\x08`},
	} {
		if got := syntax.Visible(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}
