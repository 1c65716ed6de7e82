package codec_test

import (
	"bytes"
	"fmt"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/mesh"
)

func ExampleWrite() {
	triangle := &mesh.Mesh{
		Positions: []float32{0, 0, 0, 0, 0, 1, 1, 0, 0},
		Indices:   []uint32{0, 1, 2},
	}
	var b bytes.Buffer
	if err := codec.Write(&b, codec.OBJ, triangle, codec.Options{Name: "triangle"}); err != nil {
		fmt.Println(err)
	}
	fmt.Print(b.String())
	// Output:
	// # Terrane OBJ
	// o triangle
	// v 0 0 0
	// v 0 0 1
	// v 1 0 0
	// f 1 2 3
}
