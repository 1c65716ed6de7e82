package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/ingest/internal/fault"
)

// shorts decodes unsigned 16-bit samples.
func shorts(dst []float32, src []byte, o binary.ByteOrder) {
	for i := range dst {
		dst[i] = float32(o.Uint16(src[2*i:]))
	}
}

// A window holds what the whole image holds there, however the image is cut and packed.
func TestReadWindow(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "tiff", "u16_*.tif"))
	if err != nil || len(names) < 9 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Parse(name, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			m, err := f.Image()
			if err != nil || m.Bits != 16 || m.Format != Unsigned {
				t.Fatalf("%+v, %v", m, err)
			}
			whole, err := m.Read(Window{[2]int64{0, m.Width}, [2]int64{0, m.Height}}, 1<<20, shorts)
			if err != nil {
				t.Fatal(err)
			}
			w := Window{[2]int64{13, 41}, [2]int64{5, 36}}
			part, err := m.Read(w, 1<<20, shorts)
			if err != nil || len(part) != 28*31 {
				t.Fatalf("%d samples, %v", len(part), err)
			}
			for i, v := range part {
				x, z := 13+int64(i)%28, 5+int64(i)/28
				if want := whole[z*m.Width+x]; v != want {
					t.Fatalf("sample %d,%d is %v, want %v", x, z, v, want)
				}
			}
			if _, err := m.Read(w, 1, shorts); !errors.Is(err, fault.ErrTooMany) {
				t.Errorf("%v of a limit of one sample a chunk", err)
			}
		})
	}
}

func TestParseRefusesOthers(t *testing.T) {
	for _, data := range []string{"", "II", "PNG and so on"} {
		if f, err := Parse("a.tif", strings.NewReader(data), int64(len(data))); f != nil || !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
