//go:build js && wasm

// Package builder is what the program runs in a builder worker: internal/builder behind JavaScript
// functions, which client/src/workers/builder.ts calls.
//
//	init(graph: Uint8Array, assets: {[hex]: Uint8Array}, samples: boolean)
//	                                                         returns an Error if something is wrong
//	build(job: Uint8Array): Uint8Array                       or an Error
//	heights(kind: number): Uint8Array                        a view of internal/heightview, or an Error
package builder

import (
	"fmt"
	"syscall/js"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/internal/heightview"
)

// Methods returns the functions.
func Methods() map[string]any {
	var b *builder.Builder
	return map[string]any{
		"init": export(func(args []js.Value) (js.Value, error) {
			made, err := builder.New(bytesOf(args[0]), assetsOf(args[1]))
			if err != nil {
				return js.Undefined(), err
			}
			b = made
			b.Samples = args[2].Bool()
			return js.Undefined(), nil
		}),
		"build": export(func(args []js.Value) (js.Value, error) {
			if b == nil {
				return js.Undefined(), fmt.Errorf("builder: a job came before the world's document")
			}
			result, err := b.Build(bytesOf(args[0]))
			if err != nil {
				return js.Undefined(), err
			}
			return arrayOf(result), nil
		}),
		"heights": export(func(args []js.Value) (js.Value, error) {
			kind := heightview.Kind(args[0].Int())
			if !kind.Valid() {
				return js.Undefined(), fmt.Errorf("builder: there is no heightmap %d", uint8(kind))
			}
			return arrayOf(heightview.Append(nil, kind)), nil
		}),
	}
}

// arrayOf returns a copy of data as a Uint8Array.
func arrayOf(data []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(out, data)
	return out
}

// export returns f as a JavaScript function. An error is returned as an Error object, since a Go function
// cannot throw.
func export(f func(args []js.Value) (js.Value, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		v, err := f(args)
		if err != nil {
			return js.Global().Get("Error").New(err.Error())
		}
		return v
	})
}

// assetsOf returns a lookup in an object of files by the hexadecimal form of their hash.
func assetsOf(files js.Value) func(hash asset.Hash) ([]byte, error) {
	return func(hash asset.Hash) ([]byte, error) {
		name := hash.String()
		file := files.Get(name)
		if file.IsUndefined() {
			return nil, fmt.Errorf("builder: the world's file %s is missing", name)
		}
		return bytesOf(file), nil
	}
}

// bytesOf copies a Uint8Array.
func bytesOf(v js.Value) []byte {
	data := make([]byte, v.Length())
	js.CopyBytesToGo(data, v)
	return data
}
