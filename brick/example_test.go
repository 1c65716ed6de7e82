package brick_test

import (
	"fmt"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
)

// A hole is dug, one brick of it travels, and both ends hold the same world.
func Example() {
	ground := testground.Ground{Height: 16.5} // solid below y = 16.5
	server := brick.NewLayer(ground, 0)
	change := server.Apply(edit.Must(edit.Edit{
		Op: edit.Dig, Shape: edit.Ball, Radius: 3,
		Place: lattice.Place{Sample: lattice.Sample{X: 16, Y: 16, Z: 16}},
	}))
	fmt.Println("samples changed:", change.Samples, "density in the hole:", server.At(lattice.Sample{X: 16, Y: 15, Z: 16}))

	client := brick.NewLayer(ground, 0)
	for id, b := range server.All() {
		data := b.AppendBinary(nil)
		parsed, err := brick.Parse(data)
		if err != nil {
			fmt.Println(err)
			return
		}
		client.Put(parsed)
		fmt.Println(id, "in", len(data), "bytes")
	}
	fmt.Println("same world:", client.Hash() == server.Hash())
	// Output:
	// samples changed: 267 density in the hole: -2
	// brick(0,0,0)@0 in 1324 bytes
	// same world: true
}
