package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite"
	"github.com/terrane/terrane/lattice"
)

// A document and its world give the same mesh until somebody digs.
func TestMeshWorld(t *testing.T) {
	dir := t.TempDir()
	doc := writeText(t, dir, "flat.yaml", "terrane: 1\nmaterials: {grass: \"#5d8f3a\"}\ndensity: {below: 0.5}\nground: 0.5\nmaterial: grass\n")
	name := filepath.Join(dir, "flat.terrane")
	run(t, "new", name, "--document", doc)
	out := filepath.Join(dir, "out.ply")
	triangles := func(input string, args ...string) (n int, data string) {
		t.Helper()
		var r struct{ Triangles int }
		if err := json.Unmarshal([]byte(run(t, append([]string{"mesh", input, "-o", out, "--json"}, args...)...)), &r); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return r.Triangles, string(text)
	}
	n, fromDoc := triangles(doc, "--box", "-1:1,-32:1,0:40")
	if want := 2 * 2 * 2 * 32 * 32; n != want {
		t.Errorf("%d triangles of 2×2 chunks of level ground, want %d", n, want)
	}
	if !strings.Contains(fromDoc, "property uchar red") {
		t.Error("the mesh has no colors")
	}
	if _, fromWorld := triangles(name, "--box", "-1:1,-32:1,0:40"); fromWorld != fromDoc {
		t.Error("the world gives another mesh")
	}
	store, err := sqlite.Open(name, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hole := edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 5, Place: lattice.Place{Sample: lattice.Sample{X: 8, Y: 0, Z: 8}}})
	_, err = store.Append(t.Context(), []worldlog.Entry{{ID: worldlog.EditID{Session: 1, Counter: 1}, Kind: worldlog.KindEdit,
		Payload: hole.AppendBinary(nil), Regions: []lattice.Region{{}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if dug, _ := triangles(name, "--box", "-1:1,-32:1,0:40"); dug <= n {
		t.Errorf("%d triangles once somebody dug, %d before", dug, n)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{doc, "--box", "1:2"}, "want ranges"},
		{[]string{doc, "--box", "a:2,0:1"}, "no range of whole meters"},
		{[]string{doc, "--box", "5:2,0:1"}, "empty"},
		{[]string{doc, "--box", "0:1000000,0:1000000"}, "at most 4096"},
		{[]string{doc, "--box", "0:9,100:200,0:9"}, "there is no surface"},
		{[]string{doc, "--cap"}, "it takes --box"},
		{[]string{bowl, "--box", "0:9,0:9"}, "for worlds and documents"},
		{[]string{filepath.Join(dir, "none.terrane")}, "none.terrane"},
	} {
		status, _, stderr := command(append([]string{"mesh", "-o", out}, c.args...)...)
		if status != statusInput || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %s", c.args, status, stderr)
		}
	}
}
