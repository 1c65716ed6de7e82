package document

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
)

// A Document is a checked document.
type Document struct {
	Name, About string
	Seed        int64
	Materials   []field.Material // the palette: a material's number is its place in the document
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

	span
}

// A Use says what the nodes that read an asset take it for.
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
	span
	number number
	used   bool
}

// A named is a node under nodes.
type named struct {
	name  string
	at    span
	value *expr
	// Of the search for cycles and of building.
	state          visit
	used           bool
	asked, painted bool // whether it is a material, once that was asked
	built          bool
	ref            field.Ref
}

// A checker reads a document's tree and reports what is wrong with it.
type checker struct {
	*reporter
	tree   *value
	doc    *Document
	opt    Options
	params map[string]*Parameter
	names  []string        // of nodes
	broken map[string]bool // names of what is there and was refused
}

// Parse reads a document, YAML or JSON. The error of one that cannot be used is [*Problems], which names all that
// is wrong; file is the name that it gives the document.
func Parse(file string, src []byte, opt Options) (*Document, error) {
	r := &reporter{file: file}
	c := &checker{reporter: r, opt: opt, doc: &Document{file: file, Seed: 1, byName: map[string]*named{}}, params: map[string]*Parameter{}, broken: map[string]bool{}}
	tree := parseTree(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), r)
	if c.tree = tree; tree != nil {
		c.document(tree)
	}
	c.doc.lines = r.lines
	if err := r.err(); err != nil {
		return nil, err
	}
	return c.doc, nil
}

// A topKey is a key of the document.
type topKey struct {
	name, about string
	example     string // of a key that must be there, else empty
	read        func(c *checker, v *value)
}

// topKeys are the document's keys in the order of the manual. What others need is read first.
var topKeys []topKey

func init() {
	topKeys = []topKey{
		{"terrane", "version of the language: 1", "terrane: 1", (*checker).version},
		{"name", "what the world is called", "", func(c *checker, v *value) { c.doc.Name = c.text(v, "name", 200) }},
		{"about", "what it is, for people", "", func(c *checker, v *value) { c.doc.About = c.text(v, "about", 4000) }},
		{"seed", "which world of this kind: every whole number makes another; all noise follows it (1)", "", (*checker).seed},
		{"cell", "meters between samples; 1 is what there is", "", (*checker).cell},
		{"parameters", "numbers with names, for nodes to use as $name", "", (*checker).parameters},
		{"assets", "files with names, for nodes to read", "", (*checker).assets},
		{"materials", "what the ground can be made of", "", (*checker).materials},
		{"nodes", "the nodes with names, in any order", "", (*checker).nodes},
		{"density", "the node that is the world: solid where it is over 0", "density: {below: hills}", func(c *checker, v *value) { c.doc.density = c.expr(v, "density") }},
		{"ground", "the node that is the height of the ground, from which `depth` is measured, in meters: over 0 in the ground, below 0 above it; the first height that the density is made of if it is left out", "",
			func(c *checker, v *value) { c.doc.ground = c.expr(v, "ground") }},
		{"material", "the node that says which material a point has", "", func(c *checker, v *value) { c.doc.paint = c.expr(v, "material") }},
	}
}

// later are keys and operations that the language keeps for itself.
var later = map[string]string{
	"scatter": "scattered objects", "erosion": "erosion", "formula": "formulas", "animate": "animated fields", "time": "animated fields",
}

// document reads the tree.
func (c *checker) document(v *value) {
	if v.shape != mapping {
		p := c.at(v.span, "a document is a mapping of keys like terrane, nodes and density, not %s", v.describe())
		p.hint("it begins with: terrane: 1")
		return
	}
	names := make([]string, len(topKeys))
	for i, k := range topKeys {
		names[i] = k.name
	}
	for _, p := range v.pairs {
		if what, ok := later[p.key]; ok {
			c.at(p.at, "%q is kept for %s, which this version does not have", p.key, what)
		} else if !slices.Contains(names, p.key) {
			q := c.at(p.at, "a document has no key %q%s", p.key, meaning(p.key, names))
			if _, isOp := operationOf[p.key]; isOp {
				q.hint("%q is a node; it belongs under nodes, or into density", p.key)
			}
		}
	}
	for _, k := range topKeys {
		switch part := v.find(k.name); {
		case part != nil:
			k.read(c, part)
		case k.example != "":
			p := c.at(v.span, "the document has no %q: %s", k.name, k.about)
			p.hint("like %s", k.example)
		}
	}
	if v.find("parameters") == nil {
		c.parameters(&value{span: v.span}) // what is to be set is not there
	}
	if c.opt.Seed != nil {
		c.doc.Seed = *c.opt.Seed
	}
	c.resolve()
}

// describe names a value in a message.
func (v *value) describe() string {
	if v.shape == scalar {
		return strconv.Quote(shorten(v.text))
	}
	return v.shape.String()
}

// shorten cuts long text.
func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}

// text reads a value that is text.
func (c *checker) text(v *value, name string, most int) string {
	if v.shape != scalar {
		c.at(v.span, "%s is text, not %s", name, v.describe())
		return ""
	}
	if n := len([]rune(v.text)); n > most {
		c.at(v.span, "%s has %d characters; it may have %d", name, n, most)
	}
	c.noControl(v.span, name, v.text)
	return v.text
}

// noControl refuses characters in text for people that would control the terminals and pages that show it. Ends of
// lines are fine.
func (c *checker) noControl(at span, name, text string) {
	i := strings.IndexFunc(text, func(r rune) bool { return hidden(r) && r != '\n' })
	if i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		c.at(at, "%s holds the character %U, which controls terminals and cannot be seen", name, r).hint("leave it out")
	}
}

func (c *checker) version(v *value) {
	switch n, ok := c.whole(v, "terrane", "", 1, 1e6); {
	case ok && n != 1:
		c.at(v.span, "the document is written in version %d of the language; this terrane reads version 1", n).
			hint("a newer terrane may read it")
	}
}

func (c *checker) seed(v *value) {
	if n, ok := c.integer(v, "seed"); ok {
		c.doc.Seed = n
	}
}

func (c *checker) cell(v *value) {
	if n, ok := c.number(v, "cell"); ok && n.f64() != 1 {
		c.at(v.span, "cells of %s m are not there yet; leave cell out, or say cell: 1", n)
	}
}

// nameForm is what names look like.
var nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// reserved are names that mean something by themselves.
var reserved = []string{"x", "y", "z", "depth"}

// nameOf checks a new name of a node, a parameter, a material or an asset.
func (c *checker) nameOf(p *pair, what string) bool {
	switch {
	case !nameForm.MatchString(p.key):
		c.at(p.at, "%q is no name for %s; names begin with a letter and go on with letters, digits, - and _, up to 64", shorten(p.key), what)
	case slices.Contains(reserved, p.key) && (what == "a node" || what == "a material"):
		c.at(p.at, "%q already means something: x, y and z are coordinates, depth is how far below the ground a point is", p.key).
			hint("give the %s another name", strings.Fields(what)[1])
	default:
		return true
	}
	return false
}

// entries returns the pairs of a mapping of names.
func (c *checker) entries(v *value, name, example string) []pair {
	if v.shape == nothing {
		return nil
	}
	if v.shape != mapping {
		c.at(v.span, "%s is a mapping of names, not %s", name, v.describe()).hint("like %s", example)
		return nil
	}
	return v.pairs
}

// keys reports keys of a mapping that are none of the known ones.
func (c *checker) keys(v *value, what string, known ...string) bool {
	if v.shape != mapping {
		c.at(v.span, "%s is a mapping of %s, not %s", what, strings.Join(known, ", "), v.describe())
		return false
	}
	for _, p := range v.pairs {
		if !slices.Contains(known, p.key) {
			c.at(p.at, "%s has no %q%s", what, p.key, meaning(p.key, known))
		}
	}
	return true
}

func (c *checker) parameters(v *value) {
	for _, p := range c.entries(v, "parameters", "steepness: {value: 0.7, min: 0, max: 1}") {
		if !c.nameOf(&p, "a parameter") {
			c.broken[p.key] = true
			continue
		}
		q := &Parameter{Name: p.key, span: p.at}
		c.broken[p.key] = true // until its number was read
		at := p.value
		if p.shape == mapping {
			c.keys(p.value, "a parameter", "value", "min", "max", "unit", "about")
			if at = p.value.find("value"); at == nil {
				c.at(p.at, "the parameter %q has no value", p.key).hint("like %s: {value: 1, min: 0, max: 2}", p.key)
				continue
			}
			for name, text := range map[string]*string{"unit": &q.Unit, "about": &q.About} {
				if t := p.value.find(name); t != nil {
					*text = c.text(t, name, 400)
				}
			}
		}
		name := p.key
		if set, ok := c.opt.Set[p.key]; ok {
			at, name = &value{shape: scalar, text: set}, "--set "+p.key
		}
		n, ok := c.number(at, name)
		if !ok {
			continue
		}
		if p.shape == mapping {
			c.within(p.value, n, name, q.Unit)
		}
		q.number, q.Value = n, n.text
		c.params[p.key] = q
		delete(c.broken, p.key)
		c.doc.Parameters = append(c.doc.Parameters, *q)
	}
	for name := range c.opt.Set {
		if _, ok := c.params[name]; !ok && v.find(name) == nil {
			c.at(span{}, "--set %s: there is no parameter %q to set%s", name, name, c.didYouMean(name, c.paramNames))
		}
	}
}

// within checks a parameter's value against its own range.
func (c *checker) within(v *value, n number, name, unit string) {
	for _, end := range []string{"min", "max"} {
		e := v.find(end)
		if e == nil {
			continue
		}
		m, ok := c.number(e, end)
		if ok && (end == "min" && n.f64() < m.f64() || end == "max" && n.f64() > m.f64()) {
			c.at(n.span, "%s is %s; its %s is %s", name, withUnit(n.text, unit), end, withUnit(m.text, unit))
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

func (c *checker) assets(v *value) {
	for _, p := range c.entries(v, "assets", "alps: {file: N47E009.hgt}") {
		if !c.nameOf(&p, "an asset") {
			c.broken[p.key] = true
			continue
		}
		if p.shape == scalar { // the file alone
			c.doc.Assets = append(c.doc.Assets, Asset{Name: p.key, File: p.text, span: p.value.span})
			continue
		}
		if !c.keys(p.value, "an asset", "file", "sha256", "sample-meters", "height-range") {
			continue
		}
		a := Asset{Name: p.key, span: p.at}
		file, hash := p.value.find("file"), p.value.find("sha256")
		switch {
		case (file == nil) == (hash == nil):
			c.at(p.at, "the asset %q needs a file, or the sha256 of a raster that the world already has", p.key).hint("like %s: {file: N47E009.hgt}", p.key)
			continue
		case file != nil:
			a.File = c.text(file, "file", 1000)
		default:
			var err error
			if a.Hash, err = asset.Parse(hash.text); err != nil || a.Hash == (asset.Hash{}) {
				c.at(hash.span, "%s is no SHA-256: 64 hexadecimal digits", hash.describe())
			}
		}
		if m := p.value.find("sample-meters"); m != nil {
			a.SampleMeters = c.floats(m, &param{name: "sample-meters", unit: "m", lo: tiny, hi: 1e6, count: [2]int{1, 2}})
		}
		if m := p.value.find("height-range"); m != nil {
			a.HeightRange = c.floats(m, &param{name: "height-range", unit: "m", lo: -1e6, hi: 1e6, count: [2]int{2, 2}})
			if h := a.HeightRange; len(h) == 2 && h[0] >= h[1] {
				c.at(m.span, "height-range is the lowest and then the highest height, not %v and %v", h[0], h[1])
			}
		}
		c.doc.Assets = append(c.doc.Assets, a)
	}
}

// floats reads one number or a list.
func (c *checker) floats(v *value, p *param) (list []float64) {
	for _, n := range c.numbers(v, p) {
		list = append(list, n.f64())
	}
	return list
}

func (c *checker) materials(v *value) {
	for _, p := range c.entries(v, "materials", `grass: {color: "#5a8f3c"}`) {
		if n := len(p.key); n > 64 || n == 0 || strings.ContainsFunc(p.key, hidden) {
			c.at(p.at, "the name of a material has 1 to 64 letters, and %q has %d bytes", shorten(p.key), n)
			continue
		}
		if slices.Contains(reserved, p.key) {
			c.nameOf(&p, "a material") // says what the name means
			continue
		}
		m := field.Material{Name: p.key, Roughness: 1}
		c.broken[p.key] = true // until its color was read
		color := p.value
		if p.shape == mapping {
			c.keys(p.value, "a material", "color", "roughness")
			if color = p.value.find("color"); color == nil {
				c.at(p.at, "the material %q has no color", p.key).hint(`like %s: {color: "#8a8178"}`, p.key)
				continue
			}
			if r := p.value.find("roughness"); r != nil {
				if n, ok := c.ranged(r, &param{name: "roughness", lo: 0, hi: 1}); ok {
					m.Roughness = n.f32()
				}
			}
		}
		var ok bool
		if m.Color, ok = parseColor(color.text); !ok {
			q := c.at(color.span, "%s is no color; a color is red, green and blue in hexadecimal, like \"#5a8f3c\"", color.describe())
			if color.shape == nothing {
				q.hint("a # begins a comment unless it stands in quotes")
			}
			continue
		}
		if len(c.doc.Materials) == field.MaxMaterials {
			c.at(p.at, "there are more than %d materials", field.MaxMaterials)
			return
		}
		delete(c.broken, p.key)
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

func (c *checker) nodes(v *value) {
	for _, p := range c.entries(v, "nodes", "hills: {noise: gradient, period: 80}") {
		if !c.nameOf(&p, "a node") {
			c.broken[p.key] = true
			continue
		}
		if slices.ContainsFunc(c.doc.Materials, func(m field.Material) bool { return m.Name == p.key }) {
			c.at(p.at, "%q is already a material", p.key).hint("rename the node")
			continue
		}
		n := &named{name: p.key, at: p.at, value: c.expr(p.value, p.key)}
		c.doc.named = append(c.doc.named, n)
		c.doc.byName[p.key] = n
		c.names = append(c.names, p.key)
	}
}
