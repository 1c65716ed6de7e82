//go:build js && wasm

// Command engine is the browser's half of Terrane as a WebAssembly program: in one worker it is the session,
// the world's client, in the others builders of chunks. terraneHost.role says which; the program answers by
// terraneHost.loaded with the functions of that role.
//
// It is one program because a program carries Go's runtime, fmt and SHA-256 with it, 600 kB compressed: two
// weighed 1.65 MB together, one weighs little more than half of that and is compiled once for all workers.
package main

import (
	"syscall/js"

	"github.com/terrane/terrane/client/engine/builder"
	"github.com/terrane/terrane/client/engine/gpu"
	"github.com/terrane/terrane/client/engine/session"
)

func main() {
	host := js.Global().Get("terraneHost")
	var methods map[string]any
	switch role := host.Get("role").String(); role {
	case "session":
		methods = session.Methods(host)
	case "builder":
		methods = builder.Methods()
	case "gpu":
		methods = gpu.Methods()
	default:
		panic("engine: a worker asks for the unknown role " + role)
	}
	host.Call("loaded", methods)
	select {} // the program lives as long as its worker
}
