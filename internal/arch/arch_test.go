package arch

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/terrane/terrane"

// A listed package is what `go list -json` says of it.
type listed struct {
	Dir, ImportPath        string
	GoFiles, Imports, Deps []string
	Error                  *struct{ Err string }
}

// name returns the package's path below the module.
func (p listed) name() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

// list returns the module's packages as this machine builds them and, with the given environment, as others do.
func list(t *testing.T, patterns []string, env ...string) []listed {
	t.Helper()
	args := append([]string{"list", "-e", "-json=Dir,ImportPath,GoFiles,Imports,Deps,Error"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(cmd.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var packages []listed
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		packages = append(packages, p)
	}
}

// all returns every package of the module, those that only the browser builds included.
func all(t *testing.T) []listed {
	packages := list(t, []string{"./..."})
	return append(packages, list(t, []string{"./client/engine/..."}, "GOOS=js", "GOARCH=wasm")...)
}

// fits reports whether a package is one of the names, of which those that end in tail stand for a tree.
func fits(pkg, names, tail string) bool {
	return slices.ContainsFunc(strings.Fields(names), func(name string) bool {
		if tree, ok := strings.CutSuffix(name, tail); ok {
			return strings.HasPrefix(pkg, tree)
		}
		return pkg == name
	})
}

// public reports whether users import the package: it lies outside internal, cmd, client and examples, and is
// no suite for tests.
func public(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return !slices.Contains([]string{"internal", "cmd", "client", "examples"}, first) && !strings.HasSuffix(pkg, "test")
}

func TestImportTable(t *testing.T) {
	for _, p := range all(t) {
		i := slices.IndexFunc(table, func(r row) bool { return fits(p.name(), r.pkg, "…") })
		if i < 0 {
			t.Errorf("%s is not in the import table: add its line to table.go and ARCHITECTURE.md", p.name())
			continue
		}
		for _, imp := range p.Imports {
			below, ours := strings.CutPrefix(imp, module+"/")
			if ours && !fits(below, table[i].may, "…") {
				t.Errorf("%s imports %s; it may import: %s", p.name(), below, table[i].may)
			}
		}
	}
}

func TestTablePointsUp(t *testing.T) {
	for i, r := range table {
		for name := range strings.FieldsSeq(r.may) {
			j := slices.IndexFunc(table, func(r row) bool { return r.pkg == name })
			tree := strings.HasSuffix(name, "/…") // siblings under one folder may know each other
			if j < 0 || j > i || j == i && !tree {
				t.Errorf("the row of %s names %s, which is not above it", r.pkg, name)
			}
		}
	}
}

func TestBans(t *testing.T) {
	packages := all(t)
	for _, b := range bans {
		for _, p := range packages {
			if !fits(p.name(), b.in, "…") && !(b.in == "public" && public(p.name())) {
				continue
			}
			imports := p.Imports
			if b.deep {
				imports = p.Deps
			}
			for _, imp := range imports {
				if slices.ContainsFunc(strings.Fields(b.banned), func(name string) bool {
					return imp == name || strings.HasSuffix(name, "/") && strings.HasPrefix(imp, name)
				}) {
					t.Errorf("%s imports %s: %s", p.name(), imp, b.reason)
				}
			}
		}
	}
}

// Public packages start no goroutine: their callers decide what runs beside what.
func TestPublicPackagesStartNoGoroutine(t *testing.T) {
	for _, p := range all(t) {
		if !public(p.name()) {
			continue
		}
		for _, file := range p.GoFiles {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Errorf("%s: %v", p.name(), err)
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if g, ok := n.(*ast.GoStmt); ok {
					t.Errorf("%v starts a goroutine; public packages leave that to their callers", fset.Position(g.Pos()))
				}
				return true
			})
		}
	}
}

// ARCHITECTURE.md shows the table to people: it names every package in it, suites and programs aside.
func TestTableIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table {
		aside := strings.HasSuffix(r.pkg, "…") || strings.HasSuffix(r.pkg, "test") || slices.Contains(
			[]string{"wire/wirepb", "internal/kernel/rows/gen", "internal/testground", "internal/samebits", "internal/arch", "client", "client/build"}, r.pkg)
		pkg := r.pkg
		if strings.HasPrefix(pkg, "client/engine/") {
			pkg = "client/engine"
		}
		if !aside && !strings.Contains(string(text), "\n| "+pkg+" |") {
			t.Errorf("ARCHITECTURE.md's table lacks %s", pkg)
		}
	}
}

// example is an example whose output a test compares.
var example = regexp.MustCompile(`(?s)\nfunc Example\w*\(\) \{\n.*?\n\t// (Unordered )?[oO]utput:`)

// Every public package has an example that runs: a folder at the root is met through it.
func TestExamples(t *testing.T) {
	for _, p := range list(t, []string{"./..."}) {
		if name := p.name(); !public(name) || strings.Contains(name, "/") {
			continue
		}
		tests, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(tests, func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && example.Match(text)
		}) {
			t.Errorf("%s has no example with output", p.name())
		}
	}
}

// The test can fail: each kind of fault is one.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		pkg, names string
		want       bool
	}{
		{"geom", "geom lattice", true},
		{"geometry", "geom lattice", false},
		{"client/engine/session", "client/…", true},
		{"client", "client/…", false},
		{"mesh", "", false},
	} {
		if got := fits(c.pkg, c.names, "…"); got != c.want {
			t.Errorf("fits(%q, %q) = %v", c.pkg, c.names, got)
		}
	}
}
