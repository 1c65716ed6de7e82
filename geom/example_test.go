package geom_test

import (
	"fmt"

	"github.com/terrane/terrane/geom"
)

// Meters, y up.
func ExampleVec3() {
	eye, target := geom.Vec3{X: 1, Y: 2, Z: 2}, geom.Vec3{X: 1, Y: 5, Z: 6}
	fmt.Println(target.Sub(eye), target.Sub(eye).Len())
	// Output: {0 3 4} 5
}
