package mesher

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
)

// benchFields are what chunks look like: from nothing to the worst.
var benchFields = []struct {
	name string
	f    func(x, y, z float64) float64
}{
	{"air", func(x, y, z float64) float64 { return -1 }},
	{"plain", func(x, y, z float64) float64 { return 16.3 - y + 0.1*x }},
	{"hills", func(x, y, z float64) float64 {
		return 16 - y + 5*math.Sin(x/7)*math.Cos(z/9) + 2*math.Sin(x/3+y/4)*math.Sin(z/3.3)
	}},
	{"ball", ball(14, 16.2, 16.1, 15.9)},
	{"gyroid", func(x, y, z float64) float64 {
		const k = 2 * math.Pi / 16
		x, y, z = x*k, y*k, z*k
		return math.Sin(x)*math.Cos(y) + math.Sin(y)*math.Cos(z) + math.Sin(z)*math.Cos(x)
	}},
	{"noise", func(x, y, z float64) float64 {
		h := uint32(int(x))*0x9e3779b1 ^ uint32(int(y))*0x85ebca77 ^ uint32(int(z))*0xc2b2ae3d
		h ^= h >> 15
		h *= 0x2c1b3c6d
		h ^= h >> 13
		return float64(h)/(1<<31) - 1
	}},
}

func BenchmarkChunk(b *testing.B) {
	for _, kind := range []Kind{Marching, Nets, Blocks} {
		for _, f := range benchFields {
			b.Run(kind.String()+"/"+f.name, func(b *testing.B) {
				g := grid.New(lattice.ChunkCells)
				fill(g, f.f)
				var m mesh.Mesh
				k := New(kind)
				k.Mesh(&m, g, 0)
				b.ReportAllocs()
				for b.Loop() {
					m.Reset()
					k.Mesh(&m, g, 0)
				}
				s := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(float64(len(g.Samples))/s/1e6, "Msamples/s")
				b.ReportMetric(float64(m.Triangles())/s/1e6, "Mtris/s")
			})
		}
	}
}

// benchVolumes returns 256³ samples of ground and of the gyroid that VTK is measured on.
var benchVolumes = sync.OnceValue(func() map[string]*grid.Volume {
	const n = 256
	ground, gyroid := grid.NewVolume(n, n, n), grid.NewVolume(n, n, n)
	var sin, cos [n]float32
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 32)
		sin[i], cos[i] = float32(s), float32(c)
	}
	i := 0
	for z := range n {
		for y := range n {
			for x := range n {
				ground.Samples[i] = 128 - float32(y) + 20*sin[x/4]*cos[z/5] + 3*sin[x]*sin[(y+z)%n]
				gyroid.Samples[i] = sin[x]*cos[y] + sin[y]*cos[z] + sin[z]*cos[x]
				i++
			}
		}
	}
	return map[string]*grid.Volume{"ground": ground, "gyroid": gyroid}
})

// BenchmarkVolume makes surfaces with normals, into the buffers of the one before and into fresh ones.
func BenchmarkVolume(b *testing.B) {
	for _, kind := range []Kind{Marching, Nets, Blocks} {
		for _, field := range []string{"ground", "gyroid"} {
			for threads := 1; threads <= 2; threads++ {
				if kind != Marching && threads > 1 {
					continue // one does all
				}
				for _, buffers := range []string{"reused", "fresh"} {
					b.Run(fmt.Sprintf("%v/%s/threads=%d/%s", kind, field, threads, buffers), func(b *testing.B) {
						v := benchVolumes()[field]
						x := &Extractor{Kind: kind, Threads: threads, Run: together}
						m := &mesh.Mesh{}
						extract := func() {
							if m.Reset(); buffers == "fresh" {
								m, x = &mesh.Mesh{}, &Extractor{Kind: kind, Threads: threads, Run: together}
							}
							if _, err := x.Extract(m, v); err != nil {
								b.Fatal(err)
							}
						}
						extract()
						b.ReportAllocs()
						for b.Loop() {
							extract()
						}
						s := b.Elapsed().Seconds() / float64(b.N)
						b.ReportMetric(float64(len(v.Samples))/s/1e6, "Msamples/s")
						b.ReportMetric(float64(m.Triangles())/s/1e6, "Mtris/s")
					})
				}
			}
		}
	}
}

// volumeKinds are the meshers that volumes can be given to.
var volumeKinds = []Kind{Marching, Nets}
