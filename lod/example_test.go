package lod_test

import (
	"fmt"

	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/lod"
)

func Example() {
	var set lod.Set
	eye, _ := lattice.PlaceAt(100, 20, -5)
	enter, _ := set.Move(lod.ColumnOf(eye.Sample, 0), 8)
	fmt.Println(len(enter), "columns, the first", enter[0])

	var queue lod.Queue
	queue.Move(eye)
	for _, c := range enter {
		queue.Push(c.Chunk(0), false)
	}
	first, _ := queue.Pop()
	fmt.Println(first)
	// Output:
	// 197 columns, the first {3 -1 0}
	// chunk(3,0,-1)@0
}
