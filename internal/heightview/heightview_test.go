package heightview

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/terrane/terrane/field"
)

// A view read back.
type view struct {
	low, high         float32
	positions, colors []float32
	triangles, lines  []uint16
}

func read(t *testing.T, data []byte) (v view) {
	t.Helper()
	le := binary.LittleEndian
	u := func(i int) uint32 { return le.Uint32(data[4*i:]) }
	if string(data[:4]) != "TRHV" || u(1) != 1 || u(7) != 0 {
		t.Fatalf("header %x", data[:HeaderSize])
	}
	if u(2) != 10201 || u(3) != 20000 || u(4) != 20200 {
		t.Fatalf("%d vertices, %d triangles, %d segments, want 10201, 20000, 20200", u(2), u(3), u(4))
	}
	if want := HeaderSize + 24*Vertices + 6*Triangles + 4*Segments; len(data) != want {
		t.Fatalf("%d bytes, want %d", len(data), want)
	}
	v.low, v.high = math.Float32frombits(u(5)), math.Float32frombits(u(6))
	rest := data[HeaderSize:]
	for i := range 3 * Vertices {
		v.positions = append(v.positions, math.Float32frombits(le.Uint32(rest[4*i:])))
		v.colors = append(v.colors, math.Float32frombits(le.Uint32(rest[12*Vertices+4*i:])))
	}
	rest = rest[24*Vertices:]
	for i := range 3 * Triangles {
		v.triangles = append(v.triangles, le.Uint16(rest[2*i:]))
	}
	rest = rest[6*Triangles:]
	for i := range 2 * Segments {
		v.lines = append(v.lines, le.Uint16(rest[2*i:]))
	}
	return v
}

func TestView(t *testing.T) {
	for _, tt := range []struct {
		name      string
		kind      Kind
		height    func(x, z float64) float64
		low, high float64
	}{
		{"rough", Rough, field.RoughHeight, -1.005, 0.86492},
		{"smooth", Smooth, field.SmoothHeight, -1.2, 1.2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := read(t, Append(nil, tt.kind))
			if math.Abs(float64(v.low)-tt.low) > 1e-5 || math.Abs(float64(v.high)-tt.high) > 1e-5 {
				t.Errorf("heights run %g … %g, want %g … %g", v.low, v.high, tt.low, tt.high)
			}
			for i := range Vertices {
				p := v.positions[3*i:]
				if want := float32(tt.height(float64(p[0]), float64(p[2]))); p[1] != want {
					t.Fatalf("vertex %d at %g, %g is %g high, want %g", i, p[0], p[2], p[1], want)
				}
			}
			if x, z := v.positions[0], v.positions[3*Vertices-1]; x != -25 || z != 25 {
				t.Errorf("the view reaches from x = %g to z = %g, want -25 and 25", x, z)
			}
			v.checkTriangles(t)
			v.checkLines(t)
		})
	}
}

// checkTriangles demands that every triangle looks up, and that all of them cover the square once.
func (v *view) checkTriangles(t *testing.T) {
	area := 0.0
	for i := 0; i < len(v.triangles); i += 3 {
		p := func(k int) (x, z float64) {
			j := 3 * int(v.triangles[i+k])
			return float64(v.positions[j]), float64(v.positions[j+2])
		}
		ax, az := p(0)
		bx, bz := p(1)
		cx, cz := p(2)
		up := (bz-az)*(cx-ax) - (bx-ax)*(cz-az)
		if up <= 0 {
			t.Fatalf("triangle %d looks down", i/3)
		}
		area += up / 2
	}
	if area != Size*Size {
		t.Errorf("the triangles cover %g m², want %g", area, Size*Size)
	}
}

// checkLines demands that every segment is one cell long and is there once.
func (v *view) checkLines(t *testing.T) {
	seen := map[[2]uint16]bool{}
	for i := 0; i < len(v.lines); i += 2 {
		a, b := v.lines[i], v.lines[i+1]
		dx := v.positions[3*int(b)] - v.positions[3*int(a)]
		dz := v.positions[3*int(b)+2] - v.positions[3*int(a)+2]
		if dx+dz != Cell || dx*dz != 0 {
			t.Fatalf("segment %d runs %g, %g", i/2, dx, dz)
		}
		seen[[2]uint16{a, b}] = true
	}
	if len(seen) != Segments {
		t.Errorf("%d different segments, want %d", len(seen), Segments)
	}
}

func TestColors(t *testing.T) {
	for _, tt := range []struct {
		name    string
		h       float64
		r, g, b float64
	}{
		{"lowest", -1, 1, 0.22, 0.12},
		{"below", -2, 1, 0.22, 0.12},
		{"a quarter up", 0, 1, 0.54, 0.12},
		{"halfway", 1, 1, 0.86, 0.12},
		{"three quarters up", 2, 0.62, 0.87, 0.13},
		{"highest", 3, 0.24, 0.88, 0.14},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := colorOf(tt.h, -1, 3)
			for i, want := range []float64{tt.r, tt.g, tt.b} {
				if math.Abs(c[i]-want) > 1e-12 {
					t.Errorf("color %v, want %g %g %g", c, tt.r, tt.g, tt.b)
					break
				}
			}
		})
	}
}
