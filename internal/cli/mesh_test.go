package cli

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/meshing"
)

// inputs is the folder of the ingest package's test inputs.
var inputs = filepath.Join("..", "..", "ingest", "testdata")

// meshed runs terrane mesh, which must do well, and returns its report and the GLB's bounds.
func meshed(t *testing.T, args ...string) (r meshing.Report, low, high [3]float64) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.glb")
	status, stdout, stderr := command(append([]string{"mesh", "--json", "-o", out}, args...)...)
	if status != statusOK {
		t.Fatalf("%d: %s", status, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v in %q", err, stdout)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var g struct {
		Nodes     []struct{ Translation []float64 }
		Accessors []struct{ Min, Max [3]float64 }
	}
	if err := json.Unmarshal(data[20:20+binary.LittleEndian.Uint32(data[12:])], &g); err != nil {
		t.Fatal(err)
	}
	low, high = g.Accessors[0].Min, g.Accessors[0].Max
	for i, v := range g.Nodes[0].Translation {
		low[i], high[i] = low[i]+v, high[i]+v
	}
	return r, low, high
}

func TestMeshHeightmaps(t *testing.T) {
	in := func(name string) string { return filepath.Join(inputs, name) }
	for _, c := range []struct {
		name                string
		args                []string
		vertices, triangles int
		closed              bool
		low, high           float64 // heights
		width, depth        float64 // meters
	}{
		{"16-bit PNG", []string{in("n47e009_513_gray16.png")}, 513 * 513, 2 * 512 * 512, false, 388, 1293, 512, 512},
		{"holes", []string{in("dem_nodata_int16.dem")}, 65*65 - 96, 8004, false, 682, 2932, 64 * 9809.9999 / 65, 64 * 216},
		{"filled", []string{in("dem_nodata_int16.dem"), "--nodata", "fill"}, 65 * 65, 2 * 64 * 64, false, 682, 2932, 64 * 9809.9999 / 65, 64 * 216},
		{"at sea level", []string{in("dem_nodata_int16.dem"), "--nodata", "0"}, 65 * 65, 2 * 64 * 64, false, 0, 2932, 64 * 9809.9999 / 65, 64 * 216},
		{"a block", []string{in("tiny_4x3_no_nodata_line.asc"), "--base", "-1"}, 23, 42, true, -1, 11, 20, 30},
		{"heights doubled", []string{in("tiny_4x3_no_nodata_line.asc"), "--scale", "2"}, 12, 12, false, 0, 22, 20, 30},
		{"below zero", []string{in("dem_moon_33.tif")}, 33 * 33, 2 * 32 * 32, false, -212.29616, -205.4401, 32 * 2.42661, 32 * 2.42661},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, low, high := meshed(t, append(c.args, "--local")...)
			if r.Vertices != c.vertices || r.Triangles != c.triangles || r.Closed != c.closed {
				t.Errorf("%+v; want %d vertices, %d triangles, closed %v", r, c.vertices, c.triangles, c.closed)
			}
			want := [2][3]float64{{0, c.low, 0}, {c.width, c.high, c.depth}}
			for i := range 3 {
				if math.Abs(low[i]-want[0][i]) > 1e-3 || math.Abs(high[i]-want[1][i]) > math.Abs(want[1][i])*1e-4+1e-3 {
					t.Errorf("bounds %v … %v, want %v", low, high, want)
				}
			}
		})
	}
}

// A heightmap that is too large for a mesh is read through its overviews.
func TestMeshOverview(t *testing.T) {
	r, low, high := meshed(t, filepath.Join(inputs, "cog_int16_2658x2667.tif"), "--max-samples", "500000", "--local")
	if r.Dims[0] != 665 || r.Vertices != 230069 || low[1] != 69 || high[1] != 201 || math.Abs(high[0]-262632) > 1 {
		t.Errorf("%+v, bounds %v … %v", r, low, high)
	}
}

// ballNRRD writes the ball of case 32 and returns the file's name.
func ballNRRD(t *testing.T, directions string) string {
	t.Helper()
	data := fmt.Appendf(nil, "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 20 20 20\nencoding: raw\nspace directions: %s\nspace origin: (1000000.5,0,-7)\n\n", directions)
	for i := range 8000 {
		x, y, z := float64(i%20-10), float64(i/20%20-10), float64(i/400-10)
		d := math.Round(128 - 16*(math.Sqrt(x*x+y*y+z*z)-6.25))
		data = append(data, byte(max(0, min(255, d))))
	}
	name := filepath.Join(t.TempDir(), "ball.nrrd")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// Case 32: the ball has its size in the file's own space, where it lies, and faces outward, mirrored or not.
func TestMeshVolume(t *testing.T) {
	const volume = 4.0 / 3 * math.Pi * 6.25 * 6.25 * 6.25 * 0.625
	for _, c := range []struct {
		name, directions string
		up               string
		span             [3]float64
		middle           [3]float64
	}{
		{"as it is", "(1,0,0) (0,1,0) (0,0,0.625)", "z", [3]float64{12.5, 12.5, 7.8125}, [3]float64{1000010.5, 10, -0.75}},
		{"mirrored", "(-1,0,0) (0,1,0) (0,0,0.625)", "z", [3]float64{12.5, 12.5, 7.8125}, [3]float64{999990.5, 10, -0.75}},
		{"axes changed", "(0,0,1) (0.625,0,0) (0,1,0)", "z", [3]float64{7.8125, 12.5, 12.5}, [3]float64{1000006.75, 10, 3}},
		{"y up", "(1,0,0) (0,1,0) (0,0,0.625)", "y", [3]float64{12.5, 7.8125, 12.5}, [3]float64{1000010.5, -0.75, -10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, low, high := meshed(t, ballNRRD(t, c.directions), "--iso", "128", "--up", c.up)
			if !r.Closed || math.Abs(*r.Volume-volume) > volume/50 { // a ball of facets is smaller
				t.Errorf("closed %v, volume %v; want %v", r.Closed, *r.Volume, volume)
			}
			for i := range 3 {
				if math.Abs(high[i]-low[i]-c.span[i]) > 0.05 || math.Abs((high[i]+low[i])/2-c.middle[i]) > 0.05 {
					t.Errorf("bounds %v … %v; want a span of %v about %v", low, high, c.span, c.middle)
				}
			}
		})
	}
}

// Every mesher closes the ball, and any number of threads makes the same mesh.
func TestMeshers(t *testing.T) {
	const volume = 4.0 / 3 * math.Pi * 6.25 * 6.25 * 6.25
	name := ballNRRD(t, "(1,0,0) (0,1,0) (0,0,1)")
	for _, kind := range []string{"marching", "nets", "blocks"} {
		r, _, _ := meshed(t, name, "--iso", "128", "--mesher", kind, "--threads", "1")
		if !r.Closed || math.Abs(*r.Volume-volume) > volume/20 {
			t.Errorf("%s: closed %v, %v; want a volume of %v", kind, r.Closed, r.Volume, volume)
		}
		r2, _, _ := meshed(t, name, "--iso", "128", "--mesher", kind, "--threads", "3")
		if r2.Triangles != r.Triangles || r2.Vertices != r.Vertices {
			t.Errorf("%s: %d triangles by one thread, %d by three", kind, r.Triangles, r2.Triangles)
		}
	}
}

// Case 6: a surface that reaches the volume's border ends there, or is closed by a cap.
func TestMeshCaps(t *testing.T) {
	for _, c := range []struct {
		file, iso string
		volume    float64 // capped, in cells
		within    float64
	}{
		{"BallBinary30x30x30.nhdr", "128.5", 14298, 0.02},
		{"ball_bz2.nrrd", "128.5", 14298, 0.02},
		{"cube_32_uint8.raw", "127.5", 3840, 0.05},
	} {
		r, _, _ := meshed(t, filepath.Join(inputs, c.file), "--iso", c.iso)
		if r.Closed != (c.file == "cube_32_uint8.raw") { // which stays inside at this value
			t.Errorf("%s without a cap is closed: %v", c.file, r.Closed)
		}
		r, _, _ = meshed(t, filepath.Join(inputs, c.file), "--iso", c.iso, "--cap")
		if !r.Closed || math.Abs(*r.Volume-c.volume) > c.within*c.volume {
			t.Errorf("%s capped: %+v; want a closed mesh of volume %v", c.file, r, c.volume)
		}
	}
}

// What cannot be meshed is refused with the reason, and nothing is left of it.
func TestMeshRefused(t *testing.T) {
	in := func(name string) string { return filepath.Join(inputs, name) }
	cut, err := os.ReadFile(in("dem_squared_129.tif"))
	if err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(t.TempDir(), "short.tif")
	if err := os.WriteFile(short, cut[:len(cut)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"nothing at that value", []string{in("ball_gz.nrrd"), "--iso", "500"}, "samples run from 0 to 257"},
		{"all void", []string{in("southup_allnodata_720x360.tif")}, "all 259200 samples are void"},
		{"iso that is a word", []string{in("ball_gz.nrrd"), "--iso", "half"}, "neither a number of 32 bits nor auto"},
		{"unknown mesher", []string{in("ball_gz.nrrd"), "--mesher", "cubes"}, "cubes"},
		{"flags of a volume", []string{in("dem_moon_33.tif"), "--cap"}, "dem_moon_33.tif is a heightmap; --iso, --cap and --mesher are for volumes"},
		{"flags of a heightmap", []string{in("ball_gz.nrrd"), "--base", "0"}, "ball_gz.nrrd is a volume; --base, --scale and --nodata are for heightmaps"},
		{"no name", []string{""}, "the name of the input is empty"},
		{"the highest value", []string{in("ball_gz.nrrd"), "--iso", "257"}, "samples at the level are air"},
		{"infinite base", []string{in("dem_moon_33.tif"), "--base", "-Inf"}, "no height of 32 bits"},
		{"threads -1", []string{in("ball_gz.nrrd"), "--threads", "-1"}, "--threads -1"},
		{"base above the ground", []string{in("dem_moon_33.tif"), "--base", "0"}, "not below the lowest height, -212.29616; --base=-214 is"},
		{"nodata that is a word", []string{in("dem_moon_33.tif"), "--nodata", "none"}, "neither hole nor fill"},
		{"sideways", []string{in("dem_moon_33.tif"), "--up", "x"}, "neither y nor z"},
		{"cut short", []string{short}, "short.tif"},
		{"NIfTI-2", []string{in("nifti2_4d.nii.gz")}, "NIfTI-2"},
		{"not there", []string{in("none.tif")}, "there is no file"},
		{"a world that is not there", []string{"none.terrane"}, "there is no file none.terrane"},
		{"too many samples", []string{in("dem_moon_33.tif"), "--max-samples", "1000"}, "33×33 samples; at most 1000 are read: --max-samples allows more, --crop reads a part"},
		{"too many samples of a volume", []string{in("ball_gz.nrrd"), "--max-samples", "1000"}, "30×30×30 samples; at most 1000 are read: --max-samples"},
		{"max samples -1", []string{in("dem_moon_33.tif"), "--max-samples", "-1"}, "--max-samples -1"},
		{"a name for a file", []string{in("dem_moon_33.tif"), "--name", "a.tif"}, "--name is for standard input"},
		{"a folder", []string{inputs}, "is a folder"},
		{"crop of one range", []string{in("dem_moon_33.tif"), "--crop", "1:5"}, "want two ranges"},
		{"crop of words", []string{in("dem_moon_33.tif"), "--crop", "1:b,:"}, `"b" in "1:b" is no number`},
		{"crop that is negative", []string{in("dem_moon_33.tif"), "--crop", "-3:5,:"}, `"-3" in "-3:5" is no number of samples from 0 on`},
		{"crop without a colon", []string{in("dem_moon_33.tif"), "--crop", "3,5"}, "FROM:TO"},
		{"crop that is empty", []string{in("dem_moon_33.tif"), "--crop", "5:5,:"}, `"5:5" is empty`},
		{"crop of a sample", []string{in("dem_moon_33.tif"), "--crop", "5:6,:"}, "columns 5:6 are 1 samples; a part has at least two (the file has 0:33)"},
		{"crop outside", []string{in("dem_moon_33.tif"), "--crop", ":,30:40"}, "rows 30:40; the file has 0:33"},
		{"crop past the end", []string{in("tiny_4x3_no_nodata_line.asc"), "--crop", "9:,:"}, "columns 9:; the file has 0:3"},
		{"three ranges of a heightmap", []string{in("tiny_4x3_no_nodata_line.asc"), "--crop", ":,:,1:2"}, "a heightmap has columns and rows"},
		{"crop outside a volume", []string{in("ball_gz.nrrd"), "--crop", ":,:,10:31"}, "samples along z 10:31; the file has 0:30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			status, _, stderr := command(append([]string{"mesh", "-o", filepath.Join(dir, "out.stl")}, c.args...)...)
			if status != statusInput || !strings.Contains(stderr, c.says) {
				t.Errorf("%d, %q; want it to say %q", status, stderr, c.says)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	folder := filepath.Join(t.TempDir(), "a.stl")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ out, says string }{
		{"out.fbx", "glb, stl, obj or ply"},
		{"", "-o needs a name"},
		{"out", "no ending that says its format"},
		{"-", "--format"},
		{filepath.Join(t.TempDir(), "none", "out.stl"), "there is no folder"},
		{t.TempDir(), "no ending"},
		{folder, "is a folder"},
		{"/proc/out.stl", "cannot write"},
	} {
		if status, _, stderr := command("mesh", in("dem_moon_33.tif"), "-o", c.out); status != statusInput || !strings.Contains(stderr, c.says) {
			t.Errorf("-o %s: %d, %q", c.out, status, stderr)
		}
	}
}

// Standard output gets the file and nothing else.
func TestMeshToStdout(t *testing.T) {
	status, out, stderr := command("mesh", filepath.Join(inputs, "tiny_4x3_no_nodata_line.asc"), "-o", "-", "--format", "stl")
	if status != statusOK || len(out) != 84+50*12 || !strings.Contains(stderr, "12 triangles") {
		t.Errorf("%d, %d bytes, %q", status, len(out), stderr)
	}
}

// What was decided for want of a word in the file or a flag is said plainly, and no log's line.
func TestMeshNotes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "ball.stl")
	status, _, stderr := command("mesh", filepath.Join("../../ingest/testdata", "ball_bz2.nrrd"), "-o", out)
	if status != 0 || strings.Contains(stderr, "level=") {
		t.Errorf("%d, %s", status, stderr)
	}
	has(t, stderr, "note: the surface lies at ", "(Otsu); --iso chooses another\n")
}

// A document's volume has the surface that the file has: as many triangles, and the same room within.
func TestVolumeDocument(t *testing.T) {
	dir := t.TempDir()
	file := ballNRRD(t, "(1,0,0) (0,1,0) (0,0,0.625)")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, dir, "ball.nrrd", string(data))
	writeText(t, dir, "none.nrrd", string(data[:150]))
	// An even number of samples lies round its middle at halves: so its samples fall on the world's.
	const src = "terrane: 1\nassets: {scan: ball.nrrd}\ndensity: {volume: scan, iso: 128.5, by: 0.0625, spacing: [1, 1, 1], at: [0.5, 0.5, 0.5]}\n"
	doc := writeText(t, dir, "ball.yaml", src)
	report := func(args ...string) (r meshing.Report) {
		out := run(t, append([]string{"mesh", "--json", "-o", filepath.Join(dir, "a.stl")}, args...)...)
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err, out)
		}
		return r
	}
	world := filepath.Join(dir, "ball.terrane")
	run(t, "new", world, "--document", doc)
	want := report(file, "--iso", "128.5")
	cell := *want.Volume / 0.625 // the file's cells are lower than wide
	for _, input := range []string{doc, world} {
		got := report(input, "--box", "-32:32,-32:32,-32:32")
		if got.Triangles != want.Triangles || !got.Closed || math.Abs(*got.Volume-cell) > 1e-3*cell {
			t.Errorf("%s: %d triangles, %v within; the file has %d, %v", input, got.Triangles, *got.Volume, want.Triangles, cell)
		}
	}
	for _, c := range []struct{ name, old, new, says string }{
		{"two uses", "density: {", "nodes: {h: {heightmap: scan}}\ndensity: {", `the asset "scan" is a`},
		{"no volume", "ball.nrrd", "ball.yaml", `the asset "scan"`},
		{"cut short", "ball.nrrd", "none.nrrd", `the asset "scan"`},
		{"not there", "ball.nrrd", "balls.nrrd", "there is no file"},
		{"no asset", "volume: scan", "volume: scam", `there is no asset "scam"`},
		{"spacing", "[1, 1, 1]", "[1, 0, 1]", "spacing"},
	} {
		name := writeText(t, dir, strings.ReplaceAll(c.name, " ", "-")+".yaml", strings.Replace(src, c.old, c.new, 1))
		if status, _, stderr := command("check", name); status != statusInput || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, fmt.Sprintf("%s:", name)) {
			t.Errorf("%s: %d, %s", c.name, status, stderr)
		}
	}
}
