package ingest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// pngHeader returns the beginning of a 16-bit gray PNG that claims a size.
func pngHeader(width, height uint32) []byte {
	ihdr := []byte("IHDR")
	ihdr = binary.BigEndian.AppendUint32(ihdr, width)
	ihdr = binary.BigEndian.AppendUint32(ihdr, height)
	ihdr = append(ihdr, 16, 0, 0, 0, 0)
	data := append([]byte(pngMagic), 0, 0, 0, 13)
	data = append(data, ihdr...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(ihdr))
}

// bomb returns a gzipped file of n zeros.
func bomb(t *testing.T, name string, n int) File {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	zeros := make([]byte, 1<<20)
	for ; n > 0; n -= len(zeros) {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return Bytes(name, b.Bytes())
}

// encode returns img as a PNG.
func encode(t testing.TB, img image.Image) File {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return Bytes("made.png", b.Bytes())
}

// Every color type that PNG has.
func TestPNGColors(t *testing.T) {
	r := image.Rect(0, 0, 2, 2)
	set := func(img interface {
		image.Image
		Set(x, y int, c color.Color)
	}, colors ...color.Color) image.Image {
		for i, c := range colors {
			img.Set(i%2, i/2, c)
		}
		return img
	}
	for _, c := range []struct {
		name  string
		img   image.Image
		kind  Kind
		want  [4]float32
		notes int
	}{
		{"gray 8", set(image.NewGray(r), color.Gray{0}, color.Gray{1}, color.Gray{254}, color.Gray{255}),
			Uint8, [4]float32{0, 1, 254, 255}, 0},
		{"gray 16", set(image.NewGray16(r), color.Gray16{0}, color.Gray16{1}, color.Gray16{256}, color.Gray16{65535}),
			Uint16, [4]float32{0, 1, 256, 65535}, 0},
		{"equal channels 8", set(image.NewRGBA(r), color.RGBA{7, 7, 7, 255}, color.RGBA{0, 0, 0, 255}, color.RGBA{255, 255, 255, 255}, color.RGBA{77, 77, 77, 255}),
			Uint8, [4]float32{7, 0, 255, 77}, 0},
		{"color 8", set(image.NewRGBA(r), color.RGBA{255, 0, 0, 255}, color.RGBA{0, 255, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{1, 2, 3, 255}),
			Uint8, [4]float32{76.245, 149.685, 29.07, 1.815}, 1},
		{"color 16", set(image.NewRGBA64(r), color.RGBA64{65535, 0, 0, 65535}, color.RGBA64{0, 1000, 0, 65535}, color.RGBA64{0, 0, 1000, 65535}, color.RGBA64{257, 257, 257, 65535}),
			Uint16, [4]float32{19594.965, 587, 114, 257}, 1},
		{"transparent", set(image.NewNRGBA(r), color.NRGBA{9, 9, 9, 0}, color.NRGBA{9, 9, 9, 1}, color.NRGBA{9, 9, 9, 128}, color.NRGBA{9, 9, 9, 255}),
			Uint8, [4]float32{nan, 9, 9, 9}, 0},
		{"transparent 16", set(image.NewNRGBA64(r), color.NRGBA64{9, 9, 9, 0}, color.NRGBA64{9, 9, 9, 1}, color.NRGBA64{500, 500, 500, 3000}, color.NRGBA64{65535, 65535, 65535, 65535}),
			Uint16, [4]float32{nan, 9, 500, 65535}, 0},
		{"palette", set(image.NewPaletted(r, color.Palette{color.Gray{10}, color.Gray{200}, color.NRGBA{0, 0, 0, 0}}),
			color.Gray{10}, color.Gray{200}, color.Transparent, color.Gray{10}),
			Uint8, [4]float32{10, 200, nan, 10}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := read(t, encode(t, c.img), Options{})
			for i, v := range h.Values {
				if v != c.want[i] && (v == v || c.want[i] == c.want[i]) {
					t.Errorf("pixel %d is %v, want %v", i, v, c.want[i])
				}
			}
			if h.Kind != c.kind || len(h.Notes) != c.notes || h.Meters || h.MetersX != 0 {
				t.Errorf("%v, %q, %v, %v", h.Kind, h.Notes, h.Meters, h.MetersX)
			}
		})
	}
}
