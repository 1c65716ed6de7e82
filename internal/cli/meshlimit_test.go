//go:build linux

package cli

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// dataLimit names the environment variable that gives a process of this test binary a limit of memory, in bytes.
const dataLimit = "TERRANE_TEST_DATA_LIMIT"

// limited runs terrane as a process that is given 512 MB, and returns its exit status and what it printed.
func limited(t *testing.T, args ...string) (status int, stderr string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // far more than it takes
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", dataLimit+"=536870912")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// asProgram processes of this test binary take the limit that their environment names.
func init() { beforeProgram = limitData }

// limitData gives this process the limit that its environment names.
func limitData() {
	n, err := strconv.ParseUint(os.Getenv(dataLimit), 10, 64)
	if err != nil {
		return
	}
	limit := syscall.Rlimit{Cur: uint64(n), Max: uint64(n)}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		panic(err)
	}
}

// A tiffImage is an image of a TIFF to be made: in tiles, each of them the same one.
type tiffImage struct{ width, height, tile uint32 }

// makeTIFF returns a TIFF of 8-bit samples: an image and its overviews. All tiles are one, that holds 1 in its left
// half and else 0.
func makeTIFF(t *testing.T, images ...tiffImage) []byte {
	t.Helper()
	le := binary.LittleEndian
	file := le.AppendUint32([]byte("II*\x00"), 0) // where the first directory is, filled in below
	next := 4
	for i, m := range images {
		var packed bytes.Buffer
		if m.tile <= 1<<12 {
			z := zlib.NewWriter(&packed)
			row := append(bytes.Repeat([]byte{1}, int(m.tile/2)), make([]byte, m.tile-m.tile/2)...)
			for range m.tile {
				if _, err := z.Write(row); err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		}
		tileAt := uint32(len(file))
		file = append(file, packed.Bytes()...)
		n := ((m.width + m.tile - 1) / m.tile) * ((m.height + m.tile - 1) / m.tile)
		offsetsAt := uint32(len(file))
		for range n {
			file = le.AppendUint32(file, tileAt)
		}
		countsAt := uint32(len(file))
		for range n {
			file = le.AppendUint32(file, uint32(packed.Len()))
		}
		if n == 1 {
			offsetsAt, countsAt = tileAt, uint32(packed.Len())
		}
		le.PutUint32(file[next:], uint32(len(file)))
		tags := [][3]uint32{ // tag, count, value; all of 32 bits
			{254, 1, uint32(min(i, 1))}, {256, 1, m.width}, {257, 1, m.height}, {258, 1, 8}, {259, 1, 8},
			{322, 1, m.tile}, {323, 1, m.tile}, {324, n, offsetsAt}, {325, n, countsAt}, {339, 1, 1},
		}
		file = le.AppendUint16(file, uint16(len(tags)))
		for _, tag := range tags {
			file = le.AppendUint16(file, uint16(tag[0]))
			file = le.AppendUint16(file, 4)
			file = le.AppendUint32(file, tag[1])
			file = le.AppendUint32(file, tag[2])
		}
		next = len(file)
		file = le.AppendUint32(file, 0)
	}
	return file
}

// Case 30: what is huge, or says it is, is reduced or refused within 512 MB, with the reason and without a file.
func TestMeshLimited(t *testing.T) {
	if testing.Short() {
		t.Skip("makes meshes of millions of triangles")
	}
	huge := makeTIFF(t, tiffImage{36000, 18000, 512}, tiffImage{9000, 4500, 512}, tiffImage{4500, 2250, 512}, tiffImage{2250, 1125, 512})
	past := makeTIFF(t, tiffImage{64, 64, 64})
	binary.LittleEndian.PutUint32(past[len(past)-4-12-12-4:], 1<<30) // the tile's offset
	for _, c := range []struct {
		name   string
		file   string
		args   []string
		status int
		says   string
	}{
		{"an overview", write(t, "huge.tif", huge), nil, statusOK, "its overview of 2250×1125 is"},
		{"a part", write(t, "huge.tif", huge), []string{"--crop", "20000:21000,9000:9800"}, statusOK, "1596402 triangles"},
		{"too large a part", write(t, "huge.tif", huge), []string{"--crop", "0:30000,:"}, statusInput, "30000×18000 samples; at most"},
		{"no overviews", write(t, "huge.tif", makeTIFF(t, tiffImage{36000, 18000, 512})), nil, statusInput, "36000×18000 samples; at most 3"},
		{"tiles of 2³⁰", write(t, "tiles.tif", makeTIFF(t, tiffImage{1, 1, 1 << 30})), nil, statusInput, "1073741824×1073741824"},
		{"10⁶×10⁶", write(t, "large.tif", makeTIFF(t, tiffImage{1e6, 1e6, 1 << 14})), nil, statusInput, "1000000×1000000"},
		{"a tile past the end", write(t, "past.tif", past), nil, statusInput, "past.tif"},
		{"a volume of 10¹⁵", write(t, "x_99999x99999x99999_uint8.raw", []byte{1, 2, 3}), nil, statusInput, "99999×99999×99999 samples"},
		{"a volume that is more than memory", write(t, "x.nrrd", []byte("NRRD0004\ntype: float\nendian: little\ndimension: 3\nsizes: 1024 1024 1024\nencoding: raw\n\n")),
			nil, statusInput, "1024×1024×1024 samples; at most 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			status, stderr := limited(t, append([]string{"mesh", c.file, "-o", filepath.Join(dir, "out.ply")}, c.args...)...)
			if status != c.status || !strings.Contains(stderr, c.says) && status != statusOK {
				t.Errorf("%d, %q; want %d and %q", status, stderr, c.status, c.says)
			}
			if left, err := os.ReadDir(dir); err != nil || (len(left) > 0) != (c.status == statusOK) {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// The same with a file that another program wrote.
func TestMeshLimitedWorld(t *testing.T) {
	if testing.Short() { // as under the race detector, whose own memory is more than the limit
		t.Skip("makes a mesh of a million triangles")
	}
	world := input(t, "cog_world_36000x18000.tif")
	status, stderr := limited(t, "mesh", world, "-o", filepath.Join(t.TempDir(), "out.glb"))
	if status != statusOK || !strings.Contains(stderr, "its overview of 2250×1125 is") {
		t.Errorf("%d, %q", status, stderr)
	}
}

// Every input cut short is read whole as something else, or refused; never is a part of a mesh left.
func TestMeshCut(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(inputs, "*.*"))
	if err != nil || len(names) < 20 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 1<<20 || testing.Short() && len(data) > 1<<16 {
			continue // the same formats as others, and seconds each
		}
		for _, n := range []int{0, len(data) / 4, len(data) / 2, len(data) - 1} {
			dir := t.TempDir()
			status, _, stderr := command("mesh", write(t, filepath.Base(name), data[:n]), "-o", filepath.Join(dir, "out.stl"))
			left, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case status == statusOK && n == len(data)-1 && len(left) == 1: // the last byte was of no use
			case status != statusInput || len(left) > 0 || !strings.Contains(stderr, "terrane: "):
				t.Errorf("%s cut to %d of %d bytes: %d, %q, left %v", filepath.Base(name), n, len(data), status, stderr, left)
			}
		}
	}
}
