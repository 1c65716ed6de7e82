package ingest

import (
	"encoding/binary"
	"image"
	"math"
	"slices"
	"testing"

	"github.com/terrane/terrane/ingest/internal/tiff"
)

// Nothing that a file holds makes a reader panic, spend memory that its limit does not allow, or hand out samples that
// are not whole. The last argument of each target picks a part of the file (see fuzzOptions).

// fuzzOptions are small limits and, but for part 0, a part of the file.
func fuzzOptions(part uint32) Options {
	o := Options{MaxSamples: 1 << 16}
	for axis := range o.Crop {
		o.Crop[axis] = Range{int(part & 3), int(part >> 2 & 15)}
		part >>= 6
	}
	return o
}

// checkHeightmap reads a heightmap and checks what comes out.
func checkHeightmap(t *testing.T, f File, part uint32) {
	t.Helper()
	o := fuzzOptions(part)
	h, err := ReadHeightmap(f, o)
	if (h == nil) == (err == nil) {
		t.Fatalf("%v and %v", h, err)
	}
	if err != nil {
		return
	}
	if h.Width < 2 || h.Height < 2 || len(h.Values) != h.Width*h.Height || len(h.Values) > o.MaxSamples || !h.Kind.valid() || h.Format == "" {
		t.Fatalf("%d×%d, %d values, %v, %q", h.Width, h.Height, len(h.Values), h.Kind, h.Format)
	}
	if c := o.Crop[0]; c.To > 0 && h.Width != c.To-c.From {
		t.Fatalf("%d columns of %v", h.Width, c)
	}
	if slices.ContainsFunc(h.Values, func(v float32) bool { return math.IsInf(float64(v), 0) }) {
		t.Fatal("an infinite sample")
	}
	for _, v := range []float64{h.MetersX, h.MetersZ, h.OriginX, h.OriginZ} {
		if v-v != 0 {
			t.Fatalf("%v × %v m at %v, %v", h.MetersX, h.MetersZ, h.OriginX, h.OriginZ)
		}
	}
	if _, err := h.Fill(); err == nil {
		if _, _, voids, ok := h.Range(); voids != 0 || !ok {
			t.Fatalf("%d voids after Fill", voids)
		}
	}
}

// checkVolume reads a volume and checks what comes out.
func checkVolume(t *testing.T, f File, part uint32) {
	t.Helper()
	o := fuzzOptions(part)
	v, err := ReadVolume(f, o)
	if (v == nil) == (err == nil) {
		t.Fatalf("%v and %v", v, err)
	}
	if err != nil {
		return
	}
	if len(v.Samples) != v.Dims()[0]*v.Dims()[1]*v.Dims()[2] || len(v.Samples) > o.MaxSamples || !v.Kind.valid() || v.Format == "" {
		t.Fatalf("%v, %d values, %v, %q", v.Dims(), len(v.Samples), v.Kind, v.Format)
	}
	if slices.ContainsFunc(v.Samples, func(d float32) bool { return math.IsInf(float64(d), 0) }) {
		t.Fatal("an infinite sample")
	}
	for axis, c := range o.Crop {
		if c.To > 0 && v.Dims()[axis] != c.To-c.From {
			t.Fatalf("%v samples of %v", v.Dims(), o.Crop)
		}
	}
	for axis := range 3 {
		for k, d := range v.Step[axis] {
			if d-d != 0 || v.Origin[k]-v.Origin[k] != 0 {
				t.Fatalf("steps %v from %v", v.Step, v.Origin)
			}
		}
	}
}

// seed returns the first bytes of a file of testdata.
func seed(f *testing.F, name string, most int) []byte {
	data, err := open(f, name).readAll()
	if err != nil {
		f.Fatal(err)
	}
	return data[:min(len(data), most)]
}

// part is a part to be read: columns 1 … 2, rows 0 … 2.
const part = 1 | 3<<2 | 3<<8

func FuzzPNG(f *testing.F) {
	gray := image.NewGray16(image.Rect(0, 0, 5, 4))
	for i := range gray.Pix {
		gray.Pix[i] = byte(i * 37)
	}
	data, err := encode(f, gray).readAll()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, uint32(0))
	f.Add(data, uint32(part))
	f.Add(data[:len(data)/2], uint32(0))
	f.Add(pngHeader(1e6, 1e6), uint32(0))
	f.Fuzz(func(t *testing.T, data []byte, part uint32) { checkHeightmap(t, Bytes("a.png", data), part) })
}

func FuzzASC(f *testing.F) {
	f.Add(seed(f, "tiny_4x3_no_nodata_line.asc", 1<<12), uint32(part))
	f.Add([]byte("NCOLS 2\nNROWS 2\nXLLCENTER 500000\nYLLCENTER -5e6\nDX 0.5\nDY 2\nNODATA_value 3\n1 2\n3 1e39\n"), uint32(0))
	f.Add([]byte("ncols 2\nnrows 2\nxllcorner 7\nyllcorner 46\ncellsize 0.01\n1 2 3 nan"), uint32(0))
	f.Fuzz(func(t *testing.T, data []byte, part uint32) { checkHeightmap(t, Bytes("a.asc", data), part) })
}

// Heightmaps whose name says what they are.
func FuzzRaw(f *testing.F) {
	f.Add("a_2x3.r16", []byte("0123456789ab"), uint32(0))
	f.Add("a.r16", []byte("012345670123456789"), uint32(part))
	f.Add("a_2x2.r32", []byte("0123456789abcdef"), uint32(0))
	f.Add("N47E009.hgt", []byte("x"), uint32(0))
	f.Add("a.r16.gz", zipped(f, []byte("01234567")), uint32(0))
	f.Add("a.asc.gz", zipped(f, []byte("ncols 2\nnrows 2\n1 2 3 4")), uint32(0))
	f.Fuzz(func(t *testing.T, name string, data []byte, part uint32) { checkHeightmap(t, Bytes(name, data), part) })
}

func FuzzTIFF(f *testing.F) {
	le := binary.LittleEndian
	f.Add(makeTIFF(le, []byte{1, 2, 3, 4}, simple(2, 2, 8, 1, 4)...), uint32(0))
	f.Add(makeTIFF(binary.BigEndian, make([]byte, 32), simple(2, 2, 64, 3, 32, madeTag{tiff.TagPredictor, []uint16{3}}, madeTag{tiff.TagNoData, "0"})...), uint32(0))
	f.Add(makeTIFF(le, make([]byte, 9), simple(3, 3, 8, 1, 9, madeTag{tiff.TagPixelScale, []float64{-30, -40, 0}}, madeTag{tiff.TagTiepoint, []float64{0, 0, 0, 5e5, 5e6, 0}},
		madeTag{tiff.TagGeoKeys, []uint16{1, 1, 0, 2, tiff.KeyRaster, 0, 1, tiff.RasterPoint, tiff.KeyLinearUnits, 0, 1, 9002}})...), uint32(part))
	f.Add(circle(), uint32(0))
	for _, name := range []string{"u16_lzw_p2_lsb_tile.tif", "u16_zip_p2_lsb.tif", "f32_lzw_p3_lsb.tif"} {
		f.Add(seed(f, "tiff/"+name, 1<<16), uint32(0))
	}
	f.Add(seed(f, "tiff/u16_none_p1_lsb_tile.tif", 1<<16), uint32(part))
	f.Fuzz(func(t *testing.T, data []byte, part uint32) { checkHeightmap(t, Bytes("a.tif", data), part) })
}

func FuzzNRRD(f *testing.F) {
	f.Add(seed(f, "ball_gz.nrrd", 1<<12), []byte(nil), uint32(0))
	f.Add(seed(f, "ball_bz2.nrrd", 1<<12), []byte(nil), uint32(part))
	f.Add(seed(f, "BallBinary30x30x30.nhdr", 1<<12), make([]byte, 54000), uint32(part))
	f.Add([]byte("NRRD0001\ndimension: 3\nsizes: 1 2 1\ntype: float\nencoding: ascii\nspacings: NaN 1 2\n\n1 2"), []byte(nil), uint32(0))
	f.Add([]byte("NRRD0005\ndimension: 3\nsizes: 2 2 2\ntype: short\nendian: big\nencoding: raw\nspace: LAS\n"+
		"space directions: (1,0,0) (0,1,0) (0,0,.5)\nspace origin: (1,2,3)\nline skip: 1\nbyte skip: 2\ndata file: b.raw\n"), []byte("one\n  0123456789abcdef"), uint32(0))
	f.Fuzz(func(t *testing.T, data, other []byte, part uint32) {
		o := fuzzOptions(part)
		o.Beside = func(name string) (File, error) { return Bytes(name, other), nil }
		if v, err := ReadVolume(Bytes("a.nhdr", data), o); (v == nil) == (err == nil) || v != nil && len(v.Samples) != v.Dims()[0]*v.Dims()[1]*v.Dims()[2] {
			t.Fatalf("%v and %v", v, err)
		}
		checkVolume(t, Bytes("a.nrrd", data), part)
	})
}

func FuzzNIfTI(f *testing.F) {
	f.Add(nii(binary.LittleEndian, 2, make([]byte, 8), nil), uint32(0))
	f.Add(nii(binary.BigEndian, 4, make([]byte, 16), func(_ []byte, put16 func(int, int16), putFloat func(int, float32)) {
		put16(252, 1)
		putFloat(76, -1)
		putFloat(256, 0.5)
		putFloat(112, 2)
	}), uint32(part))
	f.Add(seed(f, "nib_anatomical_be_int16.nii", 1<<12), uint32(0))
	f.Add(zipped(f, nii(binary.LittleEndian, 16, make([]byte, 32), func(_ []byte, put16 func(int, int16), putFloat func(int, float32)) {
		put16(254, 1)
		putFloat(280, -2)
	})), uint32(0))
	f.Fuzz(func(t *testing.T, data []byte, part uint32) { checkVolume(t, Bytes("a.nii", data), part) })
}

func FuzzMRC(f *testing.F) {
	f.Add(seed(f, "EMD-3197_20.map", 1<<16), uint32(0))
	f.Add(seed(f, "EMD-3197_20.map", 1<<12), uint32(part))
	f.Fuzz(func(t *testing.T, data []byte, part uint32) { checkVolume(t, Bytes("a.map", data), part) })
}

// Volumes whose name says what they are.
func FuzzRawVolume(f *testing.F) {
	f.Add("a_2x2x2_uint16.raw", make([]byte, 16), uint32(0))
	f.Add("a_3x3x3_float32.bin", make([]byte, 108), uint32(part))
	f.Add("cube_2_int8.raw", make([]byte, 8), uint32(0))
	f.Add("a_2x2x2.u8.gz", zipped(f, make([]byte, 8)), uint32(0))
	f.Fuzz(func(t *testing.T, name string, data []byte, part uint32) { checkVolume(t, Bytes(name, data), part) })
}
