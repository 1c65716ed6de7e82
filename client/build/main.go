// Command build makes client/dist: the page, its workers and the engine's WebAssembly, each under a name that
// contains a hash of its content, with compressed forms beside it. Run it from anywhere in the module:
//
//	go run ./client/build            # brotli quality 5, takes seconds
//	go run ./client/build -release   # brotli quality 11, takes half a minute
//
// It does nothing if neither its inputs nor its outputs have changed since the last run.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// wasmBudget is what the engine may weigh at brotli quality 11. A page on a slow line waits for it before it
// shows anything.
const wasmBudget = 1_250_000

func main() {
	release := flag.Bool("release", false, "compress as small as possible")
	force := flag.Bool("force", false, "build even if nothing has changed")
	flag.Parse()
	root, err := moduleRoot()
	if err == nil {
		b := &builder{root: root, client: filepath.Join(root, "client"), quality: 5}
		if *release {
			b.quality = 11
		}
		err = b.run(*force)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "client/build:", err)
		os.Exit(1)
	}
}

// moduleRoot returns the folder of go.mod at or above the working folder.
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
			return "", fmt.Errorf("no go.mod here or above: run it inside the module")
		}
		dir = up
	}
}
