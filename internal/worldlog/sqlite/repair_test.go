package sqlite

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
)

// damageEntry flips a bit in the payload of an entry in a closed world's file, wherever it lies.
func damageEntry(t *testing.T, path string, q worldlog.Seq) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := carving{records: make(map[worldlog.Seq][]place)}
	c.window(data, len(data), 0, 0)
	if len(c.records[q]) == 0 {
		t.Fatalf("no entry %d", q)
	}
	p := c.records[q][0]
	data[p.offset+int64(p.size)-10] ^= 4
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestSalvage damages two entries, 17 and 18, and one more: they are named, the others are read.
func TestSalvage(t *testing.T) {
	path := makeWorld(t, 40)
	for _, q := range []worldlog.Seq{17, 18, 31} {
		damageEntry(t, path, q)
	}
	_, err := Open(path, Options{})
	wantError(t, err, worldlog.ErrCorrupt, path, "entry 17", "entry 18", "entry 31", "checksum")
	_, err = Open(path, Options{ReadOnly: true})
	wantError(t, err, worldlog.ErrCorrupt, "entry 17")

	before := imageOf(t, filepath.Dir(path))
	g, err := osSystem.openSalvage(path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	var got, want []worldlog.Seq
	for e, err := range g.entries() {
		if err != nil {
			t.Fatal(err)
		}
		if err := sameAs(e, worldlogtest.Entry(1, uint64(e.Seq))); err != nil {
			t.Error(err)
		}
		got = append(got, e.Seq)
	}
	for q := worldlog.Seq(1); q <= 40; q++ {
		if q != 17 && q != 18 && q != 31 {
			want = append(want, q)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
	var runs [][2]worldlog.Seq
	for _, d := range g.damages {
		runs = append(runs, [2]worldlog.Seq{d.From, d.To})
	}
	if !slices.Equal(runs, [][2]worldlog.Seq{{17, 18}, {31, 31}}) {
		t.Errorf("damages %v", g.damages)
	}
	if c, err := g.content(g.meta.Document); err != nil || string(c) != string(testDocument) {
		t.Errorf("document: %q, %v", c, err)
	}
	if after := imageOf(t, filepath.Dir(path)); !sameImage(before, after) {
		t.Error("files changed")
	}
}

func sameImage(a, b image) bool {
	return maps.EqualFunc(a, b, func(a, b []byte) bool { return string(a) == string(b) })
}

// sameAs says how an entry differs from one that was appended.
func sameAs(e, appended worldlog.Entry) error {
	if e.ID != appended.ID || string(e.Payload) != string(appended.Payload) {
		return errors.New("entry is not what was appended")
	}
	return nil
}

// TestRepair mends a world with damaged entries and goes on writing: case 22 of the faults met elsewhere, where a
// damaged file is set aside and named.
func TestRepair(t *testing.T) {
	path := makeWorld(t, 40)
	damageEntry(t, path, 17)
	damageEntry(t, path, 31)
	damaged := imageOf(t, filepath.Dir(path))
	r, err := Repair(path)
	if err != nil {
		t.Fatal(err)
	}
	if r.Aside != path+".damaged" || r.Entries != 38 || len(r.Lost) != 2 || r.Lost[0].From != 17 || r.Lost[1].From != 31 {
		t.Errorf("%+v", r)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := uint64(39); n <= 42; n++ { // up to 40 they are duplicates
		if _, err := s.Append(t.Context(), []worldlog.Entry{worldlogtest.Entry(1, n)}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := worldlogtest.Check(s)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Concat(count(1, 16), count(18, 30), count(32, 42))
	var got []uint64
	for _, e := range all {
		got = append(got, e.ID.Counter)
	}
	if !slices.Equal(got, want) {
		t.Errorf("holds %v, want %v", got, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	g, err := osSystem.openSalvage(r.Aside)
	if err != nil {
		t.Fatal(err)
	}
	if _, last := g.found[40]; !last || g.meta.World == s.Meta().World {
		t.Errorf("aside: entry 40 found: %v, world %x; new: %x", last, g.meta.World, s.Meta().World)
	}
	g.close()
	for name, data := range damaged {
		aside := imageOf(t, filepath.Dir(path))[filepath.Base(path)+".damaged"+name[len(filepath.Base(path)):]]
		if string(aside) != string(data) {
			t.Errorf("%s is not aside as it was", name)
		}
	}
}

// TestRepairAgain repairs a world twice: what is set aside gets a name of its own. The second time nothing but the
// head file is lost.
func TestRepairAgain(t *testing.T) {
	path := makeWorld(t, 10)
	damageEntry(t, path, 4)
	if r, err := Repair(path); err != nil || r.Aside != path+".damaged" || r.Entries != 9 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := os.Remove(headPath(path)); err != nil {
		t.Fatal(err)
	}
	if r, err := Repair(path); err != nil || r.Aside != path+".damaged-2" || r.Entries != 9 || len(r.Lost) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	s, err := Open(path, Options{})
	if err != nil || s.Head() != 9 {
		t.Fatal(err)
	}
	s.Close()
}

func count(from, to uint64) []uint64 {
	var n []uint64
	for ; from <= to; from++ {
		n = append(n, from)
	}
	return n
}

// TestRepairRefuses looks at worlds that cannot be repaired: they stay as they are.
func TestRepairRefuses(t *testing.T) {
	path := makeWorld(t, 3)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(data, testDocument[0])
	for ; string(data[at:at+len(testDocument)]) != string(testDocument); at++ {
	}
	data[at] ^= 1
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	before := imageOf(t, filepath.Dir(path))
	_, err = Repair(path)
	wantError(t, err, worldlog.ErrCorrupt, "what the world was made from is lost")
	if !sameImage(before, imageOf(t, filepath.Dir(path))) {
		t.Error("files changed")
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.Content(t.Context(), s.Meta().Document)
	wantError(t, err, worldlog.ErrCorrupt)
	_, err = Repair(path)
	wantError(t, err, worldlog.ErrInUse)
}

// TestRepairPowerCut cuts the power at every moment of a repair. Then the world is refused, as before it, or whole,
// as after it; repaired again it is whole.
func TestRepairPowerCut(t *testing.T) {
	crashed, _, want := smallWorld(t, 24)
	wal := worldPath + "-wal"
	crashed[wal] = slices.Clone(crashed[wal])
	crashed[wal][len(crashed[wal])/2] ^= 1
	for at := 1; ; at++ {
		d, y := diskOf(t, crashed)
		d.arm(at, nil)
		r, err := y.repair(worldPath)
		if d.operations < at {
			if err != nil || r.Entries < len(want)-2 || at < 20 {
				t.Fatalf("%+v, %v after %d operations", r, err, at)
			}
			return
		}
		_, y = d.powerCut(t)
		s, err := y.open(worldPath, Options{})
		switch {
		case err == nil:
		case errors.Is(err, worldlog.ErrLost), errors.Is(err, worldlog.ErrCorrupt):
			if _, err := y.repair(worldPath); err != nil {
				if _, gone := y.files.Size(worldPath); gone == nil {
					t.Fatalf("cut before operation %d: repair: %v", at, err)
				}
				continue // between two renames: both worlds are there, under other names
			}
			if s, err = y.open(worldPath, Options{}); err != nil {
				t.Fatalf("cut before operation %d: repaired: %v", at, err)
			}
		default:
			t.Fatalf("cut before operation %d: %v", at, err)
		}
		if int(s.Head()) < len(want)-2 {
			t.Fatalf("cut before operation %d: %d entries of %d", at, s.Head(), len(want))
		}
		s.Close()
	}
}
