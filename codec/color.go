package codec

import (
	"fmt"
	"math"

	"github.com/terrane/terrane/mesh"
)

// colored reports whether vertices are written with colors.
func colored(m *mesh.Mesh, o Options) bool { return len(o.Palette) != 0 && len(m.Materials) != 0 }

// checkColors returns an error if something is wrong with the materials of a mesh to be written with colors.
func checkColors(m *mesh.Mesh, o Options) error {
	if !colored(m, o) {
		return nil
	}
	if len(m.Materials) != 4*m.Vertices() {
		return fmt.Errorf("%w: %d bytes of materials for %d vertices", ErrInvalid, len(m.Materials), m.Vertices())
	}
	for i := 0; i < len(m.Materials); i += 4 {
		for _, k := range m.Materials[i : i+2] {
			if int(k) >= len(o.Palette) {
				return fmt.Errorf("%w: vertex %d has material %d, and the palette has %d", ErrInvalid, i/4, k, len(o.Palette))
			}
		}
	}
	return nil
}

// colorOf returns the color of vertex i: its two materials' mixed as light, linear, 0 … 1.
func colorOf(m *mesh.Mesh, o Options, i int) (c [3]float64) {
	v := m.Materials[4*i : 4*i+4]
	t := float64(v[2]) / 255
	for k := range c {
		c[k] = (1-t)*linear(o.Palette[v[0]][k]) + t*linear(o.Palette[v[1]][k])
	}
	return c
}

// linear returns the light of a component in sRGB.
func linear(b uint8) float64 {
	s := float64(b) / 255
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

// sRGB returns the component in sRGB of light.
func sRGB(l float64) uint8 {
	s := 12.92 * l
	if l > 0.0031308 {
		s = 1.055*math.Pow(l, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * min(max(s, 0), 1)))
}
