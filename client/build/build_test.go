package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// scratch returns a builder in a folder that looks like the module, with the files given.
func scratch(t *testing.T, files map[string]string) *builder {
	t.Helper()
	root := t.TempDir()
	b := &builder{root: root, client: filepath.Join(root, "client"), quality: 5, names: map[string]bool{}}
	if err := os.MkdirAll(b.dist(""), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		put(t, root, name, text)
	}
	return b
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestStamp(t *testing.T) {
	tests := []struct {
		name, file string
		counts     bool
	}{
		{"a script of the page", "client/src/main.ts", true},
		{"the engine", "client/engine/main.go", true},
		{"a package of the engine", "field/field.go", true},
		{"a shader", "gpu/shaders/noise.wgsl", true},
		{"the pinned packages", "client/package-lock.json", true},
		{"the Go dependencies", "go.sum", true},
		{"a test", "field/field_test.go", false},
		{"the output", "client/dist/index.html", false},
		{"an installed package", "client/node_modules/three/index.js", false},
		{"a document", "README.md", false},
		{"what git keeps", ".git/hooks/hook.go", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := scratch(t, map[string]string{"go.mod": "module m", "client/src/other.ts": "1", tt.file: "before"})
			before, err := b.stamp()
			if err != nil {
				t.Fatal(err)
			}
			put(t, b.root, tt.file, "after")
			after, err := b.stamp()
			if err != nil {
				t.Fatal(err)
			}
			if (before != after) != tt.counts {
				t.Errorf("a change of %s counts: %v, want %v", tt.file, before != after, tt.counts)
			}
		})
	}
}

func TestUpToDate(t *testing.T) {
	b := scratch(t, nil)
	if b.upToDate(b.readState(), "s") {
		t.Error("nothing was built, and yet it is up to date")
	}
	for _, name := range []string{"page-1.js", "index.html"} {
		if err := b.write(name, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.compress(false); err != nil {
		t.Fatal(err)
	}
	if err := b.writeState("s"); err != nil {
		t.Fatal(err)
	}
	if s := b.readState(); !b.upToDate(s, "s") || s.quality != 5 {
		t.Errorf("after a build: state %+v is not up to date", s)
	}
	if b.upToDate(b.readState(), "other") {
		t.Error("with other inputs it is still up to date")
	}
	if err := os.Remove(b.dist("page-1.js.br")); err != nil {
		t.Fatal(err)
	}
	if b.upToDate(b.readState(), "s") {
		t.Error("with a file gone it is still up to date")
	}
}

func TestCompress(t *testing.T) {
	b := scratch(t, nil)
	text := []byte(strings.Repeat("the ground is solid where density is above 0; ", 500))
	if err := b.write("page-1.js", text); err != nil {
		t.Fatal(err)
	}
	if err := b.compress(false); err != nil {
		t.Fatal(err)
	}
	readers := map[string]func(io.Reader) (io.Reader, error){
		".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	for ext, open := range readers {
		data, err := os.ReadFile(b.dist("page-1.js" + ext))
		if err != nil {
			t.Fatal(err)
		}
		r, err := open(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("page-1.js%s does not hold page-1.js (error %v)", ext, err)
		}
		if len(data) >= len(text) {
			t.Errorf("page-1.js%s has %d bytes, no fewer than the %d it stands for", ext, len(data), len(text))
		}
	}
}

// TestCompressKeeps holds that forms of files with a hash in their name are made once, and that of index.html
// every time.
func TestCompressKeeps(t *testing.T) {
	b := scratch(t, nil)
	for _, name := range []string{"page-1.js", "index.html"} {
		if err := b.write(name, []byte("new")); err != nil {
			t.Fatal(err)
		}
		put(t, b.dist(""), name+".br", "old")
	}
	if err := b.compress(true); err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]bool{"page-1.js.br": true, "index.html.br": false} {
		data, err := os.ReadFile(b.dist(name))
		if err != nil {
			t.Fatal(err)
		}
		if (string(data) == "old") != kept {
			t.Errorf("%s was kept: %v, want %v", name, !kept, kept)
		}
	}
}

func TestRemoveOld(t *testing.T) {
	b := scratch(t, map[string]string{
		"client/dist/page-1.js": "", "client/dist/page-1.js.br": "", "client/dist/page-0.js": "", "client/dist/page-0.js.gz": "",
	})
	b.mark("page-1.js")
	if err := b.removeOld(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(b.dist(""))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "page-1.js page-1.js.br" {
		t.Errorf("left %q, want the current build's files", got)
	}
}

func TestOutputs(t *testing.T) {
	out, err := outputs(`{"outputs": {
		"dist/main-A.js": {"entryPoint": "src/main.ts"},
		"dist/app-B.js": {"entryPoint": "src/app.ts", "imports": [
			{"path": "dist/chunk-C.js", "kind": "import-statement"}, {"path": "dist/demo-F.js", "kind": "dynamic-import"}]},
		"dist/chunk-C.js": {"imports": [{"path": "dist/main-A.js", "kind": "import-statement"}]},
		"dist/demo-F.js": {"entryPoint": "src/demo/demo.ts", "imports": [{"path": "dist/chunk-G.js", "kind": "import-statement"}]},
		"dist/chunk-G.js": {},
		"dist/style-D.css": {"entryPoint": "src/view/style.css"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if out.entry["main.ts"] != "main-A.js" || out.entry["style.css"] != "style-D.css" {
		t.Errorf("entries %v", out.entry)
	}
	links := preload(out.chunks, "engine-E.wasm")
	for _, name := range []string{"app-B.js", "chunk-C.js", "engine-E.wasm"} {
		if !strings.Contains(links, name) {
			t.Errorf("%s is not loaded ahead:\n%s", name, links)
		}
	}
	for name, why := range map[string]string{
		"main-A.js": "the page names it itself", "demo-F.js": "only ?demo= loads it", "chunk-G.js": "only a demo imports it",
	} {
		if strings.Contains(links, name) {
			t.Errorf("%s is loaded ahead, but %s:\n%s", name, why, links)
		}
	}
}
