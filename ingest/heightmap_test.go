package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// open returns a file of testdata.
func open(t testing.TB, name string) File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return Bytes(name, data)
}

// alps returns the bytes of the tile N47E009.
func alps(t testing.TB) []byte {
	t.Helper()
	f, err := open(t, "N47E009.hgt.gz").unzip(1 << 24)
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.readAll()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read reads a heightmap that must be readable.
func read(t *testing.T, f File, o Options) *Heightmap {
	t.Helper()
	h, err := ReadHeightmap(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHeightmapValues(t *testing.T) {
	for _, c := range []struct {
		name           string
		width, height  int
		kind           Kind
		low, high      float32
		nw, ne, sw, se float32
		levels         int
	}{
		{"N47E009.hgt.gz", 1201, 1201, Int16, 388, 2937, 738, 649, 2784, 1104, 2474},
		{"n47e009_513_gray16.png", 513, 513, Uint16, 388, 1293, 432, 632, 1049, 771, 878},
		{"heightmap_bowl_129_rgb8.png", 129, 129, Uint8, 0, 254, 0, 253, 254, 253.413, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := read(t, open(t, c.name), Options{})
			if h.Width != c.width || h.Height != c.height || h.Kind != c.kind {
				t.Errorf("%d×%d of %v, want %d×%d of %v", h.Width, h.Height, h.Kind, c.width, c.height, c.kind)
			}
			low, high, voids, ok := h.Range()
			if low != c.low || high != c.high || voids != 0 || !ok {
				t.Errorf("range %v … %v with %d voids, want %v … %v", low, high, voids, c.low, c.high)
			}
			right, bottom := c.width-1, c.height-1
			corners := [4]float32{h.At(0, 0), h.At(right, 0), h.At(0, bottom), h.At(right, bottom)}
			if want := [4]float32{c.nw, c.ne, c.sw, c.se}; corners != want {
				t.Errorf("corners NW NE SW SE %v, want %v", corners, want)
			}
			if got := levels(h); c.levels != 0 && got != c.levels {
				t.Errorf("%d levels, want %d", got, c.levels)
			}
		})
	}
}

func levels(h *Heightmap) int {
	set := map[float32]bool{}
	for _, v := range h.Values {
		set[v] = true
	}
	return len(set)
}

// raw returns the heights of h as unsigned 16-bit samples.
func raw(h *Heightmap, order binary.AppendByteOrder) []byte {
	var data []byte
	for _, v := range h.Values {
		data = order.AppendUint16(data, uint16(v))
	}
	return data
}

// Case 27: nothing of the 16 bits is lost, and bytes are not swapped.
func TestRaw16(t *testing.T) {
	want := read(t, open(t, "n47e009_513_gray16.png"), Options{})
	little, big := raw(want, binary.LittleEndian), raw(want, binary.BigEndian)
	for _, c := range []struct {
		name     string
		data     []byte
		file     string
		o        Options
		swapped  bool
		noteWith string
	}{
		{"little-endian, guessed", little, "a.r16", Options{}, false, "little-endian, guessed"},
		{"big-endian, guessed", big, "a.r16", Options{}, false, "big-endian, guessed"},
		{"little-endian, given", little, "a.r16", Options{Order: LittleEndian}, false, "square"},
		{"big-endian on request", little, "a.r16", Options{Order: BigEndian}, true, "square"},
		{"size in the name", little, "dir/ground_513x513.raw", Options{}, false, "as its name says"},
		{"size given", little, "a.r16", Options{Width: 513, Height: 513}, false, "as given"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := read(t, Bytes(c.file, c.data), c.o)
			if !strings.Contains(strings.Join(h.Notes, "; "), c.noteWith) {
				t.Errorf("notes %q do not say %q", h.Notes, c.noteWith)
			}
			if got := levels(h); got != 878 {
				t.Errorf("%d levels, want 878", got)
			}
			low, high, _, _ := h.Range()
			if c.swapped {
				if low != 2 || high != 65283 {
					t.Errorf("range %v … %v, want 2 … 65283, as asked", low, high)
				}
				return
			}
			for i, v := range h.Values {
				if v != want.Values[i] {
					t.Fatalf("sample %d is %v, want %v", i, v, want.Values[i])
				}
			}
		})
	}
}

func TestRaw32(t *testing.T) {
	want := [6]float32{0.5, -20, 388, 2937.25, 0, 1e-3}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var data []byte
		for _, v := range want {
			data = order.AppendUint32(data, math.Float32bits(v))
		}
		h := read(t, Bytes("a_3x2.r32", data), Options{})
		if h.Width != 3 || h.Height != 2 || [6]float32(h.Values) != want {
			t.Errorf("%v: %d×%d, %v", order, h.Width, h.Height, h.Values)
		}
	}
}

func TestRawNotSquare(t *testing.T) {
	data := make([]byte, 2*6*4)
	for i := range 24 {
		binary.LittleEndian.PutUint16(data[2*i:], uint16(i))
	}
	h := read(t, Bytes("x.r16", data), Options{Width: 6, Height: 4})
	if h.Width != 6 || h.Height != 4 || h.At(5, 3) != 23 || h.At(0, 1) != 6 {
		t.Errorf("%d×%d, last %v, second row starts %v", h.Width, h.Height, h.At(5, 3), h.At(0, 1))
	}
}

// Case 28: signs, voids and spacing of SRTM tiles.
func TestHGT(t *testing.T) {
	const at = 2 * (600*1201 + 600) // row 600, column 600
	tile := alps(t)
	if at != 1442400 {
		t.Fatal("the case says 1442400")
	}
	patched := func(v int16) File {
		data := bytes.Clone(tile)
		binary.BigEndian.PutUint16(data[at:], uint16(v))
		return Bytes("N47E009.hgt", data)
	}
	plain := read(t, Bytes("dir/N47E009.hgt", tile), Options{})
	t.Run("spacing", func(t *testing.T) {
		if z := plain.MetersZ; z < 92.7 || z > 92.85 {
			t.Errorf("%.2f m between rows, want about 92.8", z)
		}
		if x := plain.MetersX; x < 62.6 || x > 62.75 {
			t.Errorf("%.2f m between columns, want about 62.7", x)
		}
		if !plain.Meters {
			t.Error("heights are not known to be meters")
		}
	})
	t.Run("void", func(t *testing.T) {
		h := read(t, patched(-32768), Options{})
		if low, _, voids, _ := h.Range(); voids != 1 || low != 388 {
			t.Errorf("%d voids, lowest %v; want 1 and 388", voids, low)
		}
		if v := h.At(600, 600); v == v {
			t.Errorf("the void is %v", v)
		}
		if n, err := h.Fill(); n != 1 || err != nil {
			t.Errorf("Fill: %d, %v", n, err)
		}
		if low, _, voids, _ := h.Range(); voids != 0 || low != 388 {
			t.Errorf("filled: %d voids, lowest %v", voids, low)
		}
		low, high := plain.At(599, 599), plain.At(599, 599)
		for i, v := range h.Values {
			x, z := i%1201, i/1201
			if x >= 599 && x <= 601 && z >= 599 && z <= 601 && !(x == 600 && z == 600) {
				low, high = min(low, v), max(high, v)
			}
			if v != plain.Values[i] && i != at/2 {
				t.Fatalf("sample %d,%d changed from %v to %v", x, z, plain.Values[i], v)
			}
		}
		if v := h.At(600, 600); v < low || v > high {
			t.Errorf("filled with %v, neighbors are %v … %v", v, low, high)
		}
	})
	t.Run("below the sea", func(t *testing.T) {
		h := read(t, patched(-430), Options{})
		if low, _, voids, _ := h.Range(); low != -430 || voids != 0 || h.At(600, 600) != -430 {
			t.Errorf("lowest %v, %d voids, %v at the place", low, voids, h.At(600, 600))
		}
	})
	t.Run("south", func(t *testing.T) {
		h := read(t, Bytes("s48w070.hgt", tile), Options{})
		if d := h.MetersX - plain.MetersX; d > 1e-9 || d < -1e-9 { // 48° S to 47° S mirrors 47° N to 48° N
			t.Errorf("%v m, want %v", h.MetersX, plain.MetersX)
		}
	})
	t.Run("no place in the name", func(t *testing.T) {
		h := read(t, Bytes("alps.hgt", tile), Options{})
		if h.MetersX != h.MetersZ || len(h.Notes) == 0 {
			t.Errorf("%v by %v m, notes %q", h.MetersX, h.MetersZ, h.Notes)
		}
	})
}

func TestFill(t *testing.T) {
	t.Run("wide", func(t *testing.T) {
		h := &Heightmap{Width: 9, Height: 9, Kind: Int16, Values: make([]float32, 81)}
		for i := range h.Values {
			h.Values[i] = float32(100 + i%9)
			if x, z := i%9, i/9; x > 0 && x < 8 && z > 0 && z < 8 {
				h.Values[i] = nan
			}
		}
		if n, err := h.Fill(); n != 49 || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
		for i, v := range h.Values {
			if v != v || v < 100 || v > 108 || v != float32(int(v)) {
				t.Errorf("sample %d is %v", i, v)
			}
			if i%9 == 4 && (v < 102 || v > 106) {
				t.Errorf("the middle of row %d is %v", i/9, v)
			}
		}
	})
	t.Run("only one height", func(t *testing.T) {
		h := &Heightmap{Width: 3, Height: 2, Kind: Float32, Values: []float32{nan, nan, nan, nan, nan, 0.5}}
		if n, err := h.Fill(); n != 5 || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
		for _, v := range h.Values {
			if v != 0.5 {
				t.Errorf("%v", h.Values)
			}
		}
	})
	t.Run("none", func(t *testing.T) {
		h := &Heightmap{Width: 2, Height: 2, Values: []float32{nan, nan, nan, nan}}
		if _, err := h.Fill(); err == nil {
			t.Error("no error")
		}
	})
}

func TestRefused(t *testing.T) {
	png16, err := open(t, "n47e009_513_gray16.png").readAll()
	if err != nil {
		t.Fatal(err)
	}
	tile := alps(t)
	gz, err := open(t, "N47E009.hgt.gz").readAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		file File
		o    Options
		is   error
		says string
	}{
		{"empty", Bytes("a.png", nil), Options{}, ErrCorrupt, "empty"},
		{"PNG that is none", Bytes("a.png", []byte("hello, world")), Options{}, ErrUnsupported, `begins with "hello, w"`},
		{"PNG that is a JPEG", Bytes("a.png", []byte("\xff\xd8\xff\xe0....")), Options{}, ErrUnsupported, "JPEG"},
		{"PNG that is a web page", Bytes("a.png", []byte("<!DOCTYPE html>")), Options{}, ErrUnsupported, "web page"},
		{"LFS pointer", Bytes("a.hgt2", []byte("version https://git-lfs.github.com/spec/v1\n")), Options{}, ErrUnsupported, "git lfs pull"},
		{"netCDF", Bytes("a.nc", []byte("CDF\x01aaaaaaaa")), Options{}, ErrUnsupported, "netCDF"},
		{"PNG cut in its data", Bytes("a.png", png16[:len(png16)/2]), Options{}, ErrCorrupt, "513×513"},
		{"PNG cut in its header", Bytes("a.png", png16[:20]), Options{}, ErrCorrupt, "PNG"},
		{"PNG cut at the end", Bytes("a.png", png16[:len(png16)-13]), Options{}, ErrCorrupt, "EOF"},
		{"PNG larger than allowed", Bytes("a.png", png16), Options{MaxSamples: 512 * 512}, ErrTooLarge, "at most 262144"},
		{"hgt cut short", Bytes("N47E009.hgt", tile[:len(tile)-2]), Options{}, ErrCorrupt, "2884802"},
		{"hgt larger than allowed", Bytes("N47E009.hgt", tile), Options{MaxSamples: 1e6}, ErrTooLarge, "1201×1201"},
		{"gzip cut short", Bytes("N47E009.hgt.gz", gz[:len(gz)/2]), Options{}, ErrCorrupt, "gzip"},
		{"gzip with a flipped bit", Bytes("N47E009.hgt.gz", flip(gz, len(gz)/2)), Options{}, ErrCorrupt, "gzip"},
		{"gzip larger than allowed", Bytes("N47E009.hgt.gz", gz), Options{MaxSamples: 1e5}, ErrTooLarge, "unpacked"},
		{"raw, one byte missing", Bytes("a.r16", make([]byte, 513*513*2-1)), Options{}, ErrCorrupt, "526338"},
		{"raw, other size than given", Bytes("a.r16", make([]byte, 100)), Options{Width: 10, Height: 10}, ErrCorrupt, "200 bytes"},
		{"raw, half a size given", Bytes("a.r16", make([]byte, 100)), Options{Width: 10}, ErrUnsupported, "both"},
		{"raw, huge size in its name", Bytes("a_1000000x1000000.r16", make([]byte, 100)), Options{}, ErrTooLarge, "1000000×1000000"},
		{"one row", Bytes("a.r16", make([]byte, 20)), Options{Width: 10, Height: 1}, ErrUnsupported, "2×2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := ReadHeightmap(c.file, c.o)
			if h != nil || !errors.Is(err, c.is) {
				t.Fatalf("%v, %v; want %v", h, err, c.is)
			}
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.file.Name[:1]) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

func flip(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 0x10
	return data
}

// Hostile headers cost neither time nor memory.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name string
		file File
	}{
		{"10⁶×10⁶", Bytes("a.png", pngHeader(1e6, 1e6))},
		{"2³¹−1 squared", Bytes("a.png", pngHeader(1<<31-1, 1<<31-1))},
		{"8192² in 100 bytes", Bytes("a.png", append(pngHeader(8192, 8192), make([]byte, 60)...))},
		{"a zip bomb", bomb(t, "a.r16.gz", 1<<28)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := ReadHeightmap(c.file, Options{MaxSamples: 1 << 24}) // 64 MiB unpacked
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Fatal("read")
			}
			if took > 2*time.Second {
				t.Errorf("refused after %v", took)
			}
			if used := after.TotalAlloc - before.TotalAlloc; strings.HasSuffix(c.file.Name, ".png") && used > 1<<20 {
				t.Errorf("refused after allocating %d bytes", used)
			} else if used > 512<<20 {
				t.Errorf("refused after allocating %d bytes", used)
			}
		})
	}
}
