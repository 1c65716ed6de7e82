package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/meshing"
	"github.com/terrane/terrane/mesh"
)

// stl runs terrane mesh, which must do well, and returns its report and the triangles of the STL that it wrote, welded
// as any reader of that format has to.
func stl(t *testing.T, args ...string) (meshing.Report, *mesh.Mesh) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.stl")
	status, stdout, stderr := command(append([]string{"mesh", "--json", "-o", out}, args...)...)
	if status != statusOK {
		t.Fatalf("%q: %d: %s", args, status, stderr)
	}
	var r meshing.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v in %q", err, stdout)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m := &mesh.Mesh{}
	for i := range binary.LittleEndian.Uint32(data[80:]) {
		for k := range 9 {
			m.Positions = append(m.Positions, math.Float32frombits(binary.LittleEndian.Uint32(data[84+50*i+12+4*uint32(k):])))
		}
		m.Indices = append(m.Indices, 3*i, 3*i+1, 3*i+2)
	}
	if f := facts(t, m); f.Degenerate != 0 {
		t.Errorf("%q: %d triangles without area are written", args, f.Degenerate)
	}
	m.Weld()
	return r, m
}

func facts(t *testing.T, m *mesh.Mesh) mesh.Stats {
	t.Helper()
	f, err := m.Check()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// write writes a file into a folder of the test's own and returns its name.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Case 1c: scans whose samples lie on the very level. What is written is closed, and has the volume it should.
func TestMeshTies(t *testing.T) {
	for _, c := range []struct {
		file, iso string
		volume    float64
	}{
		{"avg152T1_bigendian.nii.gz", "100", 2836300},
		{"nib_anatomical_be_int16.nii", "8000", 162580},
	} {
		for _, kind := range []string{"marching", "nets"} {
			r, m := stl(t, filepath.Join(inputs, c.file), "--iso", c.iso, "--cap", "--mesher", kind)
			f := facts(t, m)
			if !f.Balanced() || f.Open != 0 || math.Abs(f.Volume-c.volume) > c.volume/100 {
				t.Errorf("%s, %s: %+v; want a volume of %v", c.file, kind, f, c.volume)
			}
			if r.Volume == nil || math.Abs(*r.Volume-f.Volume) > 1 || r.Unit != "mm" || r.Open != 0 {
				t.Errorf("%s, %s is reported as %+v", c.file, kind, r)
			}
		}
	}
}

// Case 3: cells that touch along an edge or at a corner only.
func TestMeshDiagonals(t *testing.T) {
	for _, other := range [][3]int{{2, 2, 1}, {2, 2, 2}} {
		var samples [64]byte
		samples[(1*4+1)*4+1] = 1
		samples[(other[2]*4+other[1])*4+other[0]] = 1
		file := write(t, "two_4x4x4_uint8.raw", samples[:])
		for _, kind := range []string{"marching", "nets"} {
			_, m := stl(t, file, "--iso", "0.5", "--mesher", kind)
			if f := facts(t, m); f.NonManifold != 0 || !f.Closed() || f.Euler() != 4 {
				t.Errorf("%s, %v: %+v, Euler number %d; want two closed parts", kind, other, f, f.Euler())
			}
		}
	}
}

// Case 6: solid at the border, all of it solid, and no room for a surface.
func TestMeshBorder(t *testing.T) {
	solid := write(t, "solid_8x8x8_uint8.raw", bytes.Repeat([]byte{200}, 512))
	r, m := stl(t, solid, "--iso", "100", "--cap")
	if f := facts(t, m); !f.Closed() || f.Volume < 480 || f.Volume > 512 || !r.Closed {
		t.Errorf("all solid: %+v", f)
	}
	out := filepath.Join(t.TempDir(), "out.stl")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{solid, "--iso", "100"}, "there is no surface at 100: its samples run from 200 to 200; all of it is solid, and --cap would close it"},
		{[]string{write(t, "thin_1x8x8_uint8.raw", make([]byte, 64)), "--iso", "100", "--cap"}, "1×8×8 samples; a surface needs at least two along each axis"},
	} {
		if status, _, stderr := command(append([]string{"mesh", "-o", out}, c.args...)...); status != statusInput || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %q", c.args, status, stderr)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}

// input returns the name of a file that is too large for the repository, and skips the test where it is not beside it.
func input(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "inputs", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("there is no ../shared/inputs/%s beside the repository", name)
	}
	return path
}

// The engine block, on which everybody measures.
func TestMeshEngine(t *testing.T) {
	engine := input(t, "engine_256x256x128_uint8.raw.gz")
	for _, kind := range []string{"marching", "nets"} {
		r, m := stl(t, engine, "--iso", "127.5", "--cap", "--mesher", kind)
		if f := facts(t, m); !f.Closed() || !r.Closed || math.Abs(f.Volume-884756) > 8847 {
			t.Errorf("%s: %+v; want it closed, with a volume of 884756 voxels", kind, f)
		}
	}
}

// A piece of an SRTM tile: signs, voids, and what becomes of them (case 28).
func TestMeshVoid(t *testing.T) {
	tile := unzipped(t, alps)
	patched := func(a, b byte) string {
		data := bytes.Clone(tile)
		data[1442400], data[1442401] = a, b // row 600, column 600
		return write(t, "N47E009.hgt", data)
	}
	crop := []string{"--crop", "590:611,590:611"}
	plain, _, _ := meshed(t, append(crop, patched(tile[1442400], tile[1442401]))...)
	for _, c := range []struct {
		name     string
		file     string
		more     []string
		vertices int
		lowest   float64
	}{
		{"hole", patched(0x80, 0), nil, 440, float64(plain.Low)},
		{"filled", patched(0x80, 0), []string{"--nodata", "fill"}, 441, float64(plain.Low)},
		{"a height", patched(0x80, 0), []string{"--nodata", "12"}, 441, 12},
		{"below the sea", patched(0xfe, 0x52), nil, 441, -430},
	} {
		r, low, _ := meshed(t, append(append([]string{c.file}, crop...), c.more...)...)
		if r.Vertices != c.vertices || low[1] != c.lowest || r.Dims[0] != 21 || r.Dims[1] != 21 {
			t.Errorf("%s: %d vertices, lowest %v, %v; want %d, %v", c.name, r.Vertices, low[1], r.Dims, c.vertices, c.lowest)
		}
	}
}

// A mesh of a part is the part of the mesh, in its place.
func TestMeshCrop(t *testing.T) {
	dem := filepath.Join(inputs, "dem_nodata_int16.dem")
	whole, low, _ := meshed(t, dem)
	part, partLow, partHigh := meshed(t, dem, "--crop", "10:30,20:60")
	const dx, dz = 9809.9999 / 65, 216
	if part.Dims[0] != 20 || part.Dims[1] != 40 || whole.Dims[0] != 65 ||
		math.Abs(partLow[0]-low[0]-10*dx) > 1e-2 || math.Abs(partLow[2]-low[2]-20*dz) > 1e-2 || math.Abs(partHigh[0]-low[0]-29*dx) > 1e-2 {
		t.Errorf("%v at %v … %v of %v at %v", part.Dims, partLow, partHigh, whole.Dims, low)
	}
	ball := ballNRRD(t, "(-1,0,0) (0,1,0) (0,0,0.625)")
	_, low, high := meshed(t, ball, "--iso", "128", "--up", "z")
	half, halfLow, halfHigh := meshed(t, ball, "--iso", "128", "--up", "z", "--crop", ":,:11,:")
	if half.Closed || halfHigh[1] != 10 || half.Dims[1] != 11 {
		t.Errorf("half a ball: %+v up to %v", half, halfHigh)
	}
	if halfLow[1] != low[1] || halfLow[0] != low[0] || halfHigh[0] != high[0] {
		t.Errorf("half a ball at %v … %v of one at %v … %v", halfLow, halfHigh, low, high)
	}
}

// An L of solid samples, which no turning makes its mirror image, written along other axes and in other directions, is
// the same L in space.
func TestMeshOrientation(t *testing.T) {
	const n = 8
	solid := func(x, y, z int) bool { // an arm along each axis, of other lengths
		return y == 2 && z == 2 && x >= 2 && x <= 6 || x == 2 && z == 2 && y >= 2 && y <= 4 || x == 2 && y == 2 && z >= 2 && z <= 3
	}
	var want *mesh.Mesh
	for _, axes := range [][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}} {
		for turned := range 8 { // a bit for each axis of the file that runs backward
			samples := make([]byte, n*n*n)
			var steps [3][3]float64
			var origin [3]float64
			for k, axis := range axes {
				steps[k][axis] = 1
				if turned>>k&1 == 1 {
					steps[k][axis], origin[axis] = -1, n-1
				}
			}
			for i := range samples {
				at := origin
				for k, d := range [3]int{i % n, i / n % n, i / n / n} {
					at[axes[k]] += float64(d) * steps[k][axes[k]]
				}
				if solid(int(at[0]), int(at[1]), int(at[2])) {
					samples[i] = 255
				}
			}
			file := write(t, "l.nii", niftiOf(n, samples, steps, origin))
			_, m := stl(t, file, "--iso", "127.5")
			f := facts(t, m)
			if !f.Closed() || f.Volume <= 0 {
				t.Fatalf("axes %v, turned %b: %+v", axes, turned, f)
			}
			if want == nil {
				want = m
			}
			if got := places(m); !slices.Equal(got, places(want)) {
				t.Fatalf("axes %v, turned %b: another shape or place", axes, turned)
			}
		}
	}
}

// niftiOf returns a NIfTI-1 of n³ bytes with a matrix.
func niftiOf(n int, samples []byte, steps [3][3]float64, origin [3]float64) []byte {
	head := make([]byte, 352)
	le := binary.LittleEndian
	float := func(at int, v float64) { le.PutUint32(head[at:], math.Float32bits(float32(v))) }
	le.PutUint32(head, 348)
	for i, d := range []int{3, n, n, n, 1, 1, 1, 1} {
		le.PutUint16(head[40+2*i:], uint16(d))
	}
	le.PutUint16(head[70:], 2)
	float(108, 352)
	le.PutUint16(head[254:], 1) // the matrix counts
	for row := range 3 {
		for axis := range 3 {
			float(280+16*row+4*axis, steps[axis][row])
		}
		float(280+16*row+12, origin[row])
	}
	copy(head[344:], "n+1")
	return append(head, samples...)
}

// places returns the positions of a mesh in an order of their own, rounded to a thousandth.
func places(m *mesh.Mesh) []string {
	var list []string
	for p := range slices.Chunk(m.Positions, 3) {
		list = append(list, fmt.Sprintf("%.3f %.3f %.3f", p[0], p[1], p[2]))
	}
	slices.Sort(list)
	return list
}

// A left-handed NRRD space comes out right-handed; the two common ones come out as they are.
func TestMeshNRRDSpace(t *testing.T) {
	_, ras, _ := meshed(t, nrrdSpace(t, "right-anterior-superior"), "--iso", "128", "--up", "z")
	for space, x := range map[string]float64{"left-posterior-superior": ras[0], "RAS": ras[0], "left-anterior-superior": -13, "3D-left-handed": -13} {
		r, low, high := meshed(t, nrrdSpace(t, space), "--iso", "128", "--up", "z")
		if !r.Closed || *r.Volume < 0 || math.Abs(low[0]-x) > 0.5 || math.Abs(high[0]-low[0]-8) > 0.5 {
			t.Errorf("%s: x from %v to %v, want from %v; volume %v", space, low[0], high[0], x, r.Volume)
		}
	}
}

// nrrdSpace returns a ball of radius 4 about 9, 9, 9.
func nrrdSpace(t *testing.T, space string) string {
	t.Helper()
	data := fmt.Appendf(nil, "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 18 18 18\nencoding: raw\nspace: %s\nspace directions: (1,0,0) (0,1,0) (0,0,1)\n\n", space)
	for i := range 18 * 18 * 18 {
		x, y, z := float64(i%18-9), float64(i/18%18-9), float64(i/324-9)
		data = append(data, byte(max(0, min(255, 128-16*(math.Sqrt(x*x+y*y+z*z)-4)))))
	}
	return write(t, "ball.nrrd", data)
}
