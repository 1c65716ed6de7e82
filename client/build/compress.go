package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/andybalholm/brotli"
)

// compressible reports whether a file of dist gets compressed forms beside it.
func compressible(name string) bool {
	switch filepath.Ext(name) {
	case ".html", ".css", ".js", ".wasm":
		return true
	}
	return false
}

// compress writes the .br and .gz form of every file; keep says that those there are of the right quality.
// At quality 11 the engine takes some ten seconds.
func (b *builder) compress(keep bool) error {
	var wg sync.WaitGroup
	var lock sync.Mutex
	var first error
	for name := range b.names {
		if !compressible(name) {
			continue
		}
		fresh := name == "index.html" // the one name that has many contents
		wg.Go(func() {
			if err := b.compressFile(name, keep && !fresh); err != nil {
				lock.Lock()
				first = err
				lock.Unlock()
			}
		})
	}
	wg.Wait()
	return first
}

func (b *builder) compressFile(name string, keep bool) error {
	data, err := os.ReadFile(b.dist(name))
	if err != nil {
		return err
	}
	forms := []struct {
		ext  string
		make func(io.Writer) (io.WriteCloser, error)
	}{
		{".br", func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, b.quality), nil }},
		{".gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) }},
	}
	for _, form := range forms {
		path := b.dist(name + form.ext)
		if keep && fileSize(path) > 0 {
			continue
		}
		var out bytes.Buffer
		w, err := form.make(&out)
		if err != nil {
			return fmt.Errorf("%s%s: %w", name, form.ext, err)
		}
		if _, err := w.Write(data); err != nil {
			return fmt.Errorf("%s%s: %w", name, form.ext, err)
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("%s%s: %w", name, form.ext, err)
		}
		if err := writeWhole(path, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeWhole replaces a file in one step: a build that is stopped leaves no half of one behind.
func writeWhole(path string, data []byte) error {
	if err := os.WriteFile(path+".tmp", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}
