// Package heightview builds the view of a heightmap that the page shows under ?view=rough: the rough procedural
// heightmap or its smooth predecessor (package field) as triangles colored by height and as lines along the
// grid.
//
// # View
//
// The bytes of a view, little-endian. Every part begins at a multiple of 4, so that JavaScript lays typed
// arrays over them:
//
//	 0  4  magic "TRHV"
//	 4  4  version, 1
//	 8  4  n, the number of vertices
//	12  4  t, the number of triangles
//	16  4  s, the number of line segments
//	20  4  the lowest height, float32
//	24  4  the highest height, float32
//	28  4  0
//	32 12n positions x, y, z, float32, the middle of the view at x = z = 0
//	   12n colors red, green, blue, float32, 0 … 1, linear
//	    6t triangles, uint16, counter-clockwise seen from above
//	    4s line segments, uint16
package heightview

import (
	"encoding/binary"
	"math"

	"github.com/terrane/terrane/field"
)

// The size of the view (reference §3).
const (
	Size  = 50.0             // meters a side
	Cell  = 0.5              // meters between vertices
	cells = int(Size / Cell) // a side
	side  = cells + 1        // vertices a side

	Vertices  = side * side
	Triangles = 2 * cells * cells
	Segments  = 2 * side * cells

	HeaderSize = 32

	Magic   = "TRHV"
	Version = 1
)

// The words of a view's header by their number, which client/protocolgen hands to the page.
const (
	WordMagic = iota
	WordVersion
	WordVertices
	WordTriangles
	WordSegments
	WordLow
	WordHigh
)

// Kind names one of the two heightmaps.
type Kind uint8

// The heightmaps.
const (
	Rough  Kind = iota // the rough procedural heightmap
	Smooth             // its smooth predecessor
)

var kindNames = [...]string{Rough: "rough", Smooth: "smooth"}

// Valid reports whether k is one of the heightmaps.
func (k Kind) Valid() bool { return int(k) < len(kindNames) }

// String returns the name that the page's address knows k by. It panics if k is not valid.
func (k Kind) String() string { return kindNames[k] }

// Append appends the view of a heightmap to dst. It panics if k is not valid.
func Append(dst []byte, k Kind) []byte {
	height := field.RoughHeight
	switch k {
	case Rough:
	case Smooth:
		height = field.SmoothHeight
	default:
		panic("heightview: no such heightmap")
	}
	var heights [Vertices]float64
	low, high := math.Inf(1), math.Inf(-1)
	for i := range heights {
		x, z := at(i)
		h := height(x, z)
		heights[i] = h
		low, high = math.Min(low, h), math.Max(high, h)
	}
	le := binary.LittleEndian
	dst = append(dst, Magic...)
	for _, n := range [4]int{Version, Vertices, Triangles, Segments} {
		dst = le.AppendUint32(dst, uint32(n))
	}
	floats := func(v ...float64) {
		for _, v := range v {
			dst = le.AppendUint32(dst, math.Float32bits(float32(v)))
		}
	}
	floats(low, high, 0)
	for i, h := range heights {
		x, z := at(i)
		floats(x, h, z)
	}
	for _, h := range heights {
		c := colorOf(h, low, high)
		floats(c[0], c[1], c[2])
	}
	return appendSegments(appendTriangles(dst))
}

// at returns the place of vertex i in meters: x runs fastest, then z.
func at(i int) (x, z float64) {
	return float64(i%side)*Cell - Size/2, float64(i/side)*Cell - Size/2
}

// The colors of the lowest ground, of what is halfway, and of the highest.
var (
	red    = [3]float64{1, 0.22, 0.12}
	yellow = [3]float64{1, 0.86, 0.12}
	green  = [3]float64{0.24, 0.88, 0.14}
)

// colorOf returns the color of a height between the lowest and the highest.
func colorOf(h, low, high float64) [3]float64 {
	t := 0.0
	if high > low {
		t = min(max((h-low)/(high-low), 0), 1)
	}
	from, to, t := red, yellow, 2*t
	if t > 1 {
		from, to, t = yellow, green, t-1
	}
	var c [3]float64
	for i := range c {
		c[i] = from[i] + (to[i]-from[i])*t
	}
	return c
}

// appendTriangles appends two triangles a cell.
func appendTriangles(dst []byte) []byte {
	le := binary.LittleEndian
	for z := range cells {
		for x := range cells {
			i := uint16(z*side + x)
			for _, v := range [6]uint16{i, i + uint16(side), i + uint16(side) + 1, i, i + uint16(side) + 1, i + 1} {
				dst = le.AppendUint16(dst, v)
			}
		}
	}
	return dst
}

// appendSegments appends the lines of the grid: all along x, then all along z.
func appendSegments(dst []byte) []byte {
	le := binary.LittleEndian
	for _, step := range [2]struct{ along, across int }{{1, side}, {side, 1}} {
		for line := range side {
			for k := range cells {
				i := line*step.across + k*step.along
				dst = le.AppendUint16(dst, uint16(i))
				dst = le.AppendUint16(dst, uint16(i+step.along))
			}
		}
	}
	return dst
}
