package main

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"
)

// A builder makes client/dist.
type builder struct {
	root    string // of the module
	client  string // root/client
	quality int    // of brotli

	lock  sync.Mutex      // of names
	names map[string]bool // files of dist that belong to this build
}

func (b *builder) dist(name string) string { return filepath.Join(b.client, "dist", name) }

// run builds everything that is not up to date.
func (b *builder) run(force bool) error {
	start := time.Now()
	if _, err := os.Stat(filepath.Join(b.client, "node_modules", "three")); err != nil {
		return fmt.Errorf("three is not installed: run `npm ci` in %s first", b.client)
	}
	stamp, err := b.stamp()
	if err != nil {
		return err
	}
	last := b.readState()
	if !force && b.upToDate(last, stamp) {
		return nil
	}
	b.names = map[string]bool{".keep": true, stampName: true}
	if err := os.MkdirAll(b.dist(""), 0o755); err != nil {
		return err
	}
	if err := b.build(); err != nil {
		return err
	}
	if err := b.compress(last.quality == b.quality); err != nil {
		return err
	}
	if err := b.removeOld(); err != nil {
		return err
	}
	if err := b.writeState(stamp); err != nil {
		return err
	}
	fmt.Printf("client: built in %.1f s\n", time.Since(start).Seconds())
	return b.report()
}

// build writes the uncompressed files.
func (b *builder) build() error {
	tmp, err := os.MkdirTemp("", "terrane-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)

	var wasm, goroot string
	var wasmErr, gorootErr error
	var wg sync.WaitGroup
	wg.Go(func() { wasm, wasmErr = b.wasm(tmp) })
	wg.Go(func() { goroot, gorootErr = b.goEnv("GOROOT") })
	wg.Wait()
	if err := errors.Join(wasmErr, gorootErr); err != nil {
		return err
	}
	return b.bundle(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"), wasm)
}

// seldom are the packages that the engine is seldom in: when a world opens, and to word an error. They are compiled
// without inlining, which makes the packed WebAssembly 2 % smaller; the packages that work on samples keep theirs.
var seldom = []string{"fmt", "strconv", "reflect", "github.com/terrane/terrane/graph"}

// wasm builds client/engine and returns its name in dist.
func (b *builder) wasm(tmp string) (string, error) {
	out := filepath.Join(tmp, "engine.wasm")
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", out}
	for _, p := range seldom {
		args = append(args, "-gcflags="+p+"=-l")
	}
	cmd := exec.Command("go", append(args, "./client/engine")...)
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("client/engine: %w\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return "", err
	}
	file := "engine-" + contentName(data) + ".wasm"
	return file, b.write(file, data)
}

// goEnv returns one of the go command's settings.
func (b *builder) goEnv(name string) (string, error) {
	cmd := exec.Command("go", "env", name)
	cmd.Dir = b.root
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// write puts a file into dist unless it is there: a name with a hash in it has one content.
func (b *builder) write(name string, data []byte) error {
	b.mark(name)
	if old, err := os.ReadFile(b.dist(name)); err == nil && string(old) == string(data) {
		return nil
	}
	return os.WriteFile(b.dist(name), data, 0o644)
}

// mark notes that a file of dist and its compressed forms belong to this build.
func (b *builder) mark(name string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.names[name] = true
}

// removeOld removes what earlier builds left in dist.
func (b *builder) removeOld() error {
	entries, err := os.ReadDir(b.dist(""))
	if err != nil {
		return err
	}
	for _, e := range entries {
		base := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".br"), ".gz")
		if b.names[base] {
			continue
		}
		if err := os.RemoveAll(b.dist(e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// contentName returns the part of a file's name that its content decides: 50 bits are plenty for a handful
// of files.
func contentName(data []byte) string {
	sum := sha256.Sum256(data)
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:10])
}

// report prints the sizes that a browser loads and refuses a release that has grown too large.
func (b *builder) report() error {
	names := make([]string, 0, len(b.names))
	for name := range b.names {
		names = append(names, name)
	}
	sort.Strings(names)
	var wasm int64
	for _, name := range names {
		if !compressible(name) {
			continue
		}
		raw, br := fileSize(b.dist(name)), fileSize(b.dist(name+".br"))
		if strings.HasSuffix(name, ".wasm") {
			wasm += br
		}
		fmt.Printf("  %-32s %9d bytes, %8d brotli\n", name, raw, br)
	}
	fmt.Printf("  WebAssembly: %d bytes at brotli quality %d (at most %d at quality 11)\n", wasm, b.quality, wasmBudget)
	if b.quality == 11 && wasm > wasmBudget {
		return fmt.Errorf("the engine weighs %d bytes, over its budget of %d", wasm, wasmBudget)
	}
	return nil
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
