package edit_test

import (
	"fmt"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
)

// A ball is dug out of solid ground: its middle becomes air, what it does not reach stays.
func ExampleEdit_Value() {
	place, _ := lattice.PlaceAt(0, 0, 0)
	hole := edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 4, Place: place}
	for _, x := range []int32{0, 2, 4, 12} {
		fmt.Print(hole.Value(5, lattice.Sample{X: x}, 0), " ")
	}
	fmt.Println(hole.Validate())
	// Output: -4 -2 0 5 <nil>
}
