package template_test

import (
	"fmt"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

func ExampleFlat() {
	t, err := field.Compile(template.Flat(), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.At(lattice.Sample{Y: 0}), t.At(lattice.Sample{Y: 1}))
	// Output: 0.5 -0.5
}
