package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/meshing"
)

// A document's volume has the surface that the file has: as many triangles, and the same room within.
func TestVolumeDocument(t *testing.T) {
	dir := t.TempDir()
	file := ballNRRD(t, "(1,0,0) (0,1,0) (0,0,0.625)")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, dir, "ball.nrrd", string(data))
	writeText(t, dir, "none.nrrd", string(data[:150]))
	// An even number of samples lies round its middle at halves: so its samples fall on the world's.
	const src = "terrane: 1\nassets: {scan: ball.nrrd}\ndensity: {volume: scan, iso: 128.5, by: 0.0625, spacing: [1, 1, 1], at: [0.5, 0.5, 0.5]}\n"
	doc := writeText(t, dir, "ball.yaml", src)
	report := func(args ...string) (r meshing.Report) {
		out := run(t, append([]string{"mesh", "--json", "-o", filepath.Join(dir, "a.stl")}, args...)...)
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err, out)
		}
		return r
	}
	world := filepath.Join(dir, "ball.terrane")
	run(t, "new", world, "--document", doc)
	want := report(file, "--iso", "128.5")
	cell := *want.Volume / 0.625 // the file's cells are lower than wide
	for _, input := range []string{doc, world} {
		got := report(input, "--box", "-32:32,-32:32,-32:32")
		if got.Triangles != want.Triangles || !got.Closed || math.Abs(*got.Volume-cell) > 1e-3*cell {
			t.Errorf("%s: %d triangles, %v within; the file has %d, %v", input, got.Triangles, *got.Volume, want.Triangles, cell)
		}
	}
	for _, c := range []struct{ name, old, new, says string }{
		{"two uses", "density: {", "nodes: {h: {heightmap: scan}}\ndensity: {", `the asset "scan" is a`},
		{"no volume", "ball.nrrd", "ball.yaml", `the asset "scan"`},
		{"cut short", "ball.nrrd", "none.nrrd", `the asset "scan"`},
		{"not there", "ball.nrrd", "balls.nrrd", "there is no file"},
		{"no asset", "volume: scan", "volume: scam", `there is no asset "scam"`},
		{"spacing", "[1, 1, 1]", "[1, 0, 1]", "spacing"},
	} {
		name := writeText(t, dir, strings.ReplaceAll(c.name, " ", "-")+".yaml", strings.Replace(src, c.old, c.new, 1))
		if status, _, stderr := command("check", name); status != statusInput || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, fmt.Sprintf("%s:", name)) {
			t.Errorf("%s: %d, %s", c.name, status, stderr)
		}
	}
}
