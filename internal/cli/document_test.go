package cli

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/document"
)

const valley = `terrane: 1
name: Valley
parameters: {width: {value: 40, min: 5, max: 100, unit: m}}
materials: {grass: "#5d8f3a", rock: "#777777"}
nodes:
  walls: {curve: {abs: x}, points: [[0, 0], [$width, 30]]}
  rough: {scale: {noise: gradient, period: 30, octaves: 3}, by: 3}
  height: {add: [walls, rough]}
  spare: 3
density: {below: height}
ground: height
material: {bands: depth, of: [grass, 2, rock]}
`

// writeText writes a file and returns its path.
func writeText(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a command that must do well and returns what it printed.
func run(t *testing.T, args ...string) string {
	t.Helper()
	status, out, stderr := command(args...)
	if status != statusOK {
		t.Fatalf("%q: %d, %s", args, status, stderr)
	}
	return out
}

func has(t *testing.T, text string, says ...string) {
	t.Helper()
	for _, want := range says {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// readPNG reads a picture that must be readable and returns it and the file's bytes.
func readPNG(t *testing.T, name string) (image.Image, []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img, data
}

// A template's document is printed, changed, checked, and made into a world that keeps it.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	text := run(t, "new", "--print", "--template", "canyon", "--seed", "5")
	has(t, text, "\nseed: 5\n", "name: Canyon", "$schema=terrane.schema.json")
	if isles := run(t, "new", "--print", "--template", "islands", "--seed", "5"); strings.Count(isles, "\nseed:") != 1 {
		t.Errorf("not one seed in\n%s", isles)
	}
	doc, world := writeText(t, dir, "mine.yaml", text), filepath.Join(dir, "mine.terrane")
	has(t, run(t, "new", world, "--document", doc, "--set", "depth=40"), "Made "+world+" of the document mine.yaml", "terrane serve "+world)
	has(t, run(t, "inspect", world), "--document mine.yaml --set depth=40 --seed 5")
	if kept := run(t, "inspect", world, "--document"); kept != text {
		t.Errorf("it keeps another document:\n%s", kept)
	}
	status, _, stderr := command("new", world, "--document", doc)
	if status != statusInput || !strings.Contains(stderr, "is there already") {
		t.Errorf("again: %d, %s", status, stderr)
	}
	isles := filepath.Join(dir, "isles.terrane")
	has(t, run(t, "new", isles, "--template", "islands", "--seed", "3"), "of islands")
	has(t, run(t, "inspect", isles), "--template islands --seed 3")
	if kept := run(t, "inspect", isles, "--document"); kept != string(document.Template("islands")) {
		t.Errorf("it keeps another document:\n%s", kept)
	}
	_, help, _ := command("new", "--help")
	for _, name := range document.TemplateNames() {
		has(t, help, name, document.About(document.Template(name))[:40])
	}
}

// What lies a hand deep is not on a map, from however far it is drawn, also where the surface goes through samples.
func TestPreviewShowsTheSurface(t *testing.T) {
	dir := t.TempDir()
	doc := writeText(t, dir, "meadow.yaml", `terrane: 1
parameters: {rise: 1}
materials: {grass: {color: "#00c000"}, lava: {color: "#c00000"}}
nodes:
  hills: {scale: {noise: gradient, period: 400}, by: 30}
  stepped: {terrace: hills, step: 8, rise: $rise}
density: {below: stepped}
ground: stepped
material: {bands: depth, of: [grass, 0.8, lava]}
`)
	out := filepath.Join(dir, "map.png")
	for _, args := range [][]string{nil, {"--set", "rise=0.02"}, {"--meters", "8"}, {"--meters", "50"}} {
		run(t, append([]string{"preview", doc, "-o", out, "--size", "120x80", "--plain"}, args...)...)
		img, _ := readPNG(t, out)
		lava := 0
		for y := range 80 {
			for x := range 120 {
				if r, g, _, _ := img.At(x, y).RGBA(); r > g {
					lava++
				}
			}
		}
		if lava > 120*80/100 {
			t.Errorf("%v: %d of %d pixels are lava", args, lava, 120*80)
		}
	}
}

// Of a world that was made without a document one is printed that gives its graph.
func TestInspectDocument(t *testing.T) {
	dir := t.TempDir()
	world := filepath.Join(dir, "bowl.terrane")
	run(t, "new", world, "--heightmap", bowl, "--scale", "2")
	text := run(t, "inspect", world, "--document")
	has(t, text, "# Printed from the graph of a world that was made of --heightmap heightmap_bowl_129_rgb8.png --scale 2", "heightmap: raster-0", "spacing: [2, 2]", "by: 2")
	if status, _, stderr := command("inspect", bowl, "--document"); status != statusInput || !strings.Contains(stderr, "is no world") {
		t.Errorf("%d, %s", status, stderr)
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	doc := writeText(t, dir, "valley.yaml", valley)
	has(t, run(t, "check", doc), doc+" is right: Valley.", "rough.scale", "gradient noise 2-D", "walls.curve.abs", "per column", "ns per",
		"materials  grass, rock", "seed       1", "Nothing reads spare.", "surface    between", "ms for a chunk")
	var r struct {
		OK    bool
		Graph string
		Nodes []struct {
			Node   string
			Line   int
			Kind   string
			Inputs []int
			Low    float32
			High   float32
			Far    bool `json:"inexact_beyond_2_20"`
		}
		Unused []string
	}
	if err := json.Unmarshal([]byte(run(t, "check", doc, "--json", "--no-cost")), &r); err != nil {
		t.Fatal(err)
	}
	if n := r.Nodes[1]; !r.OK || len(r.Graph) != 64 || n.Node != "walls.curve" || n.Line != 6 || n.Kind != "abs" || n.Inputs[0] != 0 || r.Nodes[0].Far ||
		n.Low != 0 || n.High < 256 || len(r.Unused) != 1 {
		t.Errorf("%+v", r)
	}
	// x is held still by the valley's curve, and here it is not.
	far := writeText(t, dir, "far.yaml", "terrane: 1\nnodes: {slope: {scale: x, by: 0.01}}\ndensity: {below: slope}\nground: slope\n")
	has(t, run(t, "check", far, "--no-cost"), "  far\n", "Far: a coordinate over 2²⁰ m")
	bad := writeText(t, dir, "bad.yaml", strings.Replace(valley, "period: 30", "peroid: 30", 1))
	status, out, stderr := command("check", bad)
	if status != statusInput || out != "" {
		t.Errorf("%d, %q", status, out)
	}
	has(t, stderr, "terrane: "+bad+" has a mistake:\n"+bad+`:7:36: noise has no parameter "peroid"; did you mean "period"?`, "^^^^^^")
	status, out, _ = command("check", bad, "--json")
	if status != statusInput {
		t.Errorf("%d", status)
	}
	has(t, out, `"ok":false`, `"line":7,"column":36,"width":6,"message":"noise has no parameter \"peroid\"`)
	flat := writeText(t, dir, "flat.yaml", "terrane: 1\nnodes:\n  hills: {noise: gradient, period: 80}\ndensity: hills\n")
	has(t, run(t, "check", flat, "--no-cost"), "surface    upright walls without ends", "Ground below a height is\ndensity: {below: hills}.")
	has(t, run(t, "check", flat, "--no-cost", "--json"), `"endless":"hills"`)
	has(t, run(t, "check", writeText(t, dir, "unnamed.yaml", "terrane: 1\ndensity: {noise: gradient, period: 80}\n"), "--no-cost"), "density: {below: …}.")
	has(t, run(t, "preview", flat, "-o", filepath.Join(dir, "flat.png"), "--size", "80x80"), "ground without an upper end")
	for _, args := range [][]string{
		{"new", filepath.Join(dir, "flat.terrane"), "--document", flat},
		{"serve", flat, "--addr", "127.0.0.1:0"},
		{"mesh", flat, "-o", filepath.Join(dir, "flat.stl")},
	} {
		status, _, stderr = command(args...)
		if status != statusInput {
			t.Errorf("%q: %d", args, status)
		}
		has(t, stderr, flat+":4:10: the density is the same at all heights", "density: {below: hills}")
	}
	if _, err := os.Stat(filepath.Join(dir, "flat.terrane")); err == nil {
		t.Error("a world was made of columns without ends")
	}
	status, _, stderr = command("check", doc, "--set", "width=1")
	if status != statusInput {
		t.Errorf("%d", status)
	}
	has(t, stderr, "terrane: "+doc+": --set width is 1 m; its min is 5 m\n")
	_, _, stderr = command("check", doc, "--set", "wide=1")
	has(t, stderr, "terrane: "+doc+`: --set wide: there is no parameter "wide" to set; there are width`+"\n")
}

func TestPreview(t *testing.T) {
	dir := t.TempDir()
	doc, world, out := writeText(t, dir, "valley.yaml", valley), filepath.Join(dir, "valley.terrane"), filepath.Join(dir, "map.png")
	run(t, "new", world, "--document", doc)
	var first []byte
	for _, c := range []struct {
		name string
		args []string
	}{
		{"document", []string{doc}}, {"world", []string{world}}, {"template", []string{"--template", "floating"}},
		{"heights", []string{doc, "--heights"}}, {"far and coarse", []string{doc, "--center", "1000000,-5", "--meters", "40"}}, {"plain", []string{doc, "--plain"}},
	} {
		has(t, run(t, append([]string{"preview", "-o", out, "--size", "120x80"}, c.args...)...), out+": ", "surface between")
		img, data := readPNG(t, out)
		if b := img.Bounds(); c.name == "plain" && (b.Dx() != 120 || b.Dy() != 80) || c.name != "plain" && b.Dx() <= 120 {
			t.Errorf("%s: %v", c.name, b)
		}
		if c.name == "document" {
			first = data
		}
		if c.name == "heights" && bytes.Equal(data, first) {
			t.Error("heights have the colors of materials")
		}
	}
}

func TestSchemaCommand(t *testing.T) {
	if got := run(t, "schema"); got != string(document.Schema()) || !json.Valid([]byte(got)) {
		t.Errorf("it printed %d bytes", len(got))
	}
}

// A document is served: its world is made beside it, served again, and refused once the document says otherwise.
func TestServeDocument(t *testing.T) {
	dir := t.TempDir()
	doc := writeText(t, dir, "valley.yaml", valley)
	s := serve(t, doc)
	get(t, s.url+"/healthz")
	if status := s.stop(); status != statusOK {
		t.Fatalf("stopped with %d: %s", status, s.stderr)
	}
	writeText(t, dir, "valley.yaml", "# A comment is no other world.\n"+valley)
	if s = serve(t, doc); s.stop() != statusOK {
		t.Fatal(s.stderr)
	}
	if s = serve(t, filepath.Join(dir, "valley.terrane")); s.stop() != statusOK {
		t.Fatal(s.stderr)
	}
	writeText(t, dir, "valley.yaml", strings.Replace(valley, "by: 3", "by: 4", 1))
	status, _, stderr := command("serve", "--addr", "127.0.0.1:0", doc)
	if status != statusInput {
		t.Errorf("%d", status)
	}
	has(t, stderr, "valley.terrane is there and was made from another document", "the world has  ", "valley.yaml is ", "terrane new OTHER.terrane")
}

// A document's files are read from its folder, and nowhere else.
func TestDocumentAssets(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(bowl)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, dir, "bowl.png", string(data))
	src := "terrane: 1\nassets:\n  bowl: {file: bowl.png, height-range: [0, 90], sample-meters: 2}\nnodes: {height: {heightmap: bowl, scale: 0.5}}\ndensity: {below: height}\nground: height\n"
	doc, world := writeText(t, dir, "bowl.yaml", src), filepath.Join(dir, "a.terrane")
	run(t, "new", world, "--document", doc)
	has(t, run(t, "inspect", world), "assets       1")
	has(t, run(t, "check", doc, "--no-cost"), "asset      bowl, a heightmap: bowl.png")
	for name, c := range map[string]struct{ old, new, says string }{
		"outside": {"bowl.png", "../bowl.png", "lies outside the document's folder"},
		"missing": {"bowl.png", "bowls.png", "there is no file"},
		"hash":    {"file: bowl.png", "sha256: \"" + strings.Repeat("ab", 32) + "\"", "name a file"},
		"range":   {"[0, 90]", "[90, 0]", "lowest and then the highest"},
	} {
		status, _, stderr := command("check", writeText(t, dir, name+".yaml", strings.Replace(src, c.old, c.new, 1)))
		if status != statusInput || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, ":3:") {
			t.Errorf("%s: %d, %s", name, status, stderr)
		}
	}
}

// What the commands for documents refuse, with what they say.
func TestBadDocumentInput(t *testing.T) {
	dir := t.TempDir()
	doc := writeText(t, dir, "valley.yaml", valley)
	picture := filepath.Join(dir, "map.png")
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"a wrong flag", []string{"check", "--costs"}, "Run terrane check --help"},
		{"a word for a number", []string{"preview", doc, "--meters", "many"}, `--meters: "many" is no number`},
		{"a word for a whole number", []string{"check", doc, "--radius", "far"}, `--radius: "far" is no number`},
		{"check nothing", []string{"check", filepath.Join(dir, "none.yaml")}, "there is no file"},
		{"check a folder", []string{"check", dir}, "is a folder"},
		{"check radius", []string{"check", doc, "--radius", "0"}, "1 … 64"},
		{"set without a value", []string{"check", doc, "--set", "width"}, "NAME=VALUE"},
		{"set what is not there", []string{"check", doc, "--set", "depth=3"}, `no parameter "depth"`},
		{"new without a name", []string{"new"}, "name the world's file"},
		{"new with a document's name", []string{"new", doc}, "terrane new valley.terrane --document"},
		{"new of two", []string{"new", filepath.Join(dir, "a.terrane"), "--document", doc, "--template", "flat"}, "two kinds of ground"},
		{"new of a bad document", []string{"new", filepath.Join(dir, "a.terrane"), "--document", writeText(t, dir, "bad.yaml", "terrane: 1\n")}, `no "density"`},
		{"print a world", []string{"new", "--print", "a.terrane"}, "makes no world"},
		{"print a document", []string{"new", "--print", "--document", doc}, "for templates"},
		{"set of a template", []string{"new", filepath.Join(dir, "a.terrane"), "--template", "flat", "--set", "a=1"}, "--document FILE"},
		{"seed of a template without noise", []string{"new", filepath.Join(dir, "a.terrane"), "--template", "rough", "--seed", "2"}, "rough has none"},
		{"serve two", []string{"serve", doc, "--document", doc}, "two documents"},
		{"preview nothing", []string{"preview", "-o", picture}, "name a document or a world"},
		{"preview two", []string{"preview", doc, "--template", "flat", "-o", picture}, "name a document or a world"},
		{"preview an unknown template", []string{"preview", "--template", "moon", "-o", picture}, "moon is unknown"},
		{"preview size", []string{"preview", doc, "--size", "10x10", "-o", picture}, "WIDTHxHEIGHT"},
		{"preview meters", []string{"preview", doc, "--meters", "0", "-o", picture}, "--meters 0"},
		{"preview center", []string{"preview", doc, "--center", "1", "-o", picture}, "x and z"},
		{"preview far away", []string{"preview", doc, "--center", "1e12,0", "-o", picture}, "outside ±"},
		{"preview as JPEG", []string{"preview", doc, "-o", "map.jpg"}, "pictures are PNG"},
		{"preview of a picture", []string{"preview", bowl, "-o", picture}, "not a world"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, stderr := command(c.args...)
			if status != statusInput || out != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("%d, %q, %s", status, out, stderr)
			}
		})
	}
	if _, err := os.Stat(picture); err == nil {
		t.Error("it left a picture")
	}
}
