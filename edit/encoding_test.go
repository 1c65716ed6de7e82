package edit

import (
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// TestGoldenEncoding holds the bytes of edits: those of version 1 are in the logs of the first worlds.
func TestGoldenEncoding(t *testing.T) {
	place := lattice.Place{Sample: lattice.Sample{X: -3, Y: 70, Z: 1 << 20}, Offset: geom.Vec3{X: 0.5, Z: 0.25}}
	const placeHex = "fdffffff" + "46000000" + "00001000" + "0000003f" + "00000000" + "0000803e"
	for _, c := range []struct {
		name string
		b    Brush
		want string
	}{
		{"dig", Brush{Op: Dig, Shape: Ball, Radius: 3}, "01010100" + "00004040" + "00000000" + placeHex},
		{"build", Brush{Op: Build, Shape: Ball, Radius: 3, Smooth: 1.5}, "01020100" + "00004040" + "0000c03f" + placeHex},
		{"box", Brush{Op: Build, Shape: Box, Radius: 0.5, Extent: geom.Vec3{X: 1, Y: 2, Z: 3}}, "02020200" + "0000003f" + "00000000" + placeHex + "0000803f" + "00000040" + "00004040"},
		{"stroke", Brush{Op: Dig, Shape: Stroke, Radius: 2, Smooth: 1.5, Extent: geom.Vec3{X: -1}}, "02010300" + "00000040" + "0000c03f" + placeHex + "000080bf" + "00000000" + "00000000"},
		{"paint", Brush{Op: Paint, Shape: Ball, Radius: 3, Material: 9}, "02030109" + "00004040" + "00000000" + placeHex + "000000000000000000000000"},
	} {
		got := Must(Edit{c.b, place}).AppendBinary(nil)
		if hex.EncodeToString(got) != c.want {
			t.Errorf("%s: %x, want %s", c.name, got, c.want)
		}
		if back, err := ParseWhole(got); err != nil || back != Must(Edit{c.b, place}) {
			t.Errorf("%s reads as %+v, %v", c.name, back, err)
		}
	}
}

// TestEncodings writes and reads random edits of every operation and shape.
func TestEncodings(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var all []byte
	var edits []Checked
	for range 500 {
		c := someEdit(r, 0, 1<<29, -1<<29)
		all, edits = c.AppendBinary(all), append(edits, c)
	}
	for i, want := range edits {
		got, rest, err := Parse(all)
		if err != nil || got != want {
			t.Fatalf("edit %d, %+v, reads as %+v, %v", i, want, got, err)
		}
		all = rest
	}
	if len(all) > 0 {
		t.Errorf("%d bytes are left", len(all))
	}
}

func TestParseRefuses(t *testing.T) {
	old := Must(ball(Dig, 3, 0)).AppendBinary(nil)
	e := ball(Paint, 3, 0)
	e.Material = 4
	paint := Must(e).AppendBinary(nil)
	set := func(data []byte, at int, b ...byte) []byte {
		data = append([]byte(nil), data...)
		copy(data[at:], b)
		return data
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, ErrCorrupt},
		{"version 0", set(old, 0, 0), ErrVersion},
		{"version 3", set(paint, 0, 3), ErrVersion},
		{"no operation", set(old, 1, 0), ErrInvalid},
		{"an operation of later", set(paint, 1, 200), ErrInvalid},
		{"a shape of later", set(old, 2, 200), ErrInvalid},
		{"a hole of a material", set(old, 3, 1), ErrInvalid},
		{"a hole in version 2", append(set(old, 0, 2), make([]byte, 12)...), ErrCorrupt},
		{"paint in version 1", set(paint, 0, 1), ErrCorrupt},
		{"paint that blends", set(paint, 8, 0, 0, 0x80, 0x3f), ErrInvalid},
		{"an extent of a ball", set(paint, 36, 0, 0, 0x80, 0x3f), ErrInvalid},
		{"a second zero", set(paint, 47, 0x80), ErrCorrupt},
		{"bytes behind", append(set(paint, 0), 0), ErrCorrupt},
	} {
		if got, err := ParseWhole(c.data); !errors.Is(err, c.want) || got != (Checked{}) {
			t.Errorf("%s: %+v, %v; want %v", c.name, got, err, c.want)
		}
	}
	for _, data := range [][]byte{old, paint} {
		for n := range data {
			if _, _, err := Parse(data[:n]); !errors.Is(err, ErrCorrupt) {
				t.Errorf("cut to %d bytes: %v", n, err)
			}
		}
		for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), 1e30, -1} {
			for at := 4; at < len(data); at += 4 {
				bits := math.Float32bits(v)
				if _, err := ParseWhole(set(data, at, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))); err == nil && at != 12 && at != 16 && at != 20 {
					t.Errorf("%v at byte %d of %x is accepted", v, at, data)
				}
			}
		}
	}
}
