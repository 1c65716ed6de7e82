package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// A Material is an entry of the palette: a name and how the surface looks.
type Material struct {
	Name      string   // 1 to 64 bytes of UTF-8; no two materials of a graph have the same
	Color     [3]uint8 // red, green, blue in sRGB
	Roughness float32  // from 0, a mirror, to 1, chalk
}

// Limits of a palette.
const (
	MaxMaterials    = 256
	maxMaterialName = 64
	materialHeader  = 8
)

// checkPalette returns an error if the materials of g are invalid.
func checkPalette(g *Graph) error {
	painted := g.Nodes[len(g.Nodes)-1].Kind == KindPaintedWorld
	switch n := len(g.Materials); {
	case n > MaxMaterials:
		return fmt.Errorf("it has %d materials, want at most %d", n, MaxMaterials)
	case n == 0 && painted:
		return errors.New("it ends in a painted world and has no materials")
	case n != 0 && !painted:
		return errors.New("it has materials and does not end in a painted world, which uses them")
	}
	seen := make(map[string]bool, len(g.Materials))
	for i, m := range g.Materials {
		if err := checkName(m.Name); err != nil {
			return fmt.Errorf("material %d: %w", i, err)
		}
		if seen[m.Name] {
			return fmt.Errorf("material %d: there is another called %q", i, m.Name)
		}
		seen[m.Name] = true
		if !(m.Roughness >= 0 && m.Roughness <= 1) {
			return fmt.Errorf("material %d (%s): its roughness is %g, want 0 … 1", i, m.Name, m.Roughness)
		}
	}
	return nil
}

func checkName(name string) error {
	if n := len(name); n == 0 || n > maxMaterialName {
		return fmt.Errorf("its name has %d bytes, want 1 … %d", n, maxMaterialName)
	}
	if !utf8.ValidString(name) {
		return fmt.Errorf("its name %q is not UTF-8", name)
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f {
			return fmt.Errorf("its name %q has a control character", name)
		}
	}
	return nil
}

// appendMaterials appends the binary form of a palette.
func appendMaterials(dst []byte, palette []Material) []byte {
	if len(palette) > MaxMaterials {
		panic(fmt.Sprintf("graph: %d materials, more than the %d that a graph's binary form holds", len(palette), MaxMaterials))
	}
	for _, m := range palette {
		if n := len(m.Name); n == 0 || n > maxMaterialName {
			panic(fmt.Sprintf("graph: a material's name has %d bytes, want 1 … %d", n, maxMaterialName))
		}
		dst = append(dst, m.Color[0], m.Color[1], m.Color[2], byte(len(m.Name)))
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(m.Roughness))
		dst = append(dst, m.Name...)
	}
	return dst
}

// parseMaterials reads the palette of a graph whose header has been checked and returns the bytes after it.
func parseMaterials(graph []byte) (palette []Material, rest []byte, err error) {
	le := binary.LittleEndian
	rest = graph[graphHeader:]
	if le.Uint16(graph[4:]) != paintedVersion {
		return nil, rest, nil
	}
	n := int(le.Uint16(graph[6:]))
	switch {
	case n == 0:
		return nil, nil, fmt.Errorf("%w: graph of version %d without materials", ErrCorrupt, paintedVersion)
	case n > MaxMaterials:
		return nil, nil, fmt.Errorf("%w: graph of %d materials, at most %d", ErrTooLarge, n, MaxMaterials)
	}
	for i := range n {
		if len(rest) < materialHeader || len(rest) < materialHeader+int(rest[3]) {
			return nil, nil, fmt.Errorf("%w: graph ends in material %d", ErrCorrupt, i)
		}
		m := Material{Color: [3]uint8(rest[:3]), Roughness: math.Float32frombits(le.Uint32(rest[4:]))}
		m.Name = string(rest[materialHeader : materialHeader+int(rest[3])])
		if err := checkName(m.Name); err != nil {
			return nil, nil, fmt.Errorf("%w: material %d: %w", ErrCorrupt, i, err)
		}
		palette, rest = append(palette, m), rest[materialHeader+len(m.Name):]
	}
	return palette, rest, nil
}
