package ingest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/ingest/internal/tiff"
)

func TestGrids(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		kind          Kind
		low, high     float32
		voids         int
		x, z          float64 // meters between samples, within a thousandth
		at            [2]int
		value         float32 // NaN: void
	}{
		{"dem_landscape_200x125.tif", 200, 125, Float32, -4.7324686, 921.4481, 0, 443.05, 893.52, [2]int{179, 96}, 921.4481},
		{"dem_moon_33.tif", 33, 33, Float32, -212.29616, -205.4401, 0, 2.4266, 2.4266, [2]int{0, 0}, -206.00891},
		{"dem_nodata_int16.dem", 65, 65, Int16, 682, 2932, 96, 150.92, 216, [2]int{64, 64}, nan},
		{"dem_squared_129.tif", 129, 129, Float32, 65.35829, 318.44113, 0, 24.372, 30.922, [2]int{0, 0}, 215.82324},
		{"cog_int16_2658x2667.tif", 2658, 2667, Int16, 69, 201, 3414419, 100.01, 100.01, [2]int{0, 0}, nan},
		{"hugo_site_nodata.asc", 76, 55, Float32, 1660, 1711, 2028, 10, 10, [2]int{75, 54}, nan},
		{"srtmgl3_degrees.asc", 144, 144, Float32, 2186, 3345, 0, 70.906, 92.766, [2]int{0, 0}, 2588},
		{"tidal_zSW3_nodata999.asc.gz", 300, 452, Float32, -2.609347, 8.461376, 35152, 2, 2, [2]int{0, 0}, 7.195774},
		{"tiny_4x3_no_nodata_line.asc", 3, 4, Float32, 0, 11, 0, 10, 10, [2]int{2, 3}, 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := read(t, open(t, c.name), Options{})
			if h.Width != c.width || h.Height != c.height || h.Kind != c.kind || !h.Meters {
				t.Errorf("%d×%d of %v, want %d×%d of %v", h.Width, h.Height, h.Kind, c.width, c.height, c.kind)
			}
			if low, high, voids, _ := h.Range(); low != c.low || high != c.high || voids != c.voids {
				t.Errorf("range %v … %v with %d voids, want %v … %v with %d", low, high, voids, c.low, c.high, c.voids)
			}
			if !near(h.MetersX, c.x) || !near(h.MetersZ, c.z) {
				t.Errorf("samples %v × %v m apart, want %v × %v", h.MetersX, h.MetersZ, c.x, c.z)
			}
			if v := h.At(c.at[0], c.at[1]); v != c.value && (v == v || c.value == c.value) {
				t.Errorf("at %v: %v, want %v", c.at, v, c.value)
			}
		})
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= b/1000 }

// The nodata value is no height, wherever it lies.
func TestVoidsFilled(t *testing.T) {
	h := read(t, open(t, "dem_nodata_int16.dem"), Options{})
	before := append([]float32(nil), h.Values...)
	if n, err := h.Fill(); n != 96 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if low, high, voids, _ := h.Range(); low != 682 || high != 2932 || voids != 0 {
		t.Errorf("%v … %v, %d voids", low, high, voids)
	}
	for i, v := range before {
		if v == v && v != h.Values[i] {
			t.Fatalf("sample %d was %v and is %v", i, v, h.Values[i])
		}
	}
}

func TestAllVoid(t *testing.T) {
	h := read(t, open(t, "southup_allnodata_720x360.tif"), Options{})
	if _, _, voids, ok := h.Range(); ok || voids != 720*360 || !strings.Contains(strings.Join(h.Notes, " "), "south side up") {
		t.Errorf("%d voids, %v, %q", voids, ok, h.Notes)
	}
	if _, err := h.Fill(); err == nil || !strings.Contains(err.Error(), "all 259200 samples are void") {
		t.Errorf("%v", err)
	}
}

// An overview is read when the image is too large, and says so.
func TestOverview(t *testing.T) {
	h := read(t, open(t, "cog_int16_2658x2667.tif"), Options{MaxSamples: 2e6})
	if h.Width != 1329 || h.Height != 1334 || !near(h.MetersX, 200.02) || !near(h.MetersZ, 199.95) || len(h.Notes) == 0 {
		t.Errorf("%d×%d, %v × %v m, %q", h.Width, h.Height, h.MetersX, h.MetersZ, h.Notes)
	}
	if low, high, _, _ := h.Range(); low < 69 || high > 201 {
		t.Errorf("%v … %v", low, high)
	}
	if _, err := ReadHeightmap(open(t, "cog_int16_2658x2667.tif"), Options{MaxSamples: 1e4}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// Every packing that another program writes gives the same samples.
func TestTIFFPackings(t *testing.T) {
	source := read(t, open(t, "n47e009_513_gray16.png"), Options{})
	names, err := filepath.Glob(filepath.Join("testdata", "tiff", "*.tif"))
	if err != nil || len(names) < 14 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			h := read(t, open(t, filepath.Join("tiff", filepath.Base(name))), Options{})
			if h.Width != 50 || h.Height != 37 {
				t.Fatalf("%d×%d", h.Width, h.Height)
			}
			for i, v := range h.Values {
				if h.Kind.Float() {
					v = float32(math.Round(float64(v) * 65535)) // ImageMagick's floats run from 0 to 1
				}
				if want := source.At(100+i%50, 60+i/50); v != want {
					t.Fatalf("sample %d,%d is %v, want %v", i%50, i/50, v, want)
				}
			}
		})
	}
}

// A madeTag is a tag of a TIFF to be made. Its values are of one of the kinds that makeTIFF knows.
type madeTag struct {
	tag    uint16
	values any
}

// makeTIFF returns a TIFF of one image with the tags, and data, if any, at byte 8 of the file.
func makeTIFF(order binary.AppendByteOrder, data []byte, tags ...madeTag) []byte {
	mark := "II"
	if order == binary.AppendByteOrder(binary.BigEndian) {
		mark = "MM"
	}
	file := order.AppendUint16([]byte(mark), 42)
	file = order.AppendUint32(file, uint32(8+len(data)))
	file = append(file, data...)
	at := len(file) + 2 + 12*len(tags) + 4
	file = order.AppendUint16(file, uint16(len(tags)))
	var tail []byte
	for _, tag := range tags {
		var kind uint16
		var count int
		var raw []byte
		switch v := tag.values.(type) {
		case []uint32:
			kind, count = 4, len(v)
			for _, n := range v {
				raw = order.AppendUint32(raw, n)
			}
		case []uint16:
			kind, count = 3, len(v)
			for _, n := range v {
				raw = order.AppendUint16(raw, n)
			}
		case []float64:
			kind, count = 12, len(v)
			for _, n := range v {
				raw = order.AppendUint64(raw, math.Float64bits(n))
			}
		case string:
			kind, count, raw = 2, len(v)+1, append([]byte(v), 0)
		}
		file = order.AppendUint16(file, tag.tag)
		file = order.AppendUint16(file, kind)
		file = order.AppendUint32(file, uint32(count))
		if len(raw) <= 4 {
			file = append(file, append(raw, make([]byte, 4-len(raw))...)...)
			continue
		}
		file = order.AppendUint32(file, uint32(at+len(tail)))
		tail = append(tail, raw...)
	}
	file = order.AppendUint32(file, 0)
	return append(file, tail...)
}

// simple returns the tags of an unpacked image in one strip at byte 8.
func simple(width, height uint32, bits, format uint16, bytes uint32, more ...madeTag) []madeTag {
	return append([]madeTag{
		{tiff.TagWidth, []uint32{width}}, {tiff.TagHeight, []uint32{height}}, {tiff.TagBits, []uint16{bits}},
		{tiff.TagSampleFormat, []uint16{format}}, {tiff.TagStripOffsets, []uint32{8}}, {tiff.TagStripBytes, []uint32{bytes}},
		{tiff.TagRowsPerStrip, []uint32{height}},
	}, more...)
}

// The floating-point predictor in big-endian files, which libtiff does not write rightly, and every kind of
// sample in both byte orders.
func TestTIFFKinds(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, c := range []struct {
			name         string
			bits, format uint16
			values       [4]float64
		}{
			{"uint8", 8, 1, [4]float64{0, 1, 128, 255}},
			{"int8", 8, 2, [4]float64{0, -1, -128, 127}},
			{"uint16", 16, 1, [4]float64{0, 256, 32768, 65535}},
			{"int16", 16, 2, [4]float64{0, -32768, -2, 32767}},
			{"uint32", 32, 1, [4]float64{0, 1, 1 << 24, 1 << 31}},
			{"int32", 32, 2, [4]float64{0, -1, 1 << 24, -1 << 31}},
			{"float32", 32, 3, [4]float64{0.5, -2.25, 8848.75, 1e-3}},
			{"float64", 64, 3, [4]float64{0.5, -2.25, 8848.75, 1e5}},
		} {
			for _, predictor := range []uint16{1, 2, 3} {
				if predictor == 3 && c.format != 3 {
					continue
				}
				t.Run(fmt.Sprintf("%v/%s/predictor %d", order, c.name, predictor), func(t *testing.T) {
					var data []byte
					for row := range 2 {
						data = append(data, predict(order, c.bits, c.format, predictor, c.values[2*row:2*row+2])...)
					}
					file := makeTIFF(order, data, simple(2, 2, c.bits, c.format, uint32(len(data)), madeTag{tiff.TagPredictor, []uint16{predictor}})...)
					h := read(t, Bytes("a.tif", file), Options{})
					for i, v := range h.Values {
						if v != float32(c.values[i]) {
							t.Errorf("sample %d is %v, want %v", i, v, c.values[i])
						}
					}
				})
			}
		}
	}
}

// predict encodes a row of samples with a predictor.
func predict(order binary.AppendByteOrder, bits, format, predictor uint16, values []float64) []byte {
	word := func(v float64) uint64 {
		switch {
		case format == 3 && bits == 64:
			return math.Float64bits(v)
		case format == 3:
			return uint64(math.Float32bits(float32(v)))
		}
		return uint64(int64(v))
	}
	n := int(bits / 8)
	var row []byte
	if predictor == 3 {
		for plane := n - 1; plane >= 0; plane-- {
			for _, v := range values {
				row = append(row, byte(word(v)>>(8*plane)))
			}
		}
		for i := len(row) - 1; i > 0; i-- {
			row[i] -= row[i-1]
		}
		return row
	}
	before := uint64(0)
	for _, v := range values {
		w := word(v)
		out := w
		if predictor == 2 {
			out -= before
		}
		before = w
		switch n {
		case 1:
			row = append(row, byte(out))
		case 2:
			row = order.AppendUint16(row, uint16(out))
		case 4:
			row = order.AppendUint32(row, uint32(out))
		case 8:
			row = order.AppendUint64(row, out)
		}
	}
	return row
}

func TestTIFFPlace(t *testing.T) {
	le := binary.LittleEndian
	image := []byte{1, 2, 3, 4}
	geo := func(model, units uint16) madeTag {
		return madeTag{tiff.TagGeoKeys, []uint16{1, 1, 0, 2, tiff.KeyModel, 0, 1, model, tiff.KeyLinearUnits, 0, 1, units}}
	}
	scale := madeTag{tiff.TagPixelScale, []float64{30, 40, 0}}
	tie := madeTag{tiff.TagTiepoint, []float64{0, 0, 0, 500000, 5e6, 0}}
	for _, c := range []struct {
		name  string
		tags  []madeTag
		x, z  float64
		first float32
	}{
		{"nothing said", nil, 0, 0, 1},
		{"projected", []madeTag{scale, tie, geo(1, 9001)}, 30, 40, 1},
		{"feet", []madeTag{scale, tie, geo(1, 9002)}, 30 * 0.3048, 40 * 0.3048, 1},
		{"south up", []madeTag{{tiff.TagPixelScale, []float64{30, -40, 0}}, tie, geo(1, 9001)}, 30, 40, 3},
		{"south up by its matrix", []madeTag{{tiff.TagTransformation, []float64{30, 0, 0, 5, 0, 40, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1}}}, 30, 40, 3},
		{"degrees", []madeTag{{tiff.TagPixelScale, []float64{1, 1, 0}}, {tiff.TagTiepoint, []float64{0, 0, 0, 10, 61, 0}}, geo(2, 0)}, metersPerDegree / 2, metersPerDegree, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := read(t, Bytes("a.tif", makeTIFF(le, image, simple(2, 2, 8, 1, 4, c.tags...)...)), Options{})
			if math.Abs(h.MetersX-c.x) > 1e-3 || math.Abs(h.MetersZ-c.z) > 1e-3 || h.At(0, 0) != c.first {
				t.Errorf("%v × %v m, first %v; want %v × %v, %v", h.MetersX, h.MetersZ, h.At(0, 0), c.x, c.z, c.first)
			}
		})
	}
}

// Case 30: what a TIFF claims is checked before it costs anything.
func TestTIFFRefused(t *testing.T) {
	le := binary.LittleEndian
	lists := func(n int) (offsets, counts []uint32) {
		return make([]uint32, n), make([]uint32, n)
	}
	var deflated bytes.Buffer
	z := zlib.NewWriter(&deflated)
	if _, err := z.Write(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	offsets, counts := lists(1)
	for _, c := range []struct {
		name string
		data []byte
		is   error
		says string
	}{
		{"1×1 in tiles of 2³⁰", makeTIFF(le, nil, madeTag{tiff.TagWidth, []uint32{1}}, madeTag{tiff.TagHeight, []uint32{1}}, madeTag{tiff.TagBits, []uint16{8}},
			madeTag{tiff.TagTileWidth, []uint32{1 << 30}}, madeTag{tiff.TagTileHeight, []uint32{1 << 30}}, madeTag{tiff.TagTileOffsets, offsets}, madeTag{tiff.TagTileBytes, counts}), ErrTooLarge, "1073741824×1073741824"},
		{"2×2 in tiles of 2¹⁵", makeTIFF(le, nil, madeTag{tiff.TagWidth, []uint32{2}}, madeTag{tiff.TagHeight, []uint32{2}}, madeTag{tiff.TagBits, []uint16{8}},
			madeTag{tiff.TagTileWidth, []uint32{1 << 15}}, madeTag{tiff.TagTileHeight, []uint32{1 << 15}}, madeTag{tiff.TagTileOffsets, []uint32{8}}, madeTag{tiff.TagTileBytes, []uint32{8}}), ErrTooLarge, "32768×32768"},
		{"10⁶×10⁶", makeTIFF(le, []byte{0}, simple(1e6, 1e6, 8, 1, 1)...), ErrTooLarge, "1000000×1000000"},
		{"all of 2³²", makeTIFF(le, []byte{0}, simple(1<<32-1, 1<<32-1, 8, 1, 1)...), ErrTooLarge, ""},
		{"strip past the end", makeTIFF(le, []byte{0}, simple(2, 2, 8, 1, 1e9)...), ErrCorrupt, "chunk 0"},
		{"strip too short", makeTIFF(le, []byte{0, 0, 0}, simple(2, 2, 8, 1, 3)...), ErrCorrupt, "3 of 4"},
		{"few bytes for much", makeTIFF(le, []byte{0}, simple(4096, 4096, 8, 1, 1)...), ErrCorrupt, "cannot hold"},
		{"no strips", makeTIFF(le, nil, madeTag{tiff.TagWidth, []uint32{2}}, madeTag{tiff.TagHeight, []uint32{2}}, madeTag{tiff.TagBits, []uint16{8}}), ErrCorrupt, "0 offsets"},
		{"no size", makeTIFF(le, nil, madeTag{tiff.TagBits, []uint16{8}}), ErrCorrupt, "0×0"},
		{"deflate too short", makeTIFF(le, deflated.Bytes(), simple(2, 2, 8, 1, uint32(deflated.Len()), madeTag{tiff.TagCompression, []uint16{8}})...), ErrCorrupt, "3 of 4"},
		{"deflate that is none", makeTIFF(le, []byte("abcdefgh"), simple(2, 2, 8, 1, 8, madeTag{tiff.TagCompression, []uint16{8}})...), ErrCorrupt, "chunk 0"},
		{"LZW that is none", makeTIFF(le, []byte{0xff, 0xff, 0xff, 0xff}, simple(2, 2, 8, 1, 4, madeTag{tiff.TagCompression, []uint16{5}})...), ErrCorrupt, "chunk 0"},
		{"JPEG", makeTIFF(le, []byte{1, 2, 3, 4}, simple(2, 2, 8, 1, 4, madeTag{tiff.TagCompression, []uint16{7}})...), ErrUnsupported, "JPEG"},
		{"zstd", makeTIFF(le, []byte{1, 2, 3, 4}, simple(2, 2, 8, 1, 4, madeTag{tiff.TagCompression, []uint16{50000}})...), ErrUnsupported, "zstd"},
		{"three bands", makeTIFF(le, []byte{1, 2, 3, 4}, simple(2, 2, 8, 1, 4, madeTag{tiff.TagSamples, []uint16{3}})...), ErrUnsupported, "3 bands"},
		{"64-bit integers", makeTIFF(le, make([]byte, 32), simple(2, 2, 64, 2, 32)...), ErrUnsupported, "64-bit signed"},
		{"predictor 9", makeTIFF(le, []byte{1, 2, 3, 4}, simple(2, 2, 8, 1, 4, madeTag{tiff.TagPredictor, []uint16{9}})...), ErrUnsupported, "predictor 9"},
		{"rotated", makeTIFF(le, []byte{1, 2, 3, 4}, simple(2, 2, 8, 1, 4, madeTag{tiff.TagTransformation, []float64{1, 1, 0, 0, -1, 1, 0, 0}})...), ErrUnsupported, "east"},
		{"nodata that is no number", makeTIFF(le, []byte{1, 2, 3, 4}, simple(2, 2, 8, 1, 4, madeTag{tiff.TagNoData, "none at all"})...), ErrCorrupt, "none at all"},
		{"BigTIFF", []byte("II\x2b\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"), ErrUnsupported, "BigTIFF"},
		{"header alone", []byte("II*\x00"), ErrCorrupt, "header"},
		{"directory past the end", []byte("II*\x00\xff\xff\xff\x7f"), ErrCorrupt, "directory"},
		{"directories in a circle", circle(), ErrCorrupt, "circle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			h, err := ReadHeightmap(Bytes("a.tif", c.data), Options{})
			if h != nil || !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("%v; want %v saying %q", err, c.is, c.says)
			}
			runtime.ReadMemStats(&after)
			if took, used := time.Since(start), after.TotalAlloc-before.TotalAlloc; took > 2*time.Second || used > 32<<20 {
				t.Errorf("refused after %v and %d bytes", took, used)
			}
		})
	}
}

// circle returns a TIFF whose directory names itself as the next.
func circle() []byte {
	data := makeTIFF(binary.LittleEndian, nil, madeTag{tiff.TagWidth, []uint32{1}})
	binary.LittleEndian.PutUint32(data[8+2+12:], 8)
	return data
}

// Every input cut short is an error, never a panic and never a part of a heightmap.
func TestCutShort(t *testing.T) {
	for _, name := range []string{
		"dem_landscape_200x125.tif", "dem_moon_33.tif", "dem_nodata_int16.dem", "dem_squared_129.tif", "southup_allnodata_720x360.tif",
		"cog_int16_2658x2667.tif", "hugo_site_nodata.asc", "srtmgl3_degrees.asc", "tidal_zSW3_nodata999.asc.gz",
		"n47e009_513_gray16.png", "heightmap_bowl_129_rgb8.png", "N47E009.hgt.gz", "tiff/u16_lzw_p2_lsb_tile.tif", "tiff/f32_zip_p3_lsb.tif",
	} {
		data, err := open(t, name).readAll()
		if err != nil {
			t.Fatal(err)
		}
		cuts := []int{0, 1, len(data) / 4, len(data) / 2, 3 * len(data) / 4}
		if !strings.HasSuffix(name, ".asc") { // a number may end early and still be one
			cuts = append(cuts, len(data)-1)
		}
		for _, n := range cuts {
			// The last bytes of some are not part of the image: then it must be the whole of it.
			h, err := ReadHeightmap(Bytes(filepath.Base(name), data[:n]), Options{})
			if err == nil && (n < len(data)-1 || len(h.Values) != h.Width*h.Height) {
				t.Errorf("%s cut to %d of %d bytes is read as %d×%d", name, n, len(data), h.Width, h.Height)
			}
		}
	}
}

func TestASCRefused(t *testing.T) {
	for _, c := range []struct {
		name, text, says string
		is               error
	}{
		{"no rows", "ncols 2\ncellsize 1\n1 2\n3 4\n", "nrows", ErrCorrupt},
		{"too few", "ncols 2\nnrows 3\ncellsize 1\n1.25 2\n3 4\n5", "5 samples of the 6", ErrCorrupt},
		{"too many", "ncols 2\nnrows 2\n1 2 3 4 5\n", "more than the 4", ErrCorrupt},
		{"a word", "ncols 2\nnrows 2\n1 2 three 4\n", "three", ErrCorrupt},
		{"half a column", "ncols 2.5\nnrows 2\n1 2 3 4 5\n", "2.5 columns", ErrCorrupt},
		{"negative", "ncols -2\nnrows 2\n1 2 3 4\n", "-2 columns", ErrCorrupt},
		{"huge", "ncols 1000000\nnrows 1000000\n1 2 3 4\n", "1000000×1000000", ErrTooLarge},
		{"large in a small file", "ncols 4000\nnrows 4000\n1 2 3 4\n", "only 8 bytes", ErrCorrupt},
		{"cells of nothing", "ncols 2\nnrows 2\ncellsize -1\n1 2 3 4\n", "cells", ErrCorrupt},
		{"beyond everything", "ncols 2\nnrows 2\ncellsize 10\nxllcorner 1e300\n1 2 3 4\n", "1e+300", ErrCorrupt},
		{"a corner that is none", "ncols 2\nnrows 2\ncellsize 10\nxllcorner inf\n1 2 3 4\n", "+Inf", ErrCorrupt},
		{"a size that is a word", "ncols two\nnrows 2\n1 2 3 4\n", "two", ErrCorrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ReadHeightmap(Bytes("a.asc", []byte(c.text)), Options{}); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; want %v saying %q", err, c.is, c.says)
			}
		})
	}
}
