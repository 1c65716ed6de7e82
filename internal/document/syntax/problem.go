package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Problem is one thing that is wrong with a document.
type Problem struct {
	Line, Column int    // of the first offending character, from 1; 0 if it is not in the document
	Width        int    // of the offending text, in characters
	Message      string // what is wrong, and what would be right
	Hint         string // how to mend it, if there is more to say
}

// Problems is the error of a document that cannot be used: all that is wrong with it, in the order of the text.
type Problems struct {
	File  string
	List  []Problem
	Lines []string
	more  int // problems beyond maxProblems
}

// MaxProblems bounds the list. Who has more of them has a cause in common.
const MaxProblems = 20

// Count returns how many problems there are, those that are not listed included.
func (p *Problems) Count() int { return len(p.List) + p.more }

// mostKept bounds what a document of mistakes can cost.
const mostKept = 1000

// Error lists the problems, each with its line of the document and a mark under the offending text.
func (p *Problems) Error() string {
	var b strings.Builder
	for i := range p.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		p.write(&b, &p.List[i])
	}
	if p.more > 0 {
		fmt.Fprintf(&b, "\n… and %d more", p.more)
	}
	return b.String()
}

func (p *Problems) write(b *strings.Builder, q *Problem) {
	if q.Line > 0 {
		fmt.Fprintf(b, "%s:%d:%d: ", p.File, q.Line, q.Column)
	}
	b.WriteString(q.Message)
	if q.Line >= 1 && q.Line <= len(p.Lines) {
		line, column := window(p.Lines[q.Line-1], q.Column)
		width := min(max(q.Width, 1), max(utf8.RuneCountInString(line)-column+1, 1))
		fmt.Fprintf(b, "\n%5d | %s\n      | %s%s", q.Line, line, strings.Repeat(" ", column-1), strings.Repeat("^", width))
	}
	if q.Hint != "" {
		fmt.Fprintf(b, "\n      = %s", q.Hint)
	}
}

// lineWidth is how many characters of a line are shown.
const lineWidth = 110

// window returns what is shown of a line, and the column there of what was at the column.
func window(line string, column int) (string, int) {
	runes := []rune(strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return ' '
		case Hidden(r):
			return utf8.RuneError
		}
		return r
	}, line))
	column = min(max(column, 1), len(runes)+1)
	start := 0
	if len(runes) > lineWidth && column > lineWidth*3/4 {
		start = column - lineWidth/2
	}
	end := min(start+lineWidth, len(runes))
	shown := string(runes[start:end])
	column -= start
	if start > 0 {
		shown, column = "…"+shown, column+1
	}
	if end < len(runes) {
		shown += "…"
	}
	return shown, column
}

// A Span is a stretch of a line of the document.
type Span struct{ Line, Column, Width int }

// A Reporter gathers problems.
type Reporter struct {
	File   string
	Lines  []string
	List   []Problem
	looked int // how often it was looked for what a wrong name means
}

// At reports what is wrong at a place, and returns the problem for a hint.
func (r *Reporter) At(s Span, format string, args ...any) *Problem {
	if len(r.List) >= mostKept {
		return &Problem{}
	}
	r.List = append(r.List, Problem{Line: s.Line, Column: s.Column, Width: s.Width, Message: tell(format, args...)})
	return &r.List[len(r.List)-1]
}

// longestMessage bounds what a key of a megabyte can make of a message, in bytes.
const longestMessage = 1000

// tell formats a message or a hint. What it quotes may come from anybody: it is shortened, and cannot write
// outside its place on a terminal.
func tell(format string, args ...any) string {
	s := fmt.Sprintf(format, args...)
	if len(s) > longestMessage {
		s = strings.ToValidUTF8(s[:longestMessage], "") + "…"
	}
	return Visible(s)
}

// Hidden reports whether a character controls what shows it, a terminal or an editor, and is not to be seen itself:
// control characters, and those that turn the direction of text.
func Hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

// Visible returns text in which characters that would control a terminal, like escapes, are spelled out as in a Go
// string. Ends of lines and tabs stay. Text of other people's worlds and documents goes to terminals through it.
func Visible(s string) string {
	shown := func(r rune) bool { return !Hidden(r) || r == '\n' || r == '\t' }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !shown(r) }) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case shown(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[n:]
	}
	return b.String()
}

// Suggest adds a hint to a problem that was just reported.
func (p *Problem) Suggest(format string, args ...any) {
	if p.Hint != "" {
		p.Hint += "; "
	}
	p.Hint += tell(format, args...)
}

// Err returns the problems in order, or nil.
func (r *Reporter) Err() error {
	if len(r.List) == 0 {
		return nil
	}
	slices.SortStableFunc(r.List, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	p := &Problems{File: r.File, List: r.List, Lines: r.Lines}
	if n := len(p.List); n > MaxProblems {
		p.List, p.more = p.List[:MaxProblems], n-MaxProblems
	}
	return p
}

// elsewhere has what people who come from other programs write, by what it is called here.
var elsewhere = map[string][]string{
	"sphere": {"ball"}, "cube": {"box"}, "cuboid": {"box"}, "donut": {"torus"}, "ring": {"torus"}, "layer": {"slab"},
	"perlin": {"gradient"}, "opensimplex": {"simplex"}, "worley": {"cellular"}, "voronoi": {"cellular", "cracks"},
	"sum": {"add"}, "plus": {"add"}, "minus": {"subtract"}, "mul": {"multiply"}, "times": {"multiply"}, "lerp": {"mix"},
	"blend": {"mix"}, "length": {"hypot"}, "intersect": {"intersection"}, "cut": {"difference"}, "carve": {"difference"},
	"center": {"at"}, "position": {"at"}, "translate": {"at"}, "rotate": {"turn"}, "rotation": {"turn"},
	"wavelength": {"period"}, "persistence": {"gain"}, "amplitude": {"by"}, "factor": {"by"}, "offset": {"plus", "at"},
	"thickness": {"tube"}, "rounding": {"edge"}, "isolevel": {"iso"}, "title": {"name"}, "description": {"about"},
}

// Closest returns the name that a misspelled one, or one from elsewhere, most likely means, or "".
func Closest(wrong string, names []string) string {
	best, least := "", (len(wrong)+1)/3
	lower := strings.ToLower(wrong)
	for _, n := range elsewhere[lower] {
		if slices.Contains(names, n) {
			return n
		}
	}
	for _, n := range names {
		if d := distance(lower, strings.ToLower(n), least); d < least || d == least && best == "" {
			best, least = n, d
		}
	}
	return best
}

// distance returns how many letters must be inserted, dropped, replaced or swapped with their neighbor to make b
// of a, or a number over most if they are more than that.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most || len(a) > 64 {
		return most + 1
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}

// MostLooked bounds how often it is looked for what a wrong name means: among thousands of names that takes a
// while for each, and after so many mistakes one more hint helps nobody.
const MostLooked = 100

// DidYouMean returns the end of a message about an unknown name: what was meant, or what there is; nothing after
// many of them.
func (r *Reporter) DidYouMean(wrong string, names func() []string) string {
	if r.looked++; r.looked > MostLooked {
		return ""
	}
	return Meaning(wrong, names())
}

// Meaning is didYouMean without its bound.
func Meaning(wrong string, names []string) string {
	if s := Closest(wrong, names); s != "" {
		return fmt.Sprintf("; did you mean %q?", s)
	}
	if len(names) == 0 {
		return ""
	}
	return "; there are " + listing(names)
}

// listing lists names, the first of many.
func listing(names []string) string {
	const most = 24
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}
