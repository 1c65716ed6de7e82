package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGenerated demands that the committed kernels be what the list says.
func TestGenerated(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from what list.go describes: run go generate ./internal/kernel/rows", name)
		}
	}
}
