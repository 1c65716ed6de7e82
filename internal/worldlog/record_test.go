package worldlog

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

func testMeta() Meta {
	return Meta{
		World:     [16]byte{1, 2, 3},
		Name:      "Ålps",
		Created:   time.UnixMilli(1_700_000_000_123).UTC(),
		Document:  asset.Of([]byte("document")),
		Assets:    []asset.Hash{asset.Of([]byte("a")), asset.Of([]byte("b"))},
		Semantics: []graph.Semantics{{Kind: 1, Version: 1}, {Kind: 300, Version: 2}},
		Settings:  []byte("{}"),
	}
}

func testEntry() Entry {
	return Entry{
		ID:       EditID{Session: math.MaxUint64, Counter: 1 << 40},
		Author:   "Ada",
		Kind:     KindEdit,
		Payload:  []byte{1, 2, 3},
		Regions:  []lattice.Region{{X: -1, Z: math.MaxInt32}, {X: 5}},
		Contents: []asset.Hash{asset.Of([]byte("brick"))},
		Seq:      7,
		Time:     time.UnixMilli(1_700_000_000_456).UTC(),
		Prev:     Link{8, 7, 6, 5, 4, 3, 2, 1},
	}
}

func testSnapshot() Snapshot {
	return Snapshot{Seq: 9, Level: 3, Pieces: []SnapshotPiece{
		{Brick: lattice.Brick{X: -5, Y: 1, Z: 2, Level: 3}, Content: asset.Of([]byte("brick"))},
		{Brick: lattice.Brick{X: math.MinInt32, Level: 3}, Content: asset.Of([]byte("brick"))},
	}}
}

// TestForms pins the stored forms: a change needs a new version.
func TestForms(t *testing.T) {
	m, e, s := testMeta(), testEntry(), testSnapshot()
	for _, c := range []struct {
		name string
		data []byte
		size int
		hash string
	}{
		{"meta", m.AppendBinary(nil), 163, "357dad40a584d696"},
		{"record", AppendRecord(nil, &e), 114, "1dafed766fa51a98"},
		{"snapshot", s.AppendBinary(nil), 112, "e2d16ba0e4e4e8a3"},
	} {
		h := asset.Of(c.data)
		if len(c.data) != c.size || hex.EncodeToString(h[:8]) != c.hash {
			t.Errorf("%s: %d bytes, %x, want %d, %s", c.name, len(c.data), h[:8], c.size, c.hash)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	e := testEntry()
	record := AppendRecord([]byte("before"), &e)[6:]
	back, err := ParseRecord(record)
	if err != nil || !reflect.DeepEqual(back, e) {
		t.Errorf("%+v, %v, want %+v", back, err, e)
	}
	if size, ok := RecordSize(record[:60]); !ok || size != len(record) {
		t.Errorf("size %d, %v, want %d", size, ok, len(record))
	}
	m := testMeta()
	form := m.AppendBinary([]byte("before"))[6:]
	backMeta, err := ParseMeta(form)
	if err != nil || !reflect.DeepEqual(backMeta, m) {
		t.Errorf("%+v, %v, want %+v", backMeta, err, m)
	}
	s := testSnapshot()
	backSnapshot, err := ParseSnapshot(s.AppendBinary([]byte("before"))[6:])
	if err != nil || !reflect.DeepEqual(backSnapshot, s) {
		t.Errorf("%+v, %v, want %+v", backSnapshot, err, s)
	}
	for i := range record { // what was parsed has its own memory
		record[i] = 0
	}
	if !reflect.DeepEqual(back, e) {
		t.Error("the entry shares memory with its record")
	}
}

// parsers are all forms with a parser that answers only an error.
func parsers() map[string]struct {
	data  []byte
	parse func([]byte) error
} {
	m, e, s := testMeta(), testEntry(), testSnapshot()
	type form = struct {
		data  []byte
		parse func([]byte) error
	}
	return map[string]form{
		"meta":     {m.AppendBinary(nil), func(b []byte) error { _, err := ParseMeta(b); return err }},
		"record":   {AppendRecord(nil, &e), func(b []byte) error { _, err := ParseRecord(b); return err }},
		"snapshot": {s.AppendBinary(nil), func(b []byte) error { _, err := ParseSnapshot(b); return err }},
	}
}

// TestDamagedForms cuts each form everywhere, flips each bit and adds a byte.
func TestDamagedForms(t *testing.T) {
	for name, f := range parsers() {
		for n := range f.data {
			if err := f.parse(f.data[:n]); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s cut at %d: %v", name, n, err)
			}
		}
		for i := range f.data {
			for bit := range 8 {
				bad := bytes.Clone(f.data)
				bad[i] ^= 1 << bit
				if err := f.parse(bad); !errors.Is(err, ErrCorrupt) {
					t.Errorf("%s with byte %d changed: %v", name, i, err)
				}
			}
		}
		if err := f.parse(append(bytes.Clone(f.data), 0)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s with a byte more: %v", name, err)
		}
	}
}

// TestNewerForms gives each form another version and the checksum that goes with it.
func TestNewerForms(t *testing.T) {
	for name, f := range parsers() {
		if err := f.parse(reseal(f.data, func(b []byte) { b[4] = 2 })); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "version 2") {
			t.Errorf("%s: %v, want ErrVersion", name, err)
		}
	}
}

// TestForgedForms changes each form with the right checksum, as damage cannot and a stranger can.
func TestForgedForms(t *testing.T) {
	p := parsers()
	for _, c := range []struct {
		name, form string
		change     func([]byte)
	}{
		{"kind", "record", func(b []byte) { b[5] = 9 }},
		{"author's length", "record", func(b []byte) { b[6] = 60 }},
		{"no region", "record", func(b []byte) { b[7] = 0 }},
		{"many regions", "record", func(b []byte) { b[7] = 255 }},
		{"payload's length", "record", func(b []byte) { b[51] = 255 }},
		{"contents", "record", func(b []byte) { b[53] = 255 }},
		{"counter 0", "record", func(b []byte) { clear(b[40:48]) }},
		{"author not UTF-8", "record", func(b []byte) { b[56] = 0xff }},
		{"region twice", "record", func(b []byte) { copy(b[67:75], b[59:67]) }},
		{"reserved", "record", func(b []byte) { b[54] = 1 }},
		{"assets", "meta", func(b []byte) { b[67] = 255 }},
		{"name's length", "meta", func(b []byte) { b[72] = 255 }},
		{"semantics fall", "meta", func(b []byte) { b[80+64] = 255; b[80+65] = 255 }},
		{"no world", "meta", func(b []byte) { clear(b[8:24]) }},
		{"reserved", "meta", func(b []byte) { b[5] = 1 }},
		{"pieces", "snapshot", func(b []byte) { b[16], b[19] = 0, 1 }},
		{"level", "snapshot", func(b []byte) { b[5] = 99 }},
		{"brick twice", "snapshot", func(b []byte) { copy(b[64:76], b[20:32]) }},
		{"reserved", "snapshot", func(b []byte) { b[6] = 1 }},
	} {
		if err := p[c.form].parse(reseal(p[c.form].data, c.change)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s of a %s: %v, want ErrCorrupt", c.name, c.form, err)
		}
	}
}

// reseal changes a form and gives it the right checksum.
func reseal(data []byte, change func([]byte)) []byte {
	b := bytes.Clone(data)
	change(b)
	return appendChecksum(b[:len(b)-crcSize], 0)
}

func FuzzParse(f *testing.F) {
	for _, p := range parsers() {
		f.Add(p.data)
		f.Add(p.data[:len(p.data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, b := range [][]byte{data, appendChecksum(bytes.Clone(data), 0)} {
			if e, err := ParseRecord(b); err == nil && !bytes.Equal(AppendRecord(nil, &e), b) {
				t.Errorf("record %x is not the form of %+v", b, e)
			}
			if m, err := ParseMeta(b); err == nil && !bytes.Equal(m.AppendBinary(nil), b) {
				t.Errorf("meta %x is not the form of %+v", b, m)
			}
			if s, err := ParseSnapshot(b); err == nil && !bytes.Equal(s.AppendBinary(nil), b) {
				t.Errorf("snapshot %x is not the form of %+v", b, s)
			}
		}
	})
}

// TestIndexRefuses adds records that are not the next of the chain.
func TestIndexRefuses(t *testing.T) {
	m := testMeta()
	x := NewIndex(&m)
	add := func(change func(*Entry)) error {
		e := testEntry()
		e.Seq, e.Prev = x.Head()+1, x.Link()
		change(&e)
		return x.Add(&e, AppendRecord(nil, &e))
	}
	if err := add(func(*Entry) {}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Entry){
		"again":     func(e *Entry) { e.Seq-- },
		"gap":       func(e *Entry) { e.Seq++ },
		"other log": func(e *Entry) { e.Prev[0]++ },
	} {
		if err := add(change); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x.Head() != 1 {
		t.Errorf("head %d", x.Head())
	}
}

func BenchmarkBatch(b *testing.B) {
	m := testMeta()
	x := NewIndex(&m)
	batch := x.NewBatch()
	entries := []Entry{testEntry()}
	entries[0].Contents = nil
	var out []Appended
	b.ReportAllocs()
	for n := uint64(1); b.Loop(); n++ {
		entries[0].ID = EditID{Session: n % 128, Counter: n}
		var err error
		if out, err = batch.Append(out[:0], entries, time.Time{}, nil); err != nil {
			b.Fatal(err)
		}
		if n%128 == 0 {
			batch.Commit()
		}
	}
}
