package edit_test

import (
	"fmt"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
)

// A ball is dug out of solid ground: its middle becomes air, what it does not reach stays.
func ExampleChecked_Value() {
	place, _ := lattice.PlaceAt(0, 0, 0)
	hole, err := edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 4, Place: place}.Check()
	for _, x := range []int32{0, 2, 4, 12} {
		fmt.Print(hole.Value(5, lattice.Sample{X: x}, 0), " ")
	}
	fmt.Println(err)
	// Output: -4 -2 0 5 <nil>
}

// An edit that comes from outside is checked once; the checked edit knows what it touches and how it is stored.
func ExampleEdit_Check() {
	place, _ := lattice.PlaceAt(250, 10, 0)
	if _, err := (edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 1000, Place: place}).Check(); err != nil {
		fmt.Println(err)
	}
	hole := edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 8, Place: place})
	for r := range hole.Regions(0) {
		fmt.Println(r)
	}
	fmt.Println(len(hole.AppendBinary(nil)), "bytes")
	// Output:
	// invalid edit: radius 1000 m is outside 0.25 … 64 m
	// region(0,-1)@0
	// region(1,-1)@0
	// region(0,0)@0
	// region(1,0)@0
	// 36 bytes
}
