# Terrane. `make run` serves a world, `make test` runs every test; `make help` lists the rest.

# The toolchain and the experiment that everything is built with. The toolchain is fetched by any Go from 1.21 on.
export GOTOOLCHAIN := go1.27.3
export GOEXPERIMENT := simd
# The compiler is told not to fold chains of 512-bit logic, which it does wrongly (ARCHITECTURE.md, "Tools").
export GOFLAGS := $(strip $(filter-out -gcflags=%,$(GOFLAGS)) -gcflags=all=-d=ssa/rewrite_tern/off)
# The simd package uses 128 bits on processors with AVX2 but without wide carry-less multiplication, which the engine
# does not need (ARCHITECTURE.md, "Decisions"). This is GODEBUG=simd=+, all that the processor has, as the default;
# a go.mod cannot say it, for the setting is not among the documented ones.
WIDEST := -X runtime.godebugDefault=simd=+

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
WORLD ?= world.terrane
ADDR ?= 127.0.0.1:8080
ARGS ?=

# The packages that users import and what those are made of: they build and pass without the experiment.
LIBRARY = ./geom/... ./asset/... ./lattice/... ./grid/... ./mesh/... ./edit/... ./noise/... ./graph/... ./raster/... \
	./template/... ./field/... ./brick/... ./gpu/... ./mesher/... ./codec/... ./ingest/... ./world/... ./lod/... ./wire \
	./internal/kernel/... ./internal/eval/... ./internal/samebits/...
# The packages with goroutines.
RACED = ./internal/server/... ./internal/session/... ./internal/bot/... ./internal/worldlog/... ./internal/replica ./internal/cli/...

STEP = @.ci/step

.NOTPARALLEL:
.PHONY: run build test soak lint bench bench-gpu fuzz clean help check needs client \
	test-vet test-go test-race test-plain test-amd64v3 test-wasm test-arm64 test-types test-browser

run: build ## build everything and serve a world on http://127.0.0.1:8080 (WORLD=, ADDR=, ARGS= for serve)
	@exec bin/terrane serve $(WORLD) --addr $(ADDR) $(ARGS)

build: check client ## build the page and bin/terrane
	@go build -trimpath -ldflags '-X main.version=$(VERSION) $(WIDEST)' -o bin/terrane ./cmd/terrane

check:
	@.ci/check

client: client/node_modules/.package-lock.json
	@go run ./client/build

# What npm brings: the page's library, its type checker and the tests' browser driver; a validator of GLB files.
%/node_modules/.package-lock.json: %/package-lock.json
	@npm --prefix $* ci --no-fund --no-audit --loglevel=error
	@touch $@

test: check ## install what the tests need and run all of them
	@mkdir -p bin && rm -f bin/steps.txt
	$(STEP) 'what the tests need' .ci/needs
	$(STEP) 'build' $(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory test-vet test-go test-race test-plain test-amd64v3 test-wasm test-arm64 test-types test-browser
	@printf '\nAll tests passed.\n'; cat bin/steps.txt

test-vet:
	$(STEP) 'gofmt' .ci/gofmt
	$(STEP) 'go vet' go vet ./...

test-go: codec/testdata/node_modules/.package-lock.json ## the Go tests
	$(STEP) 'Go tests' go test ./...

test-race: ## the packages with goroutines under the race detector
	$(STEP) 'Go tests, race detector' go test -race -short $(RACED)

test-plain: ## the library without the experiment
	$(STEP) 'Go tests, no experiment' env -u GOEXPERIMENT go test -short $(LIBRARY)

test-amd64v3: ## the same bits with AVX2 and fused multiply-add allowed to the compiler
	$(STEP) 'same bits, GOAMD64=v3' .ci/samebits v3

test-wasm: ## the same bits under WebAssembly in node
	$(STEP) 'same bits, WebAssembly' .ci/samebits wasm

test-arm64: ## the same bits on arm64 under qemu-user
	$(STEP) 'same bits, arm64' .ci/samebits arm64

test-types: client/node_modules/.package-lock.json
	$(STEP) 'tsc' npm --prefix client run --silent check

test-browser: build ## the page in a real browser, on WebGL2 and WebGPU
	$(STEP) 'browser tests' npm --prefix client run --silent test

soak: check ## the long cases whole (an hour and more)
	TERRANE_SOAK=1 go test -timeout 4h -count 1 ./...

lint: check client/node_modules/.package-lock.json ## everything that reads the source without running it
	$(STEP) 'gofmt' .ci/gofmt
	$(STEP) 'go vet' go vet ./...
	$(STEP) 'staticcheck' go tool staticcheck ./...
	$(STEP) 'go fix' go fix -diff ./...
	$(STEP) 'go mod tidy' go mod tidy -diff
	$(STEP) 'tsc' npm --prefix client run --silent check

bench: check ## every benchmark, six times: the output is ready for benchstat
	@go test -ldflags '$(WIDEST)' -run '^$$' -bench . -count 6 ./...

bench-gpu: build ## time the work on a GPU (GPU=1), or in software, and print one line of JSON (VOLUME=, SIZE=)
	@node client/test/bench-gpu.mjs

fuzz: check ## every fuzz target for 30 seconds (FUZZTIME=)
	@.ci/fuzz

clean: ## remove what the build made
	rm -rf bin client/dist/* client/node_modules codec/testdata/node_modules

help: ## list these targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-14s %s\n", $$1, $$2}'
