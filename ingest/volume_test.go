package ingest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/grid"
)

// beside opens other files of testdata.
func beside(t testing.TB) Options {
	return Options{Beside: func(name string) (File, error) { return open(t, name), nil }}
}

func readVolume(t *testing.T, f File, o Options) *Volume {
	t.Helper()
	v, err := ReadVolume(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVolumes(t *testing.T) {
	for _, c := range []struct {
		name      string
		dims      [3]int
		kind      Kind
		low, high float32
		above     float32 // samples above this …
		count     int     // … are so many; −1 if not known
		step      [3]float64
		origin    [3]float64
		unit      string
		mirrored  bool
	}{
		{"ball_gz.nrrd", [3]int{30, 30, 30}, Int16, 0, 257, 128, 14328, [3]float64{1, 1, 1}, [3]float64{}, "", false},
		{"ball_bz2.nrrd", [3]int{30, 30, 30}, Int16, 0, 257, 128, 14328, [3]float64{1, 1, 1}, [3]float64{}, "", false},
		{"BallBinary30x30x30.nhdr", [3]int{30, 30, 30}, Int16, 0, 257, 128, 14328, [3]float64{1, 1, 1}, [3]float64{}, "", false},
		{"avg152T1_bigendian.nii.gz", [3]int{91, 109, 91}, Uint8, 0, 255, 0, -1, [3]float64{2, 2, 2}, [3]float64{-90, -126, -72}, "mm", false},
		{"nib_anatomical_be_int16.nii", [3]int{33, 41, 25}, Int16, -610, 30393, 0, -1, [3]float64{-2, 2, 2}, [3]float64{32, -40, -16}, "mm", true},
		{"EMD-3197_20.map", [3]int{20, 20, 20}, Float32, -4.1337, 5.5768, 0, -1, [3]float64{11.4, 11.4, 11.4}, [3]float64{-22.8, 0, 0}, "Å", false},
		{"cube_32_uint8.raw", [3]int{32, 32, 32}, Uint8, 0, 246, 127, 3840, [3]float64{1, 1, 1}, [3]float64{}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := readVolume(t, open(t, c.name), beside(t))
			if v.Dims() != c.dims || v.Kind != c.kind || v.Unit != c.unit || v.Mirrored() != c.mirrored {
				t.Errorf("%v of %v in %q, mirrored %v; want %v of %v in %q, %v", v.Dims(), v.Kind, v.Unit, v.Mirrored(), c.dims, c.kind, c.unit, c.mirrored)
			}
			low, high, nans, ok := v.Range()
			if math.Abs(float64(low-c.low)) > 1e-3 || math.Abs(float64(high-c.high)) > 1e-3 || nans != 0 || !ok {
				t.Errorf("range %v … %v, %d NaNs; want %v … %v", low, high, nans, c.low, c.high)
			}
			n := 0
			for _, d := range v.Samples {
				if d > c.above {
					n++
				}
			}
			if c.count >= 0 && n != c.count {
				t.Errorf("%d samples above %v, want %d", n, c.above, c.count)
			}
			for i := range 3 {
				want := [3]float64{}
				want[i] = c.step[i]
				for k := range 3 {
					if math.Abs(v.Step[i][k]-want[k]) > 1e-4 {
						t.Errorf("step %d is %v, want %v", i, v.Step[i], want)
					}
				}
				if math.Abs(v.Origin[i]-c.origin[i]) > 1e-3 {
					t.Errorf("origin %v, want %v", v.Origin, c.origin)
				}
			}
		})
	}
}

// The engine of the issue, made small: a gzipped raw volume named as its data is.
func TestRawVolumeGzipped(t *testing.T) {
	data := make([]byte, 6*5*4*2)
	for i := range 120 {
		binary.BigEndian.PutUint16(data[2*i:], uint16(300+i))
	}
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"x_6x5x4_uint16.raw.gz", Options{}},
		{"x_6x5x4_uint16.raw.gz", Options{Order: BigEndian}},
		{"x.raw.gz", Options{Width: 6, Height: 5, Depth: 4, Kind: Uint16}},
	} {
		v := readVolume(t, Bytes(c.name, zipped(t, data)), c.o)
		if v.Dims() != [3]int{6, 5, 4} || v.At(5, 4, 3) != 419 || v.At(1, 0, 0) != 301 || v.At(0, 0, 1) != 330 {
			t.Errorf("%v, last %v", v.Dims(), v.At(5, 4, 3))
		}
	}
}

func zipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ball returns the samples of case 32: 128 − 16 (r − 6.25) round (10, 10, 10), rounded and clamped to a byte.
func ball() (values [8000]byte) {
	for i := range values {
		x, y, z := float64(i%20-10), float64(i/20%20-10), float64(i/400-10)
		d := math.Round(128 - 16*(math.Sqrt(x*x+y*y+z*z)-6.25))
		values[i] = byte(max(0, min(255, d)))
	}
	return values
}

// Case 32: every way of writing one volume reads as that volume.
func TestNRRDVariants(t *testing.T) {
	samples := ball()
	var text, big, little strings.Builder
	for i, v := range samples {
		fmt.Fprintf(&text, "%d ", v)
		if i%20 == 19 {
			text.WriteString("\n")
		}
		big.WriteString("\x00" + string([]byte{v}))
		little.WriteString(string([]byte{v}) + "\x00")
	}
	raw := string(samples[:])
	packed := string(zipped(t, samples[:]))
	header := func(lines ...string) string {
		return "NRRD0004\n# a comment\ndimension: 3\nsizes: 20 20 20\n" + strings.Join(lines, "\n") + "\n\n"
	}
	spacings := "spacings: 1 1 0.625"
	for _, c := range []struct {
		name, file string
		other      string // the detached file
	}{
		{"raw", header("type: uint8", "encoding: raw", spacings) + raw, ""},
		{"space directions", header("type: uchar", "encoding: raw", "space: left-posterior-superior", "space directions: (1,0,0) (0,1,0) (0,0,0.625)") + raw, ""},
		{"uint8_t", header("type: uint8_t", "encoding: raw", spacings) + raw, ""},
		{"unsigned char", header("type: unsigned char", "encoding: RAW", spacings) + raw, ""},
		{"gz", header("type: uchar", "encoding: gz", spacings) + packed, ""},
		{"gzip", header("type: uchar", "encoding: gzip", spacings) + packed, ""},
		{"ascii", header("type: uchar", "encoding: ascii", spacings) + text.String(), ""},
		{"text", header("type: short", "encoding: text", spacings) + text.String(), ""},
		{"CRLF", strings.ReplaceAll(header("type: uchar", "encoding: raw", spacings), "\n", "\r\n") + raw, ""},
		{"int16 big-endian", header("type: int16", "encoding: raw", "endian: big", spacings) + big.String(), ""},
		{"signed short int little-endian", header("type: signed short int", "encoding: raw", "endian: little", spacings) + little.String(), ""},
		{"key and value pairs", header("type: uchar", "my key:=a: b", "encoding: raw", "content: ball", spacings) + raw, ""},
		{"detached", header("type: uchar", "encoding: raw", spacings, "data file: other.raw"), raw},
		{"detached, old name, no empty line", strings.TrimSuffix(header("type: uchar", "encoding: raw", spacings, "datafile: other.raw"), "\n\n"), raw},
		{"detached, gzipped", header("type: uchar", "encoding: gzip", spacings, "data file: other.raw"), packed},
		{"byte skip", header("type: uchar", "encoding: raw", spacings, "data file: other.raw", "byte skip: 7"), "header!" + raw},
		{"byte skip from the end", header("type: uchar", "encoding: raw", spacings, "data file: other.raw", "byteskip: -1"), "any header" + raw},
		{"line skip", header("type: uchar", "encoding: raw", spacings, "data file: other.raw", "line skip: 2"), "one\ntwo\n" + raw},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := readVolume(t, Bytes("ball.nrrd", []byte(c.file)), Options{Beside: func(name string) (File, error) {
				if name != "other.raw" {
					return File{}, fmt.Errorf("no %s", name)
				}
				return Bytes(name, []byte(c.other)), nil
			}})
			if v.Dims() != [3]int{20, 20, 20} || v.Step != [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.625}} {
				t.Errorf("%v, %v", v.Dims(), v.Step)
			}
			for i, d := range v.Samples {
				if d != float32(samples[i]) {
					t.Fatalf("sample %d is %v, want %v", i, d, samples[i])
				}
			}
		})
	}
}

// nii returns a NIfTI-1 of 2×2×2 samples, changed.
func nii(order binary.AppendByteOrder, code uint16, data []byte, change func(head []byte, put16 func(at int, v int16), putFloat func(at int, v float32))) []byte {
	head := make([]byte, 352)
	o := order.(binary.ByteOrder)
	put16 := func(at int, v int16) { o.PutUint16(head[at:], uint16(v)) }
	putFloat := func(at int, v float32) { o.PutUint32(head[at:], math.Float32bits(v)) }
	o.PutUint32(head, niftiHeader)
	for i, d := range []int16{3, 2, 2, 2, 1, 1, 1, 1} {
		put16(40+2*i, d)
		putFloat(76+4*i, 1)
	}
	put16(70, int16(code))
	putFloat(108, 352)
	copy(head[344:], "n+1")
	if change != nil {
		change(head, put16, putFloat)
	}
	return append(head, data...)
}

func TestNIfTI(t *testing.T) {
	bytes8 := []byte{0, 1, 2, 3, 4, 5, 6, 250}
	t.Run("scale", func(t *testing.T) {
		v := readVolume(t, Bytes("a.nii", nii(binary.LittleEndian, 2, bytes8, func(_ []byte, _ func(int, int16), putFloat func(int, float32)) {
			putFloat(112, 0.5)
			putFloat(116, -10)
		})), Options{})
		if v.At(1, 1, 1) != 115 || v.At(0, 0, 0) != -10 {
			t.Errorf("%v", v.Samples)
		}
	})
	t.Run("slope NaN", func(t *testing.T) {
		v := readVolume(t, Bytes("a.nii", nii(binary.BigEndian, 2, bytes8, func(_ []byte, _ func(int, int16), putFloat func(int, float32)) {
			putFloat(112, nan)
		})), Options{})
		if v.At(1, 1, 1) != 250 {
			t.Errorf("%v", v.Samples)
		}
	})
	t.Run("quaternion", func(t *testing.T) {
		v := readVolume(t, Bytes("a.nii", nii(binary.LittleEndian, 2, bytes8, func(head []byte, put16 func(int, int16), putFloat func(int, float32)) {
			put16(252, 1)
			putFloat(264, float32(math.Sqrt2/2)) // a quarter turn about z
			putFloat(80, 3)
			putFloat(84, 4)
			putFloat(88, 5)
			putFloat(268, 7)
			putFloat(76, -1) // and mirrored along z
			head[123] = 2
		})), Options{})
		want := [3][3]float64{{0, 3, 0}, {-4, 0, 0}, {0, 0, -5}}
		for i := range 3 {
			for k := range 3 {
				if math.Abs(v.Step[i][k]-want[i][k]) > 1e-5 {
					t.Fatalf("%v, want %v", v.Step, want)
				}
			}
		}
		if v.Origin != [3]float64{7, 0, 0} || v.Unit != "mm" || !v.Mirrored() {
			t.Errorf("%v, %q, %v", v.Origin, v.Unit, v.Mirrored())
		}
	})
}

func TestMRCAxes(t *testing.T) {
	data, err := open(t, "EMD-3197_20.map").readAll()
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Clone(data)
	le := binary.LittleEndian
	for i, axis := range []uint32{3, 1, 2} { // columns along z, rows along x, sections along y
		le.PutUint32(data[4*(16+i):], axis)
	}
	le.PutUint32(data[4*12:], math.Float32bits(456)) // the cell's third length
	v := readVolume(t, Bytes("a.map", data), Options{})
	want := [3][3]float64{{0, 0, 22.8}, {11.4, 0, 0}, {0, 11.4, 0}}
	for i := range 3 {
		for k := range 3 {
			if math.Abs(v.Step[i][k]-want[i][k]) > 1e-4 {
				t.Fatalf("%v, want %v", v.Step, want)
			}
		}
	}
	if math.Abs(v.Origin[2]+2*22.8) > 1e-3 || v.Mirrored() {
		t.Errorf("origin %v, mirrored %v", v.Origin, v.Mirrored())
	}
}

func TestVolumesRefused(t *testing.T) {
	samples := ball()
	nrrd := func(lines ...string) []byte {
		return append([]byte("NRRD0004\n"+strings.Join(lines, "\n")+"\n\n"), samples[:]...)
	}
	three := "dimension: 3"
	mrc, err := open(t, "EMD-3197_20.map").readAll()
	if err != nil {
		t.Fatal(err)
	}
	mode := func(v uint32) []byte {
		data := bytes.Clone(mrc)
		binary.LittleEndian.PutUint32(data[12:], v)
		return data
	}
	le := binary.LittleEndian
	dims := func(d ...int16) func(head []byte, put16 func(int, int16), putFloat func(int, float32)) {
		return func(_ []byte, put16 func(int, int16), _ func(int, float32)) {
			for i, v := range d {
				put16(40+2*i, v)
			}
		}
	}
	nifti2, err := open(t, "nifti2_4d.nii.gz").readAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file string
		data       []byte
		is         error
		says       string
	}{
		{"NRRD of four dimensions", "a.nrrd", nrrd("dimension: 4", "sizes: 20 20 20 1", "type: uchar", "encoding: raw"), ErrUnsupported, "4 dimensions"},
		{"NRRD of unknown encoding", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: zstd"), ErrUnsupported, "zstd"},
		{"NRRD of hex", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: hex"), ErrUnsupported, "hex"},
		{"NRRD of blocks", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: block", "encoding: raw"), ErrUnsupported, "block"},
		{"NRRD without its data file", "a.nhdr", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "data file: gone.raw"), ErrUnsupported, "gone.raw"},
		{"NRRD with data elsewhere", "a.nhdr", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "data file: ../../etc/passwd"), ErrUnsupported, "own folder"},
		{"NRRD in many files", "a.nhdr", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "data file: x%03d.raw 1 20 1"), ErrUnsupported, "many files"},
		{"NRRD without endian", "a.nrrd", nrrd(three, "sizes: 20 20 10", "type: short", "encoding: raw"), ErrCorrupt, "endian"},
		{"NRRD with too few samples", "a.nrrd", nrrd(three, "sizes: 20 20 21", "type: uchar", "encoding: raw"), ErrCorrupt, "take 8400 bytes"},
		{"NRRD, huge", "a.nrrd", nrrd(three, "sizes: 2000000000 2000000000 2", "type: uchar", "encoding: raw"), ErrTooLarge, "2000000000"},
		{"NRRD, large in a small file", "a.nrrd", nrrd(three, "sizes: 500 500 500", "type: uchar", "encoding: raw"), ErrCorrupt, "125000000 bytes"},
		{"NRRD, large in little gzip", "a.nrrd", nrrd(three, "sizes: 500 500 500", "type: uchar", "encoding: gzip"), ErrCorrupt, "gzip"},
		{"NRRD with a size of words", "a.nrrd", nrrd(three, "sizes: 20 20 many", "type: uchar", "encoding: raw"), ErrCorrupt, "many"},
		{"NRRD with a line without end", "a.nrrd", append([]byte("NRRD0004\n"), bytes.Repeat([]byte("x"), 1<<17)...), ErrCorrupt, "header line"},
		{"NRRD with two spacings", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "spacings: 1 1"), ErrCorrupt, "spacings"},
		{"NRRD with a vector too few", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "space directions: (1,0,0) none (0,0,1)"), ErrUnsupported, "3 vectors"},
		{"NRRD without extent", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "space directions: (0,0,0) (0,1,0) (0,0,1)"), ErrCorrupt, "samples lie"},
		{"NRRD in a plane", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "space directions: (1,0,0) (1,0,0) (0,0,1)"), ErrCorrupt, "in one plane"},
		{"NRRD of cells of nothing", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "spacings: 1 1 1e-300"), ErrCorrupt, "1e-300"},
		{"NRRD beyond everything", "a.nrrd", nrrd(three, "sizes: 20 20 20", "type: uchar", "encoding: raw", "spacings: 1 1 1", "space origin: (0,1e300,0)"), ErrCorrupt, "1e+300"},
		{"NRRD of a later version", "a.nrrd", []byte("NRRD0009\n\n"), ErrUnsupported, "NRRD0009"},
		{"NIfTI-2", "a.nii.gz", nifti2, ErrUnsupported, "NIfTI-2"},
		{"NIfTI of four dimensions", "a.nii", nii(le, 2, make([]byte, 16), dims(4, 2, 2, 2, 2)), ErrUnsupported, "frames"},
		{"NIfTI of two dimensions", "a.nii", nii(le, 2, make([]byte, 16), dims(2, 2, 2, 1)), ErrUnsupported, "2 dimensions"},
		{"NIfTI of colors", "a.nii", nii(le, 128, make([]byte, 24), nil), ErrUnsupported, "RGB"},
		{"NIfTI cut short", "a.nii", nii(le, 16, make([]byte, 31), nil), ErrCorrupt, "ends after"},
		{"NIfTI that claims much", "a.nii", nii(le, 16, make([]byte, 32), dims(3, 500, 500, 500)), ErrCorrupt, "500×500×500"},
		{"NIfTI of negative size", "a.nii", nii(le, 2, make([]byte, 8), dims(3, -2, 2, 2)), ErrCorrupt, "-2"},
		{"NIfTI in two files", "a.hdr", nii(le, 2, make([]byte, 8), func(head []byte, _ func(int, int16), _ func(int, float32)) { copy(head[344:], "ni1") }), ErrUnsupported, "two files"},
		{"NIfTI whose samples begin nowhere", "a.nii", nii(le, 2, make([]byte, 8), func(_ []byte, _ func(int, int16), putFloat func(int, float32)) { putFloat(108, nan) }), ErrCorrupt, "NaN"},
		{"MRC of complex numbers", "a.mrc", mode(4), ErrUnsupported, "complex"},
		{"MRC of half floats", "a.mrc", mode(12), ErrUnsupported, "16-bit floats"},
		{"MRC cut short", "a.mrc", mrc[:5000], ErrCorrupt, "20×20×20"},
		{"raw without its size", "a.raw", make([]byte, 100), ErrUnsupported, "kind"},
		{"raw of another size", "a_4x4x4_uint8.raw", make([]byte, 100), ErrCorrupt, "take 64 bytes; the file has 100"},
		{"raw, huge", "a_9999999x9999999x9999999_uint8.raw", make([]byte, 100), ErrTooLarge, "9999999"},
		{"raw without dimensions", "a_uint8.raw", make([]byte, 100), ErrUnsupported, "100 samples"},
		{"MetaImage", "a.mha", []byte("ObjectType = Image\nNDims = 3\n"), ErrUnsupported, "MetaImage"},
		{"a mesh", "a.stl", []byte("Exported from somewhere"), ErrUnsupported, "STL"},
		{"empty", "a.nrrd", nil, ErrCorrupt, "empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			v, err := ReadVolume(Bytes(c.file, c.data), Options{Beside: func(name string) (File, error) {
				return File{}, fmt.Errorf("open %s: no such file", name)
			}})
			if v != nil || !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("%v; want %v saying %q", err, c.is, c.says)
			}
			runtime.ReadMemStats(&after)
			if took, used := time.Since(start), after.TotalAlloc-before.TotalAlloc; took > 2*time.Second || used > 16<<20 {
				t.Errorf("refused after %v and %d bytes", took, used)
			}
		})
	}
}

// Every volume cut short is an error.
func TestVolumesCutShort(t *testing.T) {
	for _, name := range []string{"ball_gz.nrrd", "ball_bz2.nrrd", "avg152T1_bigendian.nii.gz", "nib_anatomical_be_int16.nii", "EMD-3197_20.map", "cube_32_uint8.raw"} {
		data, err := open(t, name).readAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 4, len(data) / 4, len(data) / 2, 3 * len(data) / 4} {
			if _, err := ReadVolume(Bytes(name, data[:n]), Options{}); err == nil {
				t.Errorf("%s cut to %d of %d bytes is read", name, n, len(data))
			}
		}
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float32
		above  float32 // the result lies above this …
		below  float32 // … and not above that
	}{
		{"two kinds", []float32{0, 0, 0, 257, 257, float32(math.NaN())}, 100, 157},
		{"noisy", []float32{10, 11, 12, 13, 90, 91, 92, 93, 94}, 20, 85},
		{"one kind", []float32{5, 5, 5}, 4.9, 5},
	} {
		v := Volume{Volume: grid.Volume{NX: len(c.values), NY: 1, NZ: 1, Samples: c.values}}
		low, high, _, _ := v.Range()
		if got := v.Threshold(low, high); !(got > c.above && got <= c.below) {
			t.Errorf("%s: %v, want %v … %v", c.name, got, c.above, c.below)
		}
	}
}
