package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
	"github.com/terrane/terrane/lattice"
)

// An image is a world's files.
type image map[string][]byte

// diskOf returns a disk with the files.
func diskOf(t testing.TB, files image) (*disk, system) {
	d, y := newDisk(t, 1)
	for name, data := range files {
		n := &inode{seen: slices.Clone(data), synced: slices.Clone(data)}
		d.names[name], d.kept[name] = n, n
	}
	return d, y
}

// files returns what a disk holds.
func (d *disk) image() image {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := make(image)
	for name, n := range d.names {
		files[name] = slices.Clone(n.seen)
	}
	return files
}

// with returns the image with one file replaced, or without it for nil.
func (f image) with(name string, data []byte) image {
	c := maps.Clone(f)
	if data == nil {
		delete(c, name)
	} else {
		c[name] = data
	}
	return c
}

// smallWorld makes a world of n entries and returns its files, as a crash would leave them and closed, and its
// entries.
func smallWorld(t testing.TB, n int) (crashed, closed image, want []worldlog.Entry) {
	d, y := newDisk(t, 7)
	y.checkpointEvery = 20 << 10
	s, err := y.create(worldPath, worldlogtest.Meta(testDocument), [][]byte{testDocument})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		e := worldlogtest.Entry(uint64(i%3+1), uint64(i/3+1), lattice.Region{X: int32(i % 4)})
		if i%10 == 7 {
			e.Payload = bytes.Repeat([]byte{byte(i)}, 1000*i%6000)
		}
		if _, err := s.Append(t.Context(), []worldlog.Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
	h, err := s.PutContent(t.Context(), bytes.Repeat([]byte("brick"), 500))
	if err != nil {
		t.Fatal(err)
	}
	snap := worldlog.Snapshot{Seq: s.Head(), Pieces: []worldlog.SnapshotPiece{{Content: h}}}
	if err := s.PutSnapshot(t.Context(), snap); err != nil {
		t.Fatal(err)
	}
	if want, err = worldlogtest.Check(s); err != nil {
		t.Fatal(err)
	}
	crashed = d.image()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return crashed, d.image(), want
}

// openDamaged opens damaged files. Either the world is whole, or the error is one of those that Open may give and
// the salvage holds every entry as it was, but for those that it names; it returns how many those are.
func openDamaged(t testing.TB, files image, want []worldlog.Entry) (lost int, err error) {
	_, y := diskOf(t, files)
	s, err := y.open(worldPath, Options{})
	if err == nil {
		defer s.Close()
		return 0, sameEntries(s, want)
	}
	for _, may := range []error{
		worldlog.ErrCorrupt, worldlog.ErrLost, worldlog.ErrNotWorld, worldlog.ErrVersion, fs.ErrNotExist, nil,
	} {
		if may == nil {
			return 0, fmt.Errorf("an error of no kind: %w", err)
		}
		if errors.Is(err, may) {
			break
		}
	}
	_, y = diskOf(t, files)
	g, sErr := y.openSalvage(worldPath)
	if sErr != nil {
		if errors.Is(sErr, worldlog.ErrNotWorld) || errors.Is(sErr, worldlog.ErrCorrupt) || errors.Is(sErr, fs.ErrNotExist) {
			return len(want), nil
		}
		return 0, fmt.Errorf("open: %w; salvage: %w", err, sErr)
	}
	defer g.close()
	return checkSalvage(g, want)
}

// sameEntries says how a store's log differs from what it must hold.
func sameEntries(s worldlog.Store, want []worldlog.Entry) error {
	got, err := worldlogtest.Check(s)
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("served with %d entries of %d", len(got), len(want))
	}
	for i := range got {
		if !sameRecord(got[i], want[i]) {
			return fmt.Errorf("served with another entry %d", i+1)
		}
	}
	return nil
}

func sameRecord(a, b worldlog.Entry) bool {
	return bytes.Equal(worldlog.AppendRecord(nil, &a), worldlog.AppendRecord(nil, &b))
}

// checkSalvage checks that a salvage holds each entry as it was or names it, and returns how many it names.
func checkSalvage(g *salvage, want []worldlog.Entry) (lost int, err error) {
	there := make([]bool, len(want))
	for e, err := range g.entries() {
		if err != nil {
			return 0, err
		}
		if int(e.Seq) > len(want) || !sameRecord(e, want[e.Seq-1]) {
			return 0, fmt.Errorf("salvage has another entry %d", e.Seq)
		}
		there[e.Seq-1] = true
	}
	for _, d := range g.damages {
		for q := d.From; q <= d.To; q++ {
			if int(q) > len(want) || there[q-1] && q != 1 {
				return 0, fmt.Errorf("salvage has entry %d and names it as damaged", q)
			}
			if !there[q-1] {
				lost++
			}
			there[q-1] = true
		}
	}
	if i := slices.Index(there, false); i >= 0 && g.hasHead {
		return 0, fmt.Errorf("salvage neither has entry %d nor names it", i+1)
	}
	return lost, nil
}

// positions returns the positions in n bytes at which to damage a file: all when soaking, else all of the header
// and around the borders of pages and some between.
func positions(n int) []int {
	var at []int
	each := rounds(1009, 211, 1)
	for i := range n {
		if i%each == 0 || !testing.Short() && (i < 120 || i%pageSize < 3 || i%pageSize > pageSize-3) {
			at = append(at, i)
		}
	}
	return at
}

// eachFile runs a subtest for each file of a world that crashed and of the same world once it was closed.
func eachFile(t *testing.T, crashed, closed image, run func(t *testing.T, files image, file string)) {
	for _, c := range []struct {
		name  string
		files image
	}{{"crashed", crashed}, {"closed", closed}} {
		for _, file := range slices.Sorted(maps.Keys(c.files)) {
			t.Run(c.name+strings.TrimPrefix(file, worldPath), func(t *testing.T) { run(t, c.files, file) })
		}
	}
}

// TestCutFile cuts each file of a world at every byte.
func TestCutFile(t *testing.T) {
	crashed, closed, want := smallWorld(t, 24)
	eachFile(t, crashed, closed, func(t *testing.T, files image, file string) {
		for _, n := range positions(len(files[file])) {
			if _, err := openDamaged(t, files.with(file, files[file][:n]), want); err != nil {
				t.Fatalf("cut at byte %d of %d: %v", n, len(files[file]), err)
			}
		}
		if _, err := openDamaged(t, files.with(file, nil), want); err != nil {
			t.Fatalf("without: %v", err)
		}
	})
}

// TestFlippedBit flips a bit in every byte of each file. Only the entries that hold it may be lost.
func TestFlippedBit(t *testing.T) {
	crashed, closed, want := smallWorld(t, 24)
	rng := rand.New(rand.NewPCG(seedOf(t), 0))
	eachFile(t, crashed, closed, func(t *testing.T, files image, file string) {
		for _, n := range positions(len(files[file])) {
			data := slices.Clone(files[file])
			data[n] ^= 1 << rng.IntN(8)
			lost, err := openDamaged(t, files.with(file, data), want)
			if err != nil {
				t.Fatalf("byte %d: %v", n, err)
			}
			// The entry that holds it, and two large ones if SQLite cannot lead to them any more.
			if most := 3; lost > most {
				t.Fatalf("byte %d: %d entries lost by one bit", n, lost)
			}
		}
	})
}
