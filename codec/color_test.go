package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/terrane/terrane/mesh"
)

// paint gives a mesh materials: the vertices go through the palette and the weights.
func paint(m *mesh.Mesh, colors int) {
	for i := range m.Vertices() {
		m.Materials = append(m.Materials, uint8(i%colors), uint8((i+1)%colors), uint8(i*5), 0)
	}
}

var palette = [][3]uint8{{255, 0, 0}, {75, 130, 58}, {230, 236, 244}}

func TestGLBColors(t *testing.T) {
	for _, normals := range []bool{true, false} {
		m := sheet(16, 17, 0)
		paint(m, len(palette))
		if !normals {
			m.Normals = nil
		}
		data := encode(t, GLB, m, Options{Palette: palette, Color: [3]float32{0.1, 0.2, 0.3}})
		got, g := readGLB(t, data)
		same(t, got, m)
		validate(t, data)
		a := g.Accessors[g.Meshes[0].Primitives[0].Attributes["COLOR_0"]]
		v := g.BufferViews[a.BufferView]
		bin := data[len(data)-g.Buffers[0].ByteLength:][v.ByteOffset:][:v.ByteLength]
		if a.Count != m.Vertices() || a.ComponentType != typeUint16 || len(bin) != 8*m.Vertices() {
			t.Fatalf("colors %+v of %d bytes", a, len(bin))
		}
		for i := range m.Vertices() {
			want := colorOf(m, Options{Palette: palette}, i)
			for k := range want {
				if c := float64(binary.LittleEndian.Uint16(bin[8*i+2*k:])) / math.MaxUint16; math.Abs(c-want[k]) > 1e-5 {
					t.Fatalf("component %d of vertex %d is %v, want %v", k, i, c, want[k])
				}
			}
		}
	}
}

func TestPLYColors(t *testing.T) {
	m := sheet(3, 2, 0)
	m.Materials = []uint8{0, 1, 0, 0, 0, 1, 255, 0, 2, 2, 100, 0, 0, 2, 128, 0, 1, 1, 0, 0, 1, 1, 0, 0}
	data := encode(t, PLY, m, Options{Palette: palette})
	_, body, found := bytes.Cut(data, []byte("property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"))
	if !found {
		t.Fatalf("header %q", data[:400])
	}
	for i, want := range [][3]uint8{palette[0], palette[1], palette[2], {243, 174, 180}} {
		if got := [3]uint8(body[27*i+24:]); got != want {
			t.Errorf("vertex %d is %v, want %v", i, got, want)
		}
	}
	if bytes.Contains(encode(t, PLY, m, Options{}), []byte("uchar red")) {
		t.Error("colors without a palette")
	}
}

func TestColorsRefused(t *testing.T) {
	m := sheet(3, 2, 0)
	paint(m, 4)
	if err := Write(new(bytes.Buffer), GLB, m, Options{Palette: palette}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a material that the palette lacks: %v", err)
	}
	m.Materials = m.Materials[:8]
	if err := Write(new(bytes.Buffer), PLY, m, Options{Palette: palette}); !errors.Is(err, ErrInvalid) {
		t.Errorf("materials for some vertices: %v", err)
	}
}

func TestSRGB(t *testing.T) {
	for i := range 256 {
		if got := sRGB(linear(uint8(i))); got != uint8(i) {
			t.Errorf("%d becomes %d", i, got)
		}
	}
}
