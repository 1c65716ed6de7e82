package mesher_test

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// A ball of radius 10 in the middle of a chunk.
func ExampleNew() {
	g := grid.New(32)
	for z := -1; z <= 33; z++ {
		for y := -1; y <= 33; y++ {
			for x := -1; x <= 33; x++ {
				p := geom.Vec3{X: float32(x - 16), Y: float32(y - 16), Z: float32(z - 16)}
				g.Samples[g.Index(x, y, z)] = 10 - p.Len()
			}
		}
	}
	var m mesh.Mesh
	mesher.New(mesher.Marching).Mesh(&m, g, 0)
	f, err := m.Check()
	fmt.Println(m.Vertices(), f.Triangles, f.Closed(), err)
	fmt.Printf("area %.2f, volume %.2f\n", f.Area, f.Volume)
	// Output:
	// 1830 3656 true <nil>
	// area 1252.66, volume 4163.47
}

// A function of space, meshed in five lines.
func ExampleExtractor_Extract() {
	v := grid.NewVolume(64, 64, 64)
	v.Fill(func(p geom.Vec3) float32 { return 20 - p.Sub(geom.Vec3{X: 31.5, Y: 31.5, Z: 31.5}).Len() })
	var x mesher.Extractor
	var m mesh.Mesh
	_, err := x.Extract(&m, v)
	f, _ := m.Check()
	fmt.Printf("%v closed, volume %.0f, %v\n", f.Closed(), f.Volume, err)
	// Output: true closed, volume 33460, <nil>
}

// Samples that are there already, at a level other than 0, closed where they end.
func ExampleExtractor_Extract_samples() {
	samples := make([]float32, 10*10*10)
	for i := range samples {
		samples[i] = float32(math.Hypot(float64(i%10), float64(i/100)))
	}
	x := mesher.Extractor{Iso: 5, Caps: true, Kind: mesher.Nets}
	var m mesh.Mesh
	_, err := x.Extract(&m, &grid.Volume{NX: 10, NY: 10, NZ: 10, Samples: samples, Cell: geom.Vec3{X: 0.5, Y: 0.5, Z: 0.5}})
	f, _ := m.Check()
	fmt.Printf("%v closed, volume %.1f, %v\n", f.Closed(), f.Volume, err)
	// Output: true closed, volume 69.2, <nil>
}
