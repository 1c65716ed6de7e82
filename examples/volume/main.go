// Command volume samples a function of space, meshes the volume with every mesher and writes each mesh as a PLY:
// where a program has samples of its own, a scan or a simulation, it begins at the mesher.
//
//	go run ./examples/volume [FOLDER]
package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := run(folder); err != nil {
		log.Fatal(err)
	}
}

// gyroid is positive inside a triply periodic wall, some 16 samples to a period.
func gyroid(p geom.Vec3) float32 {
	x, y, z := float64(p.X)*0.4, float64(p.Y)*0.4, float64(p.Z)*0.4
	wave := math.Sin(x)*math.Cos(y) + math.Sin(y)*math.Cos(z) + math.Sin(z)*math.Cos(x)
	return float32(0.3 - math.Abs(wave))
}

func run(folder string) error {
	v := grid.NewVolume(48, 48, 48)
	v.Fill(gyroid)
	for _, kind := range mesher.Kinds() {
		// Caps close the mesh where the samples end.
		x, m := mesher.Extractor{Kind: kind, Caps: true}, new(mesh.Mesh)
		if _, err := x.Extract(m, v); err != nil {
			return err
		}
		f, err := m.Check()
		if err != nil {
			return err
		}
		name := filepath.Join(folder, "gyroid-"+kind.String()+".ply")
		if err := write(name, m); err != nil {
			return err
		}
		fmt.Printf("%s: %d triangles, %.0f m³ inside\n", name, f.Triangles, f.Volume)
	}
	return nil
}

func write(name string, m *mesh.Mesh) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := codec.Write(out, codec.PLY, m, codec.Options{Name: "gyroid"}); err != nil {
		return err
	}
	return out.Close()
}
