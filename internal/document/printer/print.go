package printer

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
	"github.com/terrane/terrane/lattice"
)

// Options say what a printed document holds besides the graph.
type Options struct {
	Name, About string
	// Comment is put before everything, each of its lines as a YAML comment.
	Comment string
}

// Print writes the document of a graph: [Parse] and [Document.Graph] make the same graph of it, byte for byte. Its
// nodes have the names of what they do and the numbers that they have in the graph. It refuses a graph that does
// not compile, as far as it sees that.
func Print(g *graph.Graph, opt Options) ([]byte, error) {
	p := &printer{g: g, names: map[string]bool{}}
	for _, m := range g.Materials {
		p.names[m.Name] = true
	}
	p.header(opt)
	if len(g.Nodes) == 0 {
		return nil, errors.New("document: the graph has no nodes")
	}
	last := &g.Nodes[len(g.Nodes)-1]
	world := last.Kind == graph.KindWorld || last.Kind == graph.KindPaintedWorld
	nodes := g.Nodes
	if world {
		nodes = nodes[:len(nodes)-1]
	}
	p.assets()
	p.materials()
	if len(nodes) > 0 {
		p.line("nodes:")
	}
	for i := range nodes {
		if err := p.node(i, &nodes[i]); err != nil {
			return nil, fmt.Errorf("document: node %d (%v): %w", i, nodes[i].Kind, err)
		}
	}
	if err := p.end(last, world); err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	return []byte(p.out.String()), nil
}

// A printer writes a document.
type printer struct {
	g     *graph.Graph
	out   strings.Builder
	names map[string]bool // taken
	of    []string        // the nodes' names
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.out, format+"\n", args...)
}

func (p *printer) header(opt Options) {
	if opt.Comment != "" {
		for l := range strings.SplitSeq(opt.Comment, "\n") {
			p.line("%s", strings.TrimRight("# "+l, " "))
		}
	}
	p.line("terrane: 1")
	if opt.Name != "" {
		p.line("name: %s", quote(opt.Name))
	}
	if opt.About != "" {
		p.line("about: %s", quote(opt.About))
	}
	p.line("seed: 0")
}

// quote returns text as YAML and JSON both read it.
func quote(s string) string {
	if syntax.NameForm.MatchString(s) && !slices.Contains([]string{"true", "false", "null", "yes", "no"}, strings.ToLower(s)) && !syntax.NotFinite(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (p *printer) assets() {
	for i, h := range p.g.Assets() {
		if i == 0 {
			p.line("assets:")
		}
		p.line("  %s: {sha256: %q}", assetName(i), h.String())
	}
}

func assetName(i int) string { return fmt.Sprintf("raster-%d", i) }

func (p *printer) materials() {
	for i, m := range p.g.Materials {
		if i == 0 {
			p.line("materials:")
		}
		p.line("  %s: {color: \"#%02x%02x%02x\", roughness: %s}", quote(m.Name), m.Color[0], m.Color[1], m.Color[2], f32Text(m.Roughness))
	}
}

// node writes node i.
func (p *printer) node(i int, n *graph.Node) error {
	print, ok := printers[n.Kind]
	if !ok {
		return errors.New("the language has no such node")
	}
	for _, k := range n.Inputs {
		if int(k) >= i {
			return fmt.Errorf("it reads node %d, which is no earlier one", k)
		}
	}
	if err := n.Check(); err != nil {
		return err
	}
	w := &nodeWriter{n: n}
	for _, k := range n.Inputs {
		w.in = append(w.in, p.of[k])
	}
	if n.Asset != (asset.Hash{}) {
		w.asset = assetName(slices.Index(p.g.Assets(), n.Asset))
	}
	print(w)
	if w.err != nil {
		return w.err
	}
	text := "{" + strings.Join(w.keys, ", ") + "}"
	stem := w.stem
	if n.Kind == graph.KindConstant {
		text, stem = f32Text(n.Floats[0]), "number"
	}
	name := fmt.Sprintf("%s-%d", stem, i)
	for p.names[name] {
		name += "-"
	}
	p.names[name] = true
	p.of = append(p.of, name)
	p.line("  %s: %s", name, text)
	return nil
}

// end writes the roots.
func (p *printer) end(last *graph.Node, world bool) error {
	if !world {
		p.line("density: %s", p.of[len(p.of)-1])
		return nil
	}
	want := 2
	if last.Kind == graph.KindPaintedWorld {
		want = 3
	}
	if len(last.Inputs) != want || len(last.Ints)+len(last.Floats) > 0 {
		return fmt.Errorf("the world has %d inputs, want %d", len(last.Inputs), want)
	}
	for i, key := range []string{"density", "ground", "material"}[:want] {
		k := last.Inputs[i]
		if int(k) >= len(p.of) {
			return fmt.Errorf("the world reads node %d, which is no earlier one", k)
		}
		p.line("%s: %s", key, p.of[k])
	}
	return nil
}

// f32Text returns the shortest decimal that is this float32.
func f32Text(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }

func f64Text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A nodeWriter writes the keys of one node.
type nodeWriter struct {
	n     *graph.Node
	in    []string
	asset string
	stem  string
	keys  []string
	err   error
}

// op writes the key that names the operation. Its name becomes the stem of the node's.
func (w *nodeWriter) op(name, text string) {
	w.stem = name
	w.key(name, text)
}

func (w *nodeWriter) key(name, text string) { w.keys = append(w.keys, name+": "+text) }

// f writes a float as it is.
func (w *nodeWriter) f(name string, i int) { w.key(name, f32Text(w.n.Floats[i])) }

func listText[T any](v []T, text func(T) string) string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = text(v[i])
	}
	return "[" + strings.Join(s, ", ") + "]"
}

func same(s string) string { return s }

// twice returns a half size as the size.
func twice(v float32) string { return f32Text(v * 2) }

// at writes a place: in decimal where that gives the same anchor and offset, else as these.
func (w *nodeWriter) at(axes int) {
	anchor, offset := w.n.Ints[:axes], w.n.Floats[:axes]
	decimals := make([]string, axes)
	exact, origin := true, true
	for i := range axes {
		d := decimal(anchor[i], offset[i])
		whole, rest := syntax.Number{Text: d}.Split()
		exact = exact && whole == anchor[i] && whole < lattice.Limit && f32Text(rest) == f32Text(offset[i]) && len(d) <= syntax.MaxDigits
		origin = origin && d == "0"
		decimals[i] = d
	}
	switch {
	case exact && origin:
	case !exact:
		w.key("at", fmt.Sprintf("{anchor: %s, offset: %s}", listText(anchor, func(v int64) string { return strconv.FormatInt(v, 10) }),
			listText(offset, f32Text)))
	case axes == 1:
		w.key("at", decimals[0])
	default:
		w.key("at", listText(decimals, same))
	}
}

// decimal returns the sum of a whole number and a float32 in as many digits as the float32 needs.
func decimal(whole int64, rest float32) string {
	text := strconv.FormatFloat(float64(rest), 'f', -1, 32)
	r, _ := new(big.Rat).SetString(text)
	digits := 0
	if k := strings.IndexByte(text, '.'); k >= 0 {
		digits = len(text) - k - 1
	}
	return new(big.Rat).Add(r, new(big.Rat).SetInt64(whole)).FloatString(digits)
}
