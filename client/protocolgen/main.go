// Command protocolgen writes client/src/world/protocol.gen.ts: what the page has to know of Go's constants and
// layouts, so that no number of them stands in TypeScript by hand. Constants come from the packages that own
// them, layouts of the GPU's buffers from the shaders, and names of functions from the source of client/engine.
//
//	go generate ./client/protocolgen
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run .

// output is the file that is written, from the module's root.
const output = "client/src/world/protocol.gen.ts"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "protocolgen:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	text, err := protocol(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, output), []byte(text), 0o644)
}

// moduleRoot returns the nearest folder above the current one that has a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the current folder")
		}
		dir = up
	}
}
