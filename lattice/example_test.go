package lattice_test

import (
	"fmt"

	"github.com/terrane/terrane/lattice"
)

// A place ten million meters out is as exact as one at the origin: a whole sample and the rest.
func ExamplePlaceAt() {
	p, ok := lattice.PlaceAt(10_000_000.25, 3, -0.5)
	fmt.Println(p.Sample, p.Offset, ok)
	// Output: {10000000 3 -1} {0.25 0 0.5} true
}

// Chunks have 32 cells a side, below 0 as well.
func ExampleChunkOf() {
	for _, x := range []int32{-33, -32, -1, 0, 31, 32} {
		fmt.Print(lattice.ChunkOf(lattice.Sample{X: x}, 0).X, " ")
	}
	fmt.Println()
	// Output: -2 -1 -1 0 0 1
}
