package builder

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
)

// TestSamples holds that a builder of samples hands out what other builders mesh.
func TestSamples(t *testing.T) {
	base, err := field.Compile(template.Hills(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := field.Compile(template.Hills(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := NewTerrain(base)
	b.Samples = true
	for _, tt := range []struct {
		name    string
		chunk   lattice.Chunk
		mesher  mesher.Kind
		samples bool
	}{
		{"surface", lattice.Chunk{}, mesher.Marching, true},
		{"another mesher", lattice.Chunk{}, mesher.Nets, false},
		{"sky", lattice.Chunk{Y: 20}, mesher.Marching, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := Job{Chunk: tt.chunk, Mesher: tt.mesher, Version: 7}
			h, data := built(t, b, &j)
			if h.Samples != tt.samples || h.Version != 7 || h.Empty == (tt.samples || tt.mesher == mesher.Nets) {
				t.Fatalf("header %+v", h)
			}
			if !h.Samples {
				return
			}
			const side = lattice.ChunkCells + 3
			for _, at := range [][3]int{{0, 0, 0}, {34, 34, 34}, {3, 20, 9}} {
				s := lattice.Sample{X: int32(at[0] - 1), Y: int32(at[1] - 1), Z: int32(at[2] - 1)}
				i := (at[2]*side+at[1])*side + at[0]
				got := math.Float32frombits(binary.LittleEndian.Uint32(data[HeaderSize+4*i:]))
				if want := second.At(s); got != want {
					t.Errorf("sample %v is %v, want %v", s, got, want)
				}
			}
		})
	}
}
