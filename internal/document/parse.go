package document

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document/syntax"
)

// A Document is a checked document.
type Document struct {
	Name, About string
	Seed        int64
	Materials   []graph.Material // the palette: a material's number is its place in the document
	Assets      []Asset
	Parameters  []Parameter
	// Unused are the named nodes that nothing reads.
	Unused []string
	// Seeded says whether there is noise that follows the seed.
	Seeded bool

	file    string
	lines   []string
	named   []*named // in the order of the text
	byName  map[string]*named
	density *expr
	ground  *expr // nil if the document does not say
	paint   *expr // nil if the document does not say

	groundNode *named // the ground, for depth
}

// Options change what a document says.
type Options struct {
	Seed *int64 // instead of the document's, if not nil
	// Set gives parameters other values, as --set of the command line does: what is wrong with them is of no line of
	// the document, and their Problems have line 0.
	Set map[string]string
}

// An Asset is a file that a document reads.
type Asset struct {
	Name         string
	File         string     // relative to the document; empty if the hash names it
	Hash         asset.Hash // of the canonical form, if File is empty
	SampleMeters []float64  // between samples along x and z; none: as the file says
	HeightRange  []float64  // of the lowest and the highest number of an image; none: as they are
	Use          Use

	syntax.Span
}

// A Use is the kind of data that nodes read an asset as.
type Use uint8

// The uses of assets.
const (
	Unused Use = iota
	Heightmap
	Volume
)

func (u Use) String() string { return [...]string{"file that nothing reads", "heightmap", "volume"}[u] }

// A Parameter is a number of the document that has a name.
type Parameter struct {
	Name, Value, Unit, About string
	syntax.Span
	number syntax.Number
	used   bool
}

// A named is a node under nodes.
type named struct {
	name  string
	at    syntax.Span
	value *expr
	// Of the search for cycles and of building.
	state          visit
	used           bool
	asked, painted bool // whether it is a material, once that was asked
	built          bool
	ref            graph.Ref
}

// A checker reads a document's tree and reports what is wrong with it.
type checker struct {
	*syntax.Reporter
	tree   *syntax.Value
	doc    *Document
	opt    Options
	params map[string]*Parameter
	names  []string        // of nodes
	broken map[string]bool // names of what is there and was refused
}

// Parse reads a document, YAML or JSON. The error of one that cannot be used is [*Problems], which names all that
// is wrong; file is the name that it gives the document.
func Parse(file string, src []byte, opt Options) (*Document, error) {
	r := &syntax.Reporter{File: file}
	c := &checker{Reporter: r, opt: opt, doc: &Document{file: file, Seed: 1, byName: map[string]*named{}}, params: map[string]*Parameter{}, broken: map[string]bool{}}
	tree := syntax.Parse(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), r)
	if c.tree = tree; tree != nil {
		c.document(tree)
	}
	c.doc.lines = r.Lines
	if err := r.Err(); err != nil {
		return nil, err
	}
	return c.doc, nil
}

// A topKey is a key of the document.
type topKey struct {
	name, about string
	example     string // of a key that must be there, else empty
	read        func(c *checker, v *syntax.Value)
}

// topKeys are the document's keys in the order of the manual. What others need is read first.
var topKeys []topKey

func init() {
	topKeys = []topKey{
		{"terrane", "version of the language: 1", "terrane: 1", (*checker).version},
		{"name", "what the world is called", "", func(c *checker, v *syntax.Value) { c.doc.Name = c.text(v, "name", 200) }},
		{"about", "what it is, for people", "", func(c *checker, v *syntax.Value) { c.doc.About = c.text(v, "about", 4000) }},
		{"seed", "which world of this kind: every whole number makes another; all noise follows it (1)", "", (*checker).seed},
		{"cell", "meters between samples; 1 is what there is", "", (*checker).cell},
		{"parameters", "numbers with names, for nodes to use as $name", "", (*checker).parameters},
		{"assets", "files with names, for nodes to read", "", (*checker).assets},
		{"materials", "what the ground can be made of", "", (*checker).materials},
		{"nodes", "the nodes with names, in any order", "", (*checker).nodes},
		{"density", "the node that is the world: solid where it is over 0", "density: {below: hills}", func(c *checker, v *syntax.Value) { c.doc.density = c.expr(v, "density") }},
		{"ground", "the node that is the height of the ground, from which `depth` is measured, in meters: over 0 in the ground, below 0 above it; the first height that the density is made of if it is left out", "",
			func(c *checker, v *syntax.Value) { c.doc.ground = c.expr(v, "ground") }},
		{"material", "the node that says which material a point has", "", func(c *checker, v *syntax.Value) { c.doc.paint = c.expr(v, "material") }},
	}
}

// later are keys and operations that the language keeps for itself.
var later = map[string]string{
	"scatter": "scattered objects", "erosion": "erosion", "formula": "formulas", "animate": "animated fields", "time": "animated fields",
}

// document reads the tree.
func (c *checker) document(v *syntax.Value) {
	if v.Shape != syntax.Mapping {
		p := c.At(v.Span, "a document is a mapping of keys like terrane, nodes and density, not %s", v.Describe())
		p.Suggest("it begins with: terrane: 1")
		return
	}
	names := make([]string, len(topKeys))
	for i, k := range topKeys {
		names[i] = k.name
	}
	for _, p := range v.Pairs {
		if what, ok := later[p.Key]; ok {
			c.At(p.At, "%q is kept for %s, which this version does not have", p.Key, what)
		} else if !slices.Contains(names, p.Key) {
			q := c.At(p.At, "a document has no key %q%s", p.Key, syntax.Meaning(p.Key, names))
			if _, isOp := operationOf[p.Key]; isOp {
				q.Suggest("%q is a node; it belongs under nodes, or into density", p.Key)
			}
		}
	}
	for _, k := range topKeys {
		switch part := v.Find(k.name); {
		case part != nil:
			k.read(c, part)
		case k.example != "":
			p := c.At(v.Span, "the document has no %q: %s", k.name, k.about)
			p.Suggest("like %s", k.example)
		}
	}
	if v.Find("parameters") == nil {
		c.parameters(&syntax.Value{Span: v.Span}) // what is to be set is not there
	}
	if c.opt.Seed != nil {
		c.doc.Seed = *c.opt.Seed
	}
	c.resolve()
}

// text reads a value that is text.
func (c *checker) text(v *syntax.Value, name string, most int) string {
	if v.Shape != syntax.Scalar {
		c.At(v.Span, "%s is text, not %s", name, v.Describe())
		return ""
	}
	if n := len([]rune(v.Text)); n > most {
		c.At(v.Span, "%s has %d characters; it may have %d", name, n, most)
	}
	c.noControl(v.Span, name, v.Text)
	return v.Text
}

// noControl refuses characters in text for people that would control the terminals and pages that show it. Ends of
// lines are fine.
func (c *checker) noControl(at syntax.Span, name, text string) {
	i := strings.IndexFunc(text, func(r rune) bool { return syntax.Hidden(r) && r != '\n' })
	if i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		c.At(at, "%s holds the character %U, which controls terminals and cannot be seen", name, r).Suggest("leave it out")
	}
}

func (c *checker) version(v *syntax.Value) {
	switch n, ok := c.whole(v, "terrane", "", 1, 1e6); {
	case ok && n != 1:
		c.At(v.Span, "the document is written in version %d of the language; this terrane reads version 1", n).
			Suggest("a newer terrane may read it")
	}
}

func (c *checker) seed(v *syntax.Value) {
	if n, ok := c.integer(v, "seed"); ok {
		c.doc.Seed = n
	}
}

func (c *checker) cell(v *syntax.Value) {
	if n, ok := c.number(v, "cell"); ok && n.F64() != 1 {
		c.At(v.Span, "cells of %s m are not there yet; leave cell out, or say cell: 1", n)
	}
}

// reserved are names that mean something by themselves.
var reserved = []string{"x", "y", "z", "depth"}

// nameOf checks a new name of a node, a parameter, a material or an asset.
func (c *checker) nameOf(p *syntax.Pair, what string) bool {
	switch {
	case !syntax.NameForm.MatchString(p.Key):
		c.At(p.At, "%q is no name for %s; names begin with a letter and go on with letters, digits, - and _, up to 64", syntax.Shorten(p.Key), what)
	case slices.Contains(reserved, p.Key) && (what == "a node" || what == "a material"):
		c.At(p.At, "%q already means something: x, y and z are coordinates, depth is how far below the ground a point is", p.Key).
			Suggest("give the %s another name", strings.Fields(what)[1])
	default:
		return true
	}
	return false
}

// entries returns the pairs of a mapping of names.
func (c *checker) entries(v *syntax.Value, name, example string) []syntax.Pair {
	if v.Shape == syntax.Nothing {
		return nil
	}
	if v.Shape != syntax.Mapping {
		c.At(v.Span, "%s is a mapping of names, not %s", name, v.Describe()).Suggest("like %s", example)
		return nil
	}
	return v.Pairs
}

// keys reports keys of a mapping that are none of the known ones.
func (c *checker) keys(v *syntax.Value, what string, known ...string) bool {
	if v.Shape != syntax.Mapping {
		c.At(v.Span, "%s is a mapping of %s, not %s", what, strings.Join(known, ", "), v.Describe())
		return false
	}
	for _, p := range v.Pairs {
		if !slices.Contains(known, p.Key) {
			c.At(p.At, "%s has no %q%s", what, p.Key, syntax.Meaning(p.Key, known))
		}
	}
	return true
}

func (c *checker) parameters(v *syntax.Value) {
	for _, p := range c.entries(v, "parameters", "steepness: {value: 0.7, min: 0, max: 1}") {
		if !c.nameOf(&p, "a parameter") {
			c.broken[p.Key] = true
			continue
		}
		q := &Parameter{Name: p.Key, Span: p.At}
		c.broken[p.Key] = true // until its number was read
		at := p.Value
		if p.Shape == syntax.Mapping {
			c.keys(p.Value, "a parameter", "value", "min", "max", "unit", "about")
			if at = p.Value.Find("value"); at == nil {
				c.At(p.At, "the parameter %q has no value", p.Key).Suggest("like %s: {value: 1, min: 0, max: 2}", p.Key)
				continue
			}
			for name, text := range map[string]*string{"unit": &q.Unit, "about": &q.About} {
				if t := p.Value.Find(name); t != nil {
					*text = c.text(t, name, 400)
				}
			}
		}
		name := p.Key
		if set, ok := c.opt.Set[p.Key]; ok {
			at, name = &syntax.Value{Shape: syntax.Scalar, Text: set}, "--set "+p.Key
		}
		n, ok := c.number(at, name)
		if !ok {
			continue
		}
		if p.Shape == syntax.Mapping {
			c.within(p.Value, n, name, q.Unit)
		}
		q.number, q.Value = n, n.Text
		c.params[p.Key] = q
		delete(c.broken, p.Key)
		c.doc.Parameters = append(c.doc.Parameters, *q)
	}
	for name := range c.opt.Set {
		if _, ok := c.params[name]; !ok && v.Find(name) == nil {
			c.At(syntax.Span{}, "--set %s: there is no parameter %q to set%s", name, name, c.DidYouMean(name, c.paramNames))
		}
	}
}

// within checks a parameter's value against its own range.
func (c *checker) within(v *syntax.Value, n syntax.Number, name, unit string) {
	for _, end := range []string{"min", "max"} {
		e := v.Find(end)
		if e == nil {
			continue
		}
		m, ok := c.number(e, end)
		if ok && (end == "min" && n.F64() < m.F64() || end == "max" && n.F64() > m.F64()) {
			c.At(n.Span, "%s is %s; its %s is %s", name, withUnit(n.Text, unit), end, withUnit(m.Text, unit))
		}
	}
}

func (c *checker) paramNames() []string {
	names := make([]string, 0, len(c.params))
	for n := range c.params {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func (c *checker) assets(v *syntax.Value) {
	for _, p := range c.entries(v, "assets", "alps: {file: N47E009.hgt}") {
		if !c.nameOf(&p, "an asset") {
			c.broken[p.Key] = true
			continue
		}
		if p.Shape == syntax.Scalar { // the file alone
			c.doc.Assets = append(c.doc.Assets, Asset{Name: p.Key, File: p.Text, Span: p.Value.Span})
			continue
		}
		if !c.keys(p.Value, "an asset", "file", "sha256", "sample-meters", "height-range") {
			continue
		}
		a := Asset{Name: p.Key, Span: p.At}
		file, hash := p.Value.Find("file"), p.Value.Find("sha256")
		switch {
		case (file == nil) == (hash == nil):
			c.At(p.At, "the asset %q needs a file, or the sha256 of a raster that the world already has", p.Key).Suggest("like %s: {file: N47E009.hgt}", p.Key)
			continue
		case file != nil:
			a.File = c.text(file, "file", 1000)
		default:
			var err error
			if a.Hash, err = asset.Parse(hash.Text); err != nil || a.Hash == (asset.Hash{}) {
				c.At(hash.Span, "%s is no SHA-256: 64 hexadecimal digits", hash.Describe())
			}
		}
		if m := p.Value.Find("sample-meters"); m != nil {
			a.SampleMeters = c.floats(m, &param{name: "sample-meters", unit: "m", lo: tiny, hi: 1e6, count: [2]int{1, 2}})
		}
		if m := p.Value.Find("height-range"); m != nil {
			a.HeightRange = c.floats(m, &param{name: "height-range", unit: "m", lo: -1e6, hi: 1e6, count: [2]int{2, 2}})
			if h := a.HeightRange; len(h) == 2 && h[0] >= h[1] {
				c.At(m.Span, "height-range is the lowest and then the highest height, not %v and %v", h[0], h[1])
			}
		}
		c.doc.Assets = append(c.doc.Assets, a)
	}
}

// floats reads one number or a list.
func (c *checker) floats(v *syntax.Value, p *param) (list []float64) {
	for _, n := range c.numbers(v, p) {
		list = append(list, n.F64())
	}
	return list
}

func (c *checker) materials(v *syntax.Value) {
	for _, p := range c.entries(v, "materials", `grass: {color: "#5a8f3c"}`) {
		if n := len(p.Key); n > 64 || n == 0 || strings.ContainsFunc(p.Key, syntax.Hidden) {
			c.At(p.At, "the name of a material has 1 to 64 letters, and %q has %d bytes", syntax.Shorten(p.Key), n)
			continue
		}
		if slices.Contains(reserved, p.Key) {
			c.nameOf(&p, "a material") // says what the name means
			continue
		}
		m := graph.Material{Name: p.Key, Roughness: 1}
		c.broken[p.Key] = true // until its color was read
		color := p.Value
		if p.Shape == syntax.Mapping {
			c.keys(p.Value, "a material", "color", "roughness")
			if color = p.Value.Find("color"); color == nil {
				c.At(p.At, "the material %q has no color", p.Key).Suggest(`like %s: {color: "#8a8178"}`, p.Key)
				continue
			}
			if r := p.Value.Find("roughness"); r != nil {
				if n, ok := c.ranged(r, &param{name: "roughness", lo: 0, hi: 1}); ok {
					m.Roughness = n.F32()
				}
			}
		}
		var ok bool
		if m.Color, ok = parseColor(color.Text); !ok {
			q := c.At(color.Span, "%s is no color; a color is red, green and blue in hexadecimal, like \"#5a8f3c\"", color.Describe())
			if color.Shape == syntax.Nothing {
				q.Suggest("a # begins a comment unless it stands in quotes")
			}
			continue
		}
		if len(c.doc.Materials) == graph.MaxMaterials {
			c.At(p.At, "there are more than %d materials", graph.MaxMaterials)
			return
		}
		delete(c.broken, p.Key)
		c.doc.Materials = append(c.doc.Materials, m)
	}
}

// parseColor reads #rrggbb or #rgb.
func parseColor(s string) (rgb [3]uint8, ok bool) {
	s, ok = strings.CutPrefix(s, "#")
	if len(s) == 3 {
		s = fmt.Sprintf("%c%c%c%c%c%c", s[0], s[0], s[1], s[1], s[2], s[2])
	}
	n, err := strconv.ParseUint(s, 16, 32)
	if !ok || len(s) != 6 || err != nil {
		return rgb, false
	}
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

func (c *checker) nodes(v *syntax.Value) {
	for _, p := range c.entries(v, "nodes", "hills: {noise: gradient, period: 80}") {
		if !c.nameOf(&p, "a node") {
			c.broken[p.Key] = true
			continue
		}
		if slices.ContainsFunc(c.doc.Materials, func(m graph.Material) bool { return m.Name == p.Key }) {
			c.At(p.At, "%q is already a material", p.Key).Suggest("rename the node")
			continue
		}
		n := &named{name: p.Key, at: p.At, value: c.expr(p.Value, p.Key)}
		c.doc.named = append(c.doc.named, n)
		c.doc.byName[p.Key] = n
		c.names = append(c.names, p.Key)
	}
}
