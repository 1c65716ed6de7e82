package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// stampName is the file in dist that says what dist was built from, followed by the names of its files.
const stampName = ".stamp"

// stamp returns a hash of everything that decides the output: the sources of the module and of the page, the
// packages' lock file, the toolchain and the settings.
func (b *builder) stamp() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), os.Getenv("GOTOOLCHAIN"), os.Getenv("GOEXPERIMENT"), os.Getenv("GOFLAGS"), b.quality)
	err := filepath.WalkDir(b.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(b.root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if skipDir(rel) {
				return filepath.SkipDir
			}
			return nil
		}
		if !isInput(rel) {
			return nil
		}
		return hashFile(h, rel, path)
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// skipDir reports whether a folder holds no input of the build.
func skipDir(rel string) bool {
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	switch name {
	case "node_modules", "dist", "testdata", "bin", "shared":
		return true
	}
	return rel != "." && strings.HasPrefix(name, ".")
}

// isInput reports whether the output can depend on a file.
func isInput(rel string) bool {
	switch {
	case rel == "go.mod", rel == "go.sum", rel == "client/package-lock.json", rel == "client/tsconfig.json":
		return true
	case strings.HasPrefix(rel, "client/src/"):
		return true
	case strings.HasSuffix(rel, "_test.go"):
		return false
	}
	return strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, ".s") || strings.HasSuffix(rel, ".wgsl")
}

func hashFile(h io.Writer, rel, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%s %d\n", rel, len(data))
	_, err = h.Write(data)
	return err
}

// A state is the note that the last build left in dist.
type state struct {
	stamp   string
	quality int
	files   []string
}

// readState returns what the last build noted, the zero state if there was none.
func (b *builder) readState() (s state) {
	data, err := os.ReadFile(b.dist(stampName))
	if err != nil {
		return state{}
	}
	lines := strings.Fields(string(data))
	if len(lines) < 2 {
		return state{}
	}
	s.stamp, s.files = lines[0], lines[2:]
	s.quality, _ = strconv.Atoi(lines[1]) // 0 matches no quality: everything is compressed anew
	return s
}

// upToDate reports whether dist holds what a build with this stamp would make.
func (b *builder) upToDate(s state, stamp string) bool {
	if s.stamp != stamp {
		return false
	}
	for _, name := range s.files {
		if _, err := os.Stat(b.dist(name)); err != nil {
			return false
		}
	}
	return true
}

// writeState notes what dist was built from and what it must hold.
func (b *builder) writeState(stamp string) error {
	var text bytes.Buffer
	fmt.Fprintln(&text, stamp, b.quality)
	for name := range b.names {
		if name == stampName {
			continue
		}
		fmt.Fprintln(&text, name)
		if compressible(name) {
			fmt.Fprintf(&text, "%s.br\n%s.gz\n", name, name)
		}
	}
	return writeWhole(b.dist(stampName), text.Bytes())
}
