package codec

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/mesh"
)

// sheet returns a bumpy sheet of w×d vertices, less the last so many of them, with normals.
func sheet(w, d, less int) *mesh.Mesh {
	m := &mesh.Mesh{}
	n := w*d - less
	for i := range n {
		x, z := float32(i%w), float32(i/w)
		m.Positions = append(m.Positions, x*0.1, float32(math.Sin(float64(i)))*0.3, z*0.7)
		a := float64(i)
		m.Normals = append(m.Normals, float32(math.Sin(a)*0.6), 0.8, float32(math.Cos(a)*0.6))
	}
	for z := range d - 1 {
		for x := range w - 1 {
			a, b, c, e := uint32(z*w+x), uint32(z*w+x+1), uint32((z+1)*w+x), uint32((z+1)*w+x+1)
			if int(e) < n {
				m.Indices = append(m.Indices, a, c, b, b, c, e)
			}
		}
	}
	return m
}

func encode(t *testing.T, f Format, m *mesh.Mesh, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, m, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func same(t *testing.T, got, want *mesh.Mesh) {
	t.Helper()
	if !slices.Equal(got.Positions, want.Positions) {
		t.Error("positions differ")
	}
	if !slices.Equal(got.Normals, want.Normals) {
		t.Error("normals differ")
	}
	if !slices.Equal(got.Indices, want.Indices) {
		t.Error("indices differ")
	}
}

// Case 34: every size round the limit of 16-bit indices reads back equal, with exact bounds.
func TestGLB(t *testing.T) {
	for _, c := range []struct {
		name      string
		m         *mesh.Mesh
		component int
	}{
		{"255 vertices", sheet(16, 16, 1), typeUint16},
		{"256 vertices", sheet(16, 16, 0), typeUint16},
		{"257 vertices", sheet(129, 2, 1), typeUint16},
		{"65535 vertices", sheet(256, 256, 1), typeUint16},
		{"65536 vertices", sheet(256, 256, 0), typeUint32},
		{"65537 vertices", sheet(257, 256, 255), typeUint32},
		{"300×300", sheet(300, 300, 0), typeUint32},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, g := readGLB(t, encode(t, GLB, c.m, Options{}))
			same(t, got, c.m)
			if k := g.Accessors[2].ComponentType; k != c.component {
				t.Errorf("indices of type %d, want %d", k, c.component)
			}
			low, high := bounds(c.m.Positions)
			for axis := range 3 {
				if g.Accessors[0].Min[axis] != float64(low[axis]) || g.Accessors[0].Max[axis] != float64(high[axis]) {
					t.Errorf("bounds %v %v, want %v %v", g.Accessors[0].Min, g.Accessors[0].Max, low, high)
				}
			}
			if c.name == "300×300" {
				if n, k, top := got.Vertices(), got.Triangles(), slices.Max(got.Indices); n != 90000 || k != 178802 || top != 89999 {
					t.Errorf("%d vertices, %d triangles, top index %d", n, k, top)
				}
			}
			validate(t, encode(t, GLB, c.m, Options{Name: `a "b" \ ` + "\x01 ü", Origin: [3]float64{1e7 + 0.25, -3, 0}}))
		})
	}
}

// validate asks the Khronos validator, which make test installs. It is not there in a bare checkout.
func validate(t *testing.T, glb []byte) {
	t.Helper()
	module, err := filepath.Abs(filepath.Join("testdata", "node_modules", "gltf-validator"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(module); err != nil {
		t.Log("not validated: codec/testdata has no node_modules (make test installs them)")
		return
	}
	cmd := exec.Command("node", filepath.Join("testdata", "validate.cjs"), module)
	cmd.Stdin = bytes.NewReader(glb)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("gltf-validator: %v\n%s", err, out)
	}
}

func TestGLBOrigin(t *testing.T) {
	_, g := readGLB(t, encode(t, GLB, sheet(3, 3, 0), Options{Origin: [3]float64{1e7 + 0.25, -3, 0}}))
	if want := []float64{1e7 + 0.25, -3, 0}; !slices.Equal(g.Nodes[0].Translation, want) {
		t.Errorf("translation %v, want %v", g.Nodes[0].Translation, want)
	}
}

func TestGLBWithoutNormals(t *testing.T) {
	m := sheet(16, 17, 0)
	m.Normals = nil
	data := encode(t, GLB, m, Options{})
	got, _ := readGLB(t, data)
	same(t, got, m)
	validate(t, data)
}

// A triangle without area and unusable normals are written so that readers take them.
func TestGLBDegenerate(t *testing.T) {
	m := sheet(4, 4, 0)
	m.Indices = append(m.Indices, 5, 5, 6, 0, 1, 2)
	nan := float32(math.NaN())
	copy(m.Normals, []float32{0, 0, 0, nan, 0, 1, 0, 2, 0, float32(math.Inf(1)), 0, 0})
	data := encode(t, GLB, m, Options{})
	got, _ := readGLB(t, data)
	if !slices.Equal(got.Indices, m.Indices) || !slices.Equal(got.Positions, m.Positions) {
		t.Error("not written as it is")
	}
	for i := 0; i < len(got.Normals); i += 3 {
		x, y, z := float64(got.Normals[i]), float64(got.Normals[i+1]), float64(got.Normals[i+2])
		if l := math.Sqrt(x*x + y*y + z*z); !(math.Abs(l-1) < 1e-3) {
			t.Errorf("normal %d is %v %v %v", i/3, x, y, z)
		}
	}
	validate(t, data)
}

func TestSTL(t *testing.T) {
	m := sheet(40, 40, 0)
	got, normals := readSTL(t, encode(t, STL, m, Options{Name: "solid ground", Origin: [3]float64{1, 2, 3}}))
	if got.Triangles() != m.Triangles() {
		t.Fatalf("%d triangles, want %d", got.Triangles(), m.Triangles())
	}
	for i, v := range m.Indices {
		if !slices.Equal(got.Positions[3*i:3*i+3], m.Positions[3*v:3*v+3]) {
			t.Fatalf("corner %d differs", i)
		}
	}
	for i := 0; i < len(normals); i += 3 {
		if normals[i+1] <= 0 { // the sheet is seen from above
			t.Fatalf("triangle %d faces %v", i/3, normals[i:i+3])
		}
	}
}

func TestOBJ(t *testing.T) {
	m := sheet(40, 40, 0)
	got, _ := readOBJ(t, encode(t, OBJ, m, Options{Name: "two words"}))
	same(t, got, m)
	m.Normals = nil
	got, exact := readOBJ(t, encode(t, OBJ, m, Options{Origin: [3]float64{5e6, 0, 0.5}}))
	if !slices.Equal(got.Indices, m.Indices) {
		t.Error("indices differ")
	}
	for i, v := range exact {
		origin := [3]float64{5e6, 0, 0.5}[i%3]
		if want := float64(m.Positions[i]) + origin; origin != 0 && v != want || float32(v-origin) != float32(want-origin) {
			t.Fatalf("coordinate %d is %v, want %v", i, v, want)
		}
	}
}

func TestPLY(t *testing.T) {
	m := sheet(40, 40, 0)
	same(t, readPLY(t, encode(t, PLY, m, Options{Origin: [3]float64{1, 0, 0}})), m)
	m.Normals = nil
	same(t, readPLY(t, encode(t, PLY, m, Options{})), m)
}

func TestRefused(t *testing.T) {
	change := func(f func(m *mesh.Mesh)) *mesh.Mesh {
		m := sheet(3, 3, 0)
		f(m)
		return m
	}
	for _, c := range []struct {
		name string
		m    *mesh.Mesh
		o    Options
		is   error
	}{
		{"empty", &mesh.Mesh{}, Options{}, ErrEmpty},
		{"no triangles", change(func(m *mesh.Mesh) { m.Indices = nil }), Options{}, ErrEmpty},
		{"index past the end", change(func(m *mesh.Mesh) { m.Indices[4] = 9 }), Options{}, ErrInvalid},
		{"two indices", change(func(m *mesh.Mesh) { m.Indices = m.Indices[:5] }), Options{}, ErrInvalid},
		{"NaN", change(func(m *mesh.Mesh) { m.Positions[7] = float32(math.NaN()) }), Options{}, ErrInvalid},
		{"infinite", change(func(m *mesh.Mesh) { m.Positions[7] = float32(math.Inf(-1)) }), Options{}, ErrInvalid},
		{"normals missing", change(func(m *mesh.Mesh) { m.Normals = m.Normals[:3] }), Options{}, ErrInvalid},
		{"origin NaN", sheet(3, 3, 0), Options{Origin: [3]float64{0, math.NaN(), 0}}, ErrInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			for f := GLB; f <= PLY; f++ {
				var b bytes.Buffer
				if err := Write(&b, f, c.m, c.o); !errors.Is(err, c.is) || b.Len() != 0 {
					t.Errorf("%v: %v with %d bytes written, want %v", f, err, b.Len(), c.is)
				}
			}
		})
	}
}

// The size is known before, but for OBJ, whose numbers are text.
func TestSize(t *testing.T) {
	bare := sheet(300, 200, 0)
	bare.Normals = nil
	for _, m := range []*mesh.Mesh{sheet(3, 3, 0), sheet(300, 200, 0), sheet(400, 300, 0), bare} {
		for f := GLB; f <= PLY; f++ {
			got, size := float64(Size(f, m)), float64(len(encode(t, f, m, Options{})))
			within := 1024 + 0.01*size
			if f == OBJ {
				within = 1024 + 0.4*size
			}
			if math.Abs(got-size) > within {
				t.Errorf("%v of %d vertices takes %v bytes, not %v", f, m.Vertices(), size, got)
			}
		}
	}
}

// A writer that fails is an error of every format, wherever it fails.
func TestWriteFails(t *testing.T) {
	m := sheet(100, 100, 0)
	for f := GLB; f <= PLY; f++ {
		for _, room := range []int{0, 100, 1 << 16, 1 << 17} {
			if err := Write(&short{room}, f, m, Options{}); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("%v with room for %d: %v", f, room, err)
			}
		}
	}
}

// short takes so many bytes, then no more.
type short struct{ room int }

func (s *short) Write(p []byte) (int, error) {
	if len(p) > s.room {
		return s.room, io.ErrShortWrite
	}
	s.room -= len(p)
	return len(p), nil
}

func TestParseFormat(t *testing.T) {
	for f := GLB; f <= PLY; f++ {
		if got, err := ParseFormat(f.String()); got != f || err != nil {
			t.Errorf("%v: %v, %v", f, got, err)
		}
	}
	for _, name := range []string{"", "fbx", "GLB"} {
		if _, err := ParseFormat(name); err == nil || !strings.Contains(err.Error(), "glb, stl, obj or ply") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
