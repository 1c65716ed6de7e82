package document

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/terrane/terrane/internal/document/printer"
	"github.com/terrane/terrane/internal/document/syntax"
)

// schemaCannotSee are the bad documents that a schema takes: what is wrong with them is in the text, in what names
// mean, or in how numbers compare.
var schemaCannotSee = []string{
	"anchor", "billion-laughs", "duplicate-key", "merge-key", "tag", "nested", // YAML, not what it says
	"cycle", "depth-in-ground", "depth-without-ground", "height-depends-on-y", "overflow", "operation-as-name", "unknown-name",
	"no-parameters", "name-twice", "material-as-number", "material-numbers", "material-without-palette",
	"dimensions", "low-over-high", "points-order",
}

// plain returns what a JSON parser would make of v.
func plain(v *syntax.Value) any {
	switch v.Shape {
	case syntax.List:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			items[i] = plain(item)
		}
		return items
	case syntax.Mapping:
		m := map[string]any{}
		for _, p := range v.Pairs {
			m[p.Key] = plain(p.Value)
		}
		return m
	case syntax.Scalar:
		if _, err := strconv.ParseFloat(v.Text, 64); err == nil && !v.Quoted && syntax.NumberForm.MatchString(v.Text) {
			return json.Number(v.Text)
		}
		return v.Text
	}
	return nil
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(SchemaID) // which checks it against the meta-schema too
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The schema that docs/ publishes is this one.
func TestPublishedSchema(t *testing.T) { golden(t, "../../docs/terrane.schema.json", Schema()) }

// The schema takes all templates and all printed graphs, and refuses what it can see.
func TestSchema(t *testing.T) {
	s := schema(t)
	for _, name := range TemplateNames() {
		b := build(t, name, Template(name), Options{})
		text, err := printer.Print(b.Graph, printer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range [][]byte{Template(name), text} {
			if err := s.Validate(plain(syntax.Parse(src, &syntax.Reporter{}))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	files, err := filepath.Glob("testdata/bad/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := syntax.Parse(src, &syntax.Reporter{})
		if filepath.Ext(file) == ".txt" || tree == nil {
			continue
		}
		if bad, want := s.Validate(plain(tree)) != nil, !slices.Contains(schemaCannotSee, name); bad != want {
			t.Errorf("%s: refused %v, want %v", name, bad, want)
		}
	}
}

// Every operation's example is right, and so the schema says.
func TestExamples(t *testing.T) {
	s := schema(t)
	for _, o := range operations {
		src := "terrane: 1\nassets: {file: a.hgt}\nmaterials: {grass: \"#fff\", sand: \"#ff0\", rock face: \"#000\"}\nnodes:\n"
		for n := range strings.FieldsSeq("hills bumps hill tower ball slab rock caves line rugged plains surface ground height steepness") {
			src += "  " + n + ": 3\n"
		}
		example := strings.NewReplacer("heightmap: alps", "heightmap: file", "volume: scan", "volume: file").Replace(o.example)
		if strings.Contains(example, "grass") {
			src += "ground: 3\ndensity: {below: 3}\nmaterial: " + strings.Replace(example, "rock", "rock face", 1) + "\n"
		} else {
			src += "density: " + example + "\n"
		}
		if _, err := Parse(o.name, []byte(src), Options{}); err != nil {
			t.Error(err)
		}
		if err := s.Validate(plain(syntax.Parse([]byte(src), &syntax.Reporter{}))); err != nil {
			t.Errorf("%s: %v", o.name, err)
		}
		// A parameter with the name of an operation is told from it by what else is there.
		for _, p := range o.params {
			if other := operationOf[p.name]; other != nil && p.name != "scale" && p.name != "tube" {
				t.Errorf("%s has a parameter %q, which is an operation", o.name, p.name)
			}
		}
	}
}
