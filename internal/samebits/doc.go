// Package samebits holds one test: it fills and meshes a fixed set of chunks and compares the hash of all
// samples and meshes with the committed one, testdata/hash. Every machine, every vector width and every way of
// building must come to the same hash, or people would stand in different worlds.
//
// The ways it is run, all with GOTOOLCHAIN=go1.27.3 and, unless said, GOEXPERIMENT=simd:
//
//	go test ./internal/samebits                     this machine, and in child processes every vector width it has
//	GOAMD64=v3 go test ./internal/samebits          a compiler that may fuse multiply and add
//	GOEXPERIMENT= go test ./internal/samebits       without vectors
//	GOOS=js GOARCH=wasm go test -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./internal/samebits
//	GOARCH=arm64 CGO_ENABLED=0 go test -exec qemu-aarch64-static ./internal/samebits
//
// A change of the hash is a change of every world there is, and must be meant:
//
//	go test ./internal/samebits -run TestSameBits -update
//
// When it fails, it prints the hash of every part; the parts printed by two ways of running it tell where they
// part.
package samebits
