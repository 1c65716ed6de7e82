package document

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/field"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file, or writes it.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s has\n%s\nit is now\n%s", file, want, got)
	}
}

// compile does all that a document goes through until it is a world.
func compile(name string, src []byte) error {
	d, err := Parse(name, src, Options{})
	if err != nil {
		return err
	}
	b, err := d.Graph(nil)
	if err != nil {
		return err
	}
	if _, err = field.Compile(b.Graph, nil); err != nil {
		return b.Explain(err)
	}
	return nil
}

// There is a document for each kind of mistake. What is said about it is in the golden file.
func TestBadDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		ext := filepath.Ext(file)
		if ext == ".txt" {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ext)
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			err = compile(filepath.Base(file), src)
			if err == nil {
				t.Fatal("it was taken")
			}
			golden(t, strings.TrimSuffix(file, ext)+".txt", []byte(err.Error()+"\n"))
		})
	}
}
