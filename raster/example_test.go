package raster_test

import (
	"fmt"

	"github.com/terrane/terrane/raster"
)

// Heights in steps of a centimeter, stored as 16-bit integers.
func Example() {
	r := raster.Raster{Width: 3, Height: 2, MetersX: 30, MetersZ: 30, Scale: 0.01, Values: []float32{0, 100, 250, -20, 30, 40}}
	data := r.AppendBinary(nil)
	back, err := raster.Parse(data)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(data), "bytes,", back.Values[2]*back.Scale, "m")
	// Output: 56 bytes, 2.5 m
}
