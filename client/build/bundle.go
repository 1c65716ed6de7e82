package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle writes the workers, the page's scripts and style, and index.html, which names them all.
func (b *builder) bundle(wasmExec, wasm string) error {
	workers, err := b.esbuild(api.BuildOptions{
		EntryPoints: []string{b.src("workers/session.ts"), b.src("workers/builder.ts"), b.src("workers/gpu.ts")},
		Alias:       map[string]string{"wasm_exec": wasmExec},
		Format:      api.FormatIIFE, // classic workers: Safari loads them fastest, and Go's glue expects one
	})
	if err != nil {
		return err
	}
	// esbuild does not follow `new Worker(new URL(…))`, so the page learns the names as constants.
	page, err := b.esbuild(api.BuildOptions{
		EntryPoints: []string{b.src("main.ts"), b.src("view/style.css")},
		Format:      api.FormatESModule,
		Splitting:   true, // the renderer loads while the engine starts
		Define: map[string]string{
			"SESSION_WORKER": quote(workers.entry["session.ts"]),
			"BUILDER_WORKER": quote(workers.entry["builder.ts"]),
			"GPU_WORKER":     quote(workers.entry["gpu.ts"]),
			"ENGINE_WASM":    quote(wasm),
		},
	})
	if err != nil {
		return err
	}
	html, err := os.ReadFile(b.src("index.html"))
	if err != nil {
		return err
	}
	filled := strings.NewReplacer(
		"{{style}}", page.entry["style.css"],
		"{{script}}", page.entry["main.ts"],
		"{{preload}}", preload(page.chunks, wasm),
	).Replace(string(html))
	return b.write("index.html", []byte(filled))
}

// preload returns the link elements that let a browser load everything at once.
func preload(chunks []string, wasm string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "<link rel=\"preload\" href=\"%s\" as=\"fetch\" type=\"application/wasm\" crossorigin>\n", wasm)
	for _, name := range chunks {
		fmt.Fprintf(&s, "<link rel=\"modulepreload\" href=\"%s\">\n", name)
	}
	return strings.TrimSuffix(s.String(), "\n")
}

func (b *builder) src(name string) string {
	return filepath.Join(b.client, "src", filepath.FromSlash(name))
}

// bundled lists the output of esbuild: the name in dist of each entry point, and the scripts that the world's page loads
// besides the one that index.html names.
type bundled struct {
	entry  map[string]string
	chunks []string
}

// esbuild bundles into dist with the settings that all bundles share.
func (b *builder) esbuild(o api.BuildOptions) (bundled, error) {
	o.AbsWorkingDir = b.client
	o.Outdir = b.dist("")
	o.Bundle, o.Metafile, o.Write = true, true, false
	o.MinifySyntax, o.MinifyWhitespace, o.MinifyIdentifiers = true, true, true
	o.Target = api.ES2022
	o.Platform = api.PlatformBrowser
	o.EntryNames, o.ChunkNames = "[name]-[hash]", "[name]-[hash]"
	o.LegalComments = api.LegalCommentsEndOfFile
	o.LogLevel = api.LogLevelWarning
	result := api.Build(o)
	if len(result.Errors) > 0 {
		return bundled{}, errors.New("esbuild: " + result.Errors[0].Text)
	}
	for _, f := range result.OutputFiles {
		if err := b.write(filepath.Base(f.Path), f.Contents); err != nil {
			return bundled{}, err
		}
	}
	return outputs(result.Metafile)
}

// output is an output file in esbuild's account.
type output struct {
	EntryPoint string `json:"entryPoint"`
	Imports    []struct {
		Path string `json:"path"`
		Kind string `json:"kind"`
	} `json:"imports"`
}

// outputs reads from esbuild's account which entry point became which file, and which files app.ts imports: those are
// loaded ahead. What is imported dynamically, such as the demos and the parts that only they share, is not.
func outputs(metafile string) (bundled, error) {
	var meta struct {
		Outputs map[string]output `json:"outputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return bundled{}, fmt.Errorf("esbuild's metafile: %w", err)
	}
	out := bundled{entry: map[string]string{}}
	ahead := map[string]bool{}
	for path, o := range meta.Outputs {
		if o.EntryPoint == "" {
			continue
		}
		name := filepath.Base(o.EntryPoint)
		out.entry[name] = filepath.Base(path)
		if name == "main.ts" || name == "app.ts" {
			reach(meta.Outputs, path, ahead)
		}
	}
	for path := range ahead {
		if filepath.Base(path) != out.entry["main.ts"] {
			out.chunks = append(out.chunks, filepath.Base(path))
		}
	}
	slices.Sort(out.chunks)
	return out, nil
}

// reach adds an output and what it imports statically to seen.
func reach(outputs map[string]output, path string, seen map[string]bool) {
	if seen[path] {
		return
	}
	seen[path] = true
	for _, i := range outputs[path].Imports {
		if i.Kind == "import-statement" {
			reach(outputs, i.Path, seen)
		}
	}
}

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(data)
}
