package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/meshing"
	"github.com/terrane/terrane/mesh"
)

// unzipped returns the content of a gzipped file.
func unzipped(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// stdin makes a file standard input for the test.
func stdin(t *testing.T, name string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdin
	os.Stdin = f
	t.Cleanup(func() { os.Stdin = before; f.Close() })
}

// Standard input is what its content says, or its name; standard output gets the file and nothing else.
func TestMeshPipe(t *testing.T) {
	for _, c := range []struct {
		file string
		args []string
		says string
	}{
		{"dem_moon_33.tif", nil, "2048 triangles"},
		{"n47e009_513_gray16.png", nil, "524288 triangles"},
		{"tiny_4x3_no_nodata_line.asc", nil, "12 triangles"},
		{"tidal_zSW3_nodata999.asc.gz", nil, "triangles"},
		{"ball_gz.nrrd", []string{"--iso", "128"}, "triangles"},
		{"avg152T1_bigendian.nii.gz", []string{"--iso", "100"}, "triangles"},
		{"EMD-3197_20.map", []string{"--iso", "1"}, "triangles"},
		{"cube_32_uint8.raw", []string{"--name", "cube_32_uint8.raw", "--iso", "127.5"}, "triangles"},
		{"cube_32_uint8.raw", []string{"--dims", "32,32,32", "--type", "uint8", "--iso", "127.5"}, "triangles"},
		{"BallBinary30x30x30.raw", []string{"--dims", "30,30,30", "--type", "int16", "--endian", "little", "--iso", "128.5"}, "triangles"},
	} {
		stdin(t, filepath.Join(inputs, c.file))
		status, out, stderr := command(append([]string{"mesh", "-", "-o", "-", "--format", "stl"}, c.args...)...)
		if status != statusOK || len(out) < 84 || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: %d, %d bytes, %q", c.file, status, len(out), stderr)
			continue
		}
		if n := int(binary.LittleEndian.Uint32([]byte(out[80:84]))); len(out) != 84+50*n {
			t.Errorf("%s: %d bytes for %d triangles", c.file, len(out), n)
		}
	}
	stdin(t, filepath.Join(inputs, "cube_32_uint8.raw"))
	if status, out, stderr := command("mesh", "-", "-o", "-", "--format", "stl"); status != statusInput || out != "" || !strings.Contains(stderr, "--name says what to take it for") {
		t.Errorf("%d, %d bytes, %q", status, len(out), stderr)
	}
	stdin(t, os.DevNull)
	if status, out, stderr := command("mesh", "-", "-o", "-", "--format", "stl"); status != statusInput || out != "" || !strings.Contains(stderr, "empty") {
		t.Errorf("nothing: %d, %d bytes, %q", status, len(out), stderr)
	}
}

// A file far from its projection's origin keeps its place as a translation, in doubles, and its precision.
func TestMeshPlace(t *testing.T) {
	dem := filepath.Join(inputs, "dem_nodata_int16.dem") // 150 m by 216 m, north of 5,108 km
	out := filepath.Join(t.TempDir(), "out.glb")
	if status, _, stderr := command("mesh", dem, "-o", out); status != statusOK {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var g struct {
		Nodes     []struct{ Translation []float64 }
		Accessors []struct{ Min, Max []float64 }
	}
	if err := json.Unmarshal(data[20:20+binary.LittleEndian.Uint32(data[12:])], &g); err != nil {
		t.Fatal(err)
	}
	if at := g.Nodes[0].Translation; len(at) != 3 || math.Abs(at[0]-557880.46) > 0.01 || at[1] != 0 || at[2] != -5121897 {
		t.Errorf("translation %v", at)
	}
	if a := g.Accessors[0]; a.Min[0] != 0 || a.Max[2] != 64*216 {
		t.Errorf("bounds %v … %v", a.Min, a.Max)
	}
	_, low, _ := meshed(t, dem, "--local")
	if low[0] != 0 || low[2] != 0 {
		t.Errorf("--local begins at %v", low)
	}
	for _, c := range []struct {
		name, says string
	}{{"out.stl", "origin 557880.4615384615 5.121897e+06 0"}, {"out.ply", "origin 557880.4615384615 5.121897e+06 0"}, {"out.obj", "\nv 55"}} {
		out := filepath.Join(t.TempDir(), c.name)
		if status, _, stderr := command("mesh", dem, "-o", out); status != statusOK {
			t.Fatal(stderr)
		}
		if data, err := os.ReadFile(out); err != nil || !bytes.Contains(data[:min(len(data), 200)], []byte(c.says)) {
			t.Errorf("%s does not say %q: %v", c.name, c.says, err)
		}
	}
}

// What is there already is replaced when the new file is whole, and else left alone.
func TestMeshOutput(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(inputs, name) }
	old := []byte("what was there")
	out := filepath.Join(dir, "out.stl")
	if err := os.WriteFile(out, old, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.stl")
	if err := os.Symlink("out.stl", link); err != nil {
		t.Fatal(err)
	}
	only := func(names ...string) {
		t.Helper()
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, names) {
			t.Errorf("the folder holds %q, want %q", got, names)
		}
	}
	if status, _, _ := command("mesh", in("ball_gz.nrrd"), "--iso", "500", "-o", out); status != statusInput {
		t.Errorf("%d", status)
	}
	if data, err := os.ReadFile(out); err != nil || !bytes.Equal(data, old) {
		t.Errorf("%q is left, %v", data, err)
	}
	only("link.stl", "out.stl")
	if status, _, stderr := command("mesh", in("ball_gz.nrrd"), "--iso", "128", "-o", link); status != statusOK {
		t.Fatal(stderr)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 || info.Size() < 1000 {
		t.Errorf("%v, %v", info, err)
	}
	only("link.stl", "out.stl")
	if status, _, stderr := command("mesh", in("ball_gz.nrrd"), "--iso", "128", "-o", os.DevNull, "--format", "stl"); status != statusOK {
		t.Error(stderr)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is now %v, %v", os.DevNull, info.Mode(), err)
	}
	input := write(t, "in.asc", []byte("ncols 2\nnrows 2\n1 2 3 4\n"))
	if status, _, stderr := command("mesh", input, "-o", input, "--format", "stl"); status != statusInput || !strings.Contains(stderr, "is the input itself") {
		t.Errorf("%d, %q", status, stderr)
	}
	// One that is interrupted.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o, err := meshing.FindOutput(out, "", in("ball_gz.nrrd"))
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	triangle := meshing.Part{Mesh: &mesh.Mesh{Positions: []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, Indices: []uint32{0, 1, 2}}}
	if err := o.Write(ctx, io.Discard, io.Discard, triangle, "a"); err == nil || !strings.Contains(err.Error(), "interrupted; nothing of") {
		t.Errorf("%v", err)
	}
	if after, err := os.ReadFile(out); err != nil || !bytes.Equal(after, before) {
		t.Errorf("an interrupted run changed what was there: %v", err)
	}
	only("link.stl", "out.stl")
	// A device that is full.
	if _, err := os.Stat("/dev/full"); err == nil {
		if status, _, stderr := command("mesh", in("ball_gz.nrrd"), "--iso", "128", "-o", "/dev/full", "--format", "stl"); status != statusFailed || !strings.Contains(stderr, "no space left") {
			t.Errorf("%d, %q", status, stderr)
		}
	}
}

// A raw heightmap is what the flags say (case 27).
func TestMeshRaw(t *testing.T) {
	var little, big []byte
	for i := range 600 {
		little = binary.LittleEndian.AppendUint16(little, uint16(500+i))
		big = binary.BigEndian.AppendUint16(big, uint16(500+i))
	}
	for _, c := range []struct {
		name      string
		file      string
		args      []string
		low, high float32
		columns   int
	}{
		{"guessed", write(t, "a_30x20.r16", big), nil, 500, 1099, 30},
		{"dimensions given", write(t, "a.r16", little), []string{"--dims", "20,30"}, 500, 1099, 20},
		{"read as big-endian on request", write(t, "a_30x20.r16", little), []string{"--endian", "big"}, 2, 65283, 30},
		{"any name", write(t, "heights.bin", little), []string{"--dims", "30,20", "--type", "int16", "--endian", "little"}, 500, 1099, 30},
		{"bytes", write(t, "heights.bin", little), []string{"--dims", "30,40", "--type", "uint8"}, 0, 255, 30},
	} {
		r, _, _ := meshed(t, append(c.args, c.file)...)
		if r.Low != c.low || r.High != c.high || r.Dims[0] != c.columns {
			t.Errorf("%s: %v … %v, %v", c.name, r.Low, r.High, r.Dims)
		}
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--dims", "20,31"}, "20×31 samples of 2 bytes (as given) take 1240 bytes; the file has 1200"},
		{[]string{"--dims", "20"}, "--dims 20 is not two or three numbers"},
		{[]string{"--dims", "20,0"}, "--dims 20,0 is not"},
		{[]string{"--dims", "20,-3"}, "--dims 20,-3 is not"},
		{[]string{"--type", "int7"}, `"int7" is no kind of samples`},
		{[]string{"--endian", "middle"}, "--endian middle is neither little nor big nor auto"},
		{nil, "1200 bytes are no square"},
	} {
		out := filepath.Join(t.TempDir(), "out.stl")
		status, _, stderr := command(append([]string{"mesh", write(t, "a.r16", little), "-o", out}, c.args...)...)
		if status != statusInput || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %q", c.args, status, stderr)
		}
	}
}

// The Khronos validator, which make test installs, has nothing against what is written.
func TestMeshValid(t *testing.T) {
	testdata := filepath.Join("..", "..", "codec", "testdata")
	module, err := filepath.Abs(filepath.Join(testdata, "node_modules", "gltf-validator"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(module); err != nil {
		t.Skip("codec/testdata has no node_modules (make test installs them)")
	}
	in := func(name string) string { return filepath.Join(inputs, name) }
	for _, args := range [][]string{
		{in("nib_anatomical_be_int16.nii"), "--iso", "8000"},
		{in("nib_anatomical_be_int16.nii"), "--iso", "8000", "--cap", "--mesher", "nets"},
		{in("ball_gz.nrrd"), "--iso", "128", "--mesher", "blocks"},
		{in("EMD-3197_20.map"), "--iso", "1", "--cap", "--local"},
		{in("dem_nodata_int16.dem")},
		{in("dem_nodata_int16.dem"), "--base", "0"},
		{in("dem_landscape_200x125.tif"), "--up", "z"},
		{in("tidal_zSW3_nodata999.asc.gz"), "--crop", "100:300,:400"},
	} {
		status, glb, stderr := command(append([]string{"mesh", "-o", "-", "--format", "glb"}, args...)...)
		if status != statusOK {
			t.Errorf("%q: %s", args, stderr)
			continue
		}
		cmd := exec.Command("node", filepath.Join(testdata, "validate.cjs"), module)
		cmd.Stdin = strings.NewReader(glb)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}
