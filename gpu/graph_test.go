package gpu

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/noise"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
)

var update = flag.Bool("update", false, "rewrite testdata")

// golden compares text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; run go test -update ./gpu if that is meant", path)
	}
}

// everything returns a graph with a node of each form.
func everything() *graph.Graph {
	var b graph.Builder
	at := lattice.Place{Sample: lattice.Sample{X: 5, Y: -6, Z: 7}, Offset: geom.Vec3{X: 0.5, Y: 0.25}}
	flat := b.Noise(graph.Noise{Kind: noise.Gradient, Dims: 2, Period: 60, Octaves: 3})
	height := b.Sum(b.Scale(flat, 20, 1), b.Spline(b.Clamp(b.Slope(flat), 0, 1), 0, 0, 0.5, 3, 1, -2))
	warped := b.Noise(graph.Noise{Kind: noise.Simplex, Dims: 3, Period: 30, Warp: []graph.Ref{flat, b.Constant(3), height}})
	ground := b.Sum(b.Height(b.Terrace(height, 4, 0.5)), b.Multiply(warped, b.Bump(b.Height(height), 20)))
	var a graph.Builder
	box := b.Add(a.Graph().Nodes[a.Rotate(a.Stretch(a.Repeat(a.Box(at, geom.Vec3{X: 4, Y: 5, Z: 6}, 1), 40, 0, 50),
		geom.Vec3{X: 1, Y: 2, Z: 1}), geom.Vec3{X: 1}, 30)])
	solid := b.Union(ground, box, 2)
	hole := b.Capsule(at, geom.Vec3{X: 9, Y: 9}, 3)
	return b.World(b.Difference(solid, hole, 1.5), height)
}

// crackedGround is ground with cracks.
func crackedGround() *graph.Graph {
	var b graph.Builder
	h := b.Scale(b.Bump(b.Cracks(3, 20, 0.9), 3), -4, 0)
	return b.World(b.Height(h), h)
}

func program(t *testing.T, g *graph.Graph) *graph.Program {
	t.Helper()
	p, err := graph.Compile(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGolden keeps what is generated for some graphs: a change of it is seen in review.
func TestGolden(t *testing.T) {
	for name, g := range map[string]*graph.Graph{"everything": everything(), "shape": template.Shape(), "cracks": crackedGround()} {
		p, err := Generate(program(t, g), nil)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".wgsl", []byte(p.Code))
	}
}

func TestEveryKindIsWrittenOrListed(t *testing.T) {
	listed := Fallbacks()
	infos := graph.Infos()
	for k := range infos {
		s := &infos[k]
		written := inline(s.Kind) || sourceOf(s) != nil
		i := slices.IndexFunc(listed, func(f Fallback) bool { return f.Kind == s.Kind })
		switch {
		case !written && i < 0:
			t.Errorf("%v is neither written nor listed", s.Kind)
		case written && i >= 0:
			t.Errorf("%v is written and listed as falling back: %s", s.Kind, listed[i].Reason)
		case i >= 0 && s.Kind != graph.KindRough:
			t.Logf("%v falls back: %s", s.Kind, listed[i].Reason)
		}
	}
}

func TestSupported(t *testing.T) {
	var b graph.Builder
	rough := b.Rough(1)
	ball := b.Ball(lattice.Place{}, 3)
	tests := []struct {
		name string
		g    *graph.Graph
		want string // part of the error, "" for none
	}{
		{"hills", template.Hills(7), ""},
		{"rough", b.World(b.Height(rough), rough), "node 0 (rough): it needs 64-bit floats"},
		{"rough for depths only", &graph.Graph{Nodes: []graph.Node{b.Graph().Nodes[rough], b.Graph().Nodes[ball],
			{Kind: graph.KindWorld, Version: 1, Inputs: []uint32{1, 0}}}}, ""},
		{"an unknown kind", &graph.Graph{Nodes: []graph.Node{{Kind: 9999, Version: 1}}}, "does not know the kind"},
		{"another version", &graph.Graph{Nodes: []graph.Node{{Kind: graph.KindConstant, Version: 2, Floats: []float32{1}}}}, "version 2"},
		{"a later input", &graph.Graph{Nodes: []graph.Node{{Kind: graph.KindAbs, Version: 1, Inputs: []uint32{0}}}}, "want an earlier one"},
		{"nothing", &graph.Graph{}, "0 nodes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := graph.Compile(tt.g)
			if err == nil {
				err = Supported(p)
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("error %v, want none", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if p == nil {
				return
			}
			if _, second := Generate(p, nil); (second == nil) != (err == nil) {
				t.Errorf("Generate says %v, Supported %v", second, err)
			}
		})
	}
	if err := Supported(program(t, tests[1].g)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("%v is no ErrUnsupported", err)
	}
}

// TestColumns holds that what does not depend on y is computed once a column.
func TestColumns(t *testing.T) {
	var b graph.Builder
	h := b.Noise(graph.Noise{Kind: 2, Dims: 2, Period: 30})
	p, err := Generate(program(t, b.World(b.Height(h), h)), nil)
	if err != nil {
		t.Fatal(err)
	}
	columns, density, _ := strings.Cut(p.Code, "fn density")
	if p.Columns != 1 || !strings.Contains(columns, "sum_gradient_noise_2d") || strings.Contains(density, "noise") {
		t.Errorf("%d values a column, want the noise there:\n%s", p.Columns, p.Code)
	}
	if len(p.Numbers) != 16 {
		t.Errorf("an octave has %d words, want 16", len(p.Numbers))
	}
}

func TestHeightmap(t *testing.T) {
	g := template.Heightmap(asset.Hash{1}, template.HeightmapParams{MetersX: 2, MetersZ: 3})
	if _, err := Generate(program(t, g), nil); err == nil {
		t.Error("a raster that is not there is read")
	}
	r := &raster.Raster{Width: 3, Height: 2, MetersX: 2, MetersZ: 3, Scale: 2, Offset: 1, Values: []float32{0, 1, 2, 3, 4, 5}}
	p, err := Generate(program(t, g), func(asset.Hash) (*raster.Raster, error) { return r, nil })
	if err != nil {
		t.Fatal(err)
	}
	// 1/2 and 1/3 of the raster's samples to a sample.
	for _, want := range []string{"vec3<u32>(0u, 2147483648u, 0u)", "vec3<u32>(1431655765u, 1431655765u, 0u)"} {
		if !strings.Contains(p.Code, want) {
			t.Errorf("no %s in:\n%s", want, p.Code)
		}
	}
	if got := RasterValues(nil, r); !slices.Equal(got, []float32{1, 3, 5, 7, 9, 11}) || len(p.Rasters) != 1 {
		t.Errorf("values %v of %d rasters", got, len(p.Rasters))
	}
}

func TestAppendEdits(t *testing.T) {
	e := edit.Edit{Op: edit.Build, Shape: edit.Ball, Radius: 3, Smooth: 2}
	e.Place.Sample, e.Place.Offset = lattice.Sample{X: -1, Y: 2, Z: 3}, geom.Vec3{X: 0.5}
	got := AppendEdits(nil, edit.Must(e), edit.Must(e))
	want := []uint32{0x00010201, 0x40400000, 0x40000000, 0xffffffff, 2, 3, 0x3f000000, 0, 0, 0, 0, 0}
	if !slices.Equal(got[:EditWords], want) || !slices.Equal(got[EditWords:], want) {
		t.Errorf("%x, want %x twice", got, want)
	}
}

// TestShaders holds that every pass binds each number once and no more storage buffers than core WebGPU allows.
func TestShaders(t *testing.T) {
	hills, err := Generate(program(t, template.Hills(1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"field": hills.Shader()}
	for _, p := range Passes() {
		for _, k := range []SampleKind{Float32, Uint8, Uint16} {
			texts[string(p)+" "+string(k)] = Shader(p, k)
		}
	}
	for name, text := range texts {
		storage, seen := 0, map[string]bool{}
		for line := range strings.SplitSeq(text, "\n") {
			rest, ok := strings.CutPrefix(line, "@group(0) @binding(")
			if !ok {
				continue
			}
			number, rest, _ := strings.Cut(rest, ")")
			if seen[number] {
				t.Errorf("%s binds %s twice", name, number)
			}
			seen[number] = true
			if strings.Contains(rest, "var<storage") {
				storage++
			}
		}
		if storage > 8 || !seen["0"] {
			t.Errorf("%s binds %d storage buffers, want at most 8, and the batch", name, storage)
		}
	}
}
