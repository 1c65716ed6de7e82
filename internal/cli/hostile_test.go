package cli

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite"
)

// strangersWorld makes a world file as somebody could who means no good: its name, its settings and its palette hold
// what would control a terminal.
func strangersWorld(t *testing.T, name string) {
	t.Helper()
	d, err := document.Parse("valley", []byte(valley), document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	built, err := d.Graph(nil)
	if err != nil {
		t.Fatal(err)
	}
	built.Graph.Materials[0].Name = "grass\u009b31m\u202e"
	graph := built.Graph.AppendBinary(nil)
	set := worldfile.Settings{Document: &worldfile.DocumentSource{File: "\x1b[2J\nentries      9", Text: "terrane: 1 # \x1b]0;mine\a\n", Set: map[string]string{"a\x1b[31m": strings.Repeat("x", 1e5)}}}
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	meta := worldlog.Meta{World: [16]byte{6}, Name: "a\x1b]0;mine\a\nentries      7\u202e", Created: time.Unix(1, 0),
		Document: asset.Of(graph), Semantics: built.Graph.Semantics(), Settings: text}
	store, err := sqlite.Create(name, meta, graph)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// controls reports whether text would do something to a terminal.
func controls(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	})
}

// What commands print of a stranger's world or document stays in its place, and is not without end.
func TestTerminalIsSafe(t *testing.T) {
	dir := t.TempDir()
	world := filepath.Join(dir, "stranger.terrane")
	strangersWorld(t, world)
	bad := writeText(t, dir, "bad.yaml", "terrane: 1\n\"\\e[31mkey\": \"\u202e\"\ndensity: {below: \"\\e]0;mine\\a\"}\n")
	for _, args := range [][]string{
		{"inspect", world}, {"repair", world}, {"serve", world, "--seed", "7"}, {"check", bad}, {"check", bad, "--json"},
		{"preview", world, "--size", "64x64", "-o", filepath.Join(dir, "a.png")},
		{"mesh", world, "--box", "0:32,0:32", "-o", filepath.Join(dir, "a.glb")},
		{"serve", "\x1b[31m/none/a.terrane"}, {"check", "--\x1b[31m"},
	} {
		_, out, stderr := command(args...)
		if both := out + stderr; controls(both) || len(both) > 10_000 || strings.Contains(both, "\nentries      9") {
			t.Errorf("%q prints %d bytes: %.2000q", args, len(both), both)
		}
	}
	if out := run(t, "inspect", world, "--document"); out != "terrane: 1 # \x1b]0;mine\a\n" {
		t.Errorf("to a file the document goes as it is: %q", out)
	}
}

// Documents do not read through links what lies outside their folder.
func TestLinksOutOfTheFolder(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	bowlData, err := os.ReadFile(bowl)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, other, "secret.png", string(bowlData))
	writeText(t, other, "ball.raw", strings.Repeat("x", 8))
	writeText(t, dir, "ball.nhdr", "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: raw\ndata file: ball.raw\n")
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(dir, "in"), "here.png", string(bowlData))
	for name, target := range map[string]string{
		"link.png": filepath.Join(other, "secret.png"), "folder": other, "ball.raw": filepath.Join(other, "ball.raw"),
		"inner.png": filepath.Join("in", "here.png"),
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	for file, use := range map[string]string{"link.png": "heightmap", "folder/secret.png": "heightmap", "ball.nhdr": "volume"} {
		text := strings.Replace(valley, "spare: 3", "spare: {"+use+": a}", 1)
		doc := writeText(t, dir, "a.yaml", strings.Replace(text, "nodes:", "assets: {a: {file: "+file+"}}\nnodes:", 1))
		if status, _, stderr := command("check", doc); status != statusInput || !strings.Contains(stderr, "outside the document's folder") {
			t.Errorf("%s: %d, %s", file, status, stderr)
		}
	}
	doc := writeText(t, dir, "b.yaml", "terrane: 1\nassets: {a: {file: inner.png}}\nnodes: {h: {heightmap: a}}\ndensity: {below: h}\n")
	run(t, "check", doc, "--no-cost", "--radius", "1")
}

// A picture is whole or not there, and where it cannot go is said before it is drawn.
func TestPreviewOutput(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder.png"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"is a folder", []string{"-o", filepath.Join(dir, "folder.png")}},
		{"there is no folder", []string{"-o", filepath.Join(dir, "none", "a.png")}},
		{"pictures are PNG", []string{"-o", "/dev/null"}},
		{"--size", []string{"--size", "1e9x1e9"}},
		{"--size", []string{"--size", "-5x100"}},
		{"--size", []string{"--size", "99999999999999999999x100"}},
		{"--size", []string{"--size", "100x100x100"}},
		{"--size", []string{"--size", "100x100 "}},
		{"--meters", []string{"--meters", "NaN"}},
		{"--meters", []string{"--meters", "-1"}},
		{"--meters", []string{"--meters", "1e300"}},
		{"--center", []string{"--center", "NaN,0"}},
		{"--center", []string{"--center", "1e300,0"}},
		{"--center", []string{"--center", "Inf,0"}},
	} {
		status, _, stderr := command(append([]string{"preview", "--template", "flat"}, c.args...)...)
		if status != statusInput || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %s", c.args, status, stderr)
		}
	}
	out := writeText(t, dir, "map.png", "an older picture")
	if err := os.Chmod(out, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "preview", "--template", "flat", "--size", "64x64", "--plain", "-o", out)
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
	if info, err := f.Stat(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".map.png*")); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}
