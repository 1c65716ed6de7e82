package sqlite

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
	"github.com/terrane/terrane/lattice"
)

var update = flag.Bool("update", false, "write the golden world of the current version anew")

// TestGoldenWorlds opens the committed world of every format version there has been. Each was written by the
// version in its name and is never written again.
func TestGoldenWorlds(t *testing.T) {
	for version := 1; version <= formatVersion; version++ {
		name := filepath.Join("testdata", fmt.Sprintf("v%d.terrane", version))
		if *update && version == formatVersion {
			writeGolden(t, name)
		}
		path := filepath.Join(t.TempDir(), "world.terrane")
		for _, suffix := range []string{"", "-head"} {
			data, err := os.ReadFile(name + suffix)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path+suffix, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := worldlogtest.Check(s)
		if err != nil || len(all) != 3 {
			t.Fatalf("%d entries, %v", len(all), err)
		}
		if link := fmt.Sprintf("%x", s.index.Link()); link != goldenLinks[version] {
			t.Errorf("version %d: the log ends in %s, want %s", version, link, goldenLinks[version])
		}
		if snap, err := s.LatestSnapshot(t.Context(), 0); err != nil || snap.Seq != 2 || len(snap.Pieces) != 1 {
			t.Errorf("version %d: snapshot %+v, %v", version, snap, err)
		}
		appendMore(t, s, 1)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// goldenLinks are the ends of the chains of the golden worlds, by version.
var goldenLinks = map[int]string{1: "f66dc57789ee103b"}

func writeGolden(t *testing.T, name string) {
	for _, suffix := range []string{"", "-head"} {
		if err := os.Remove(name + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	m := worldlogtest.Meta(testDocument, []byte("asset"))
	m.World = [16]byte{'g', 'o', 'l', 'd', 'e', 'n'}
	y := osSystem
	y.now = func() time.Time { return time.UnixMilli(1_700_000_000_000) }
	s, err := y.create(name, m, [][]byte{testDocument, []byte("asset")})
	if err != nil {
		t.Fatal(err)
	}
	appendMore(t, s, 2)
	h, err := s.PutContent(t.Context(), []byte("brick"))
	if err != nil {
		t.Fatal(err)
	}
	snap := worldlog.Snapshot{Seq: 2, Pieces: []worldlog.SnapshotPiece{{Brick: lattice.Brick{X: 1, Y: -2, Z: 3}, Content: h}}}
	if err := s.PutSnapshot(t.Context(), snap); err != nil {
		t.Fatal(err)
	}
	e := worldlogtest.Entry(7, 1, lattice.Region{X: -4, Z: 9}, lattice.Region{X: -3, Z: 9})
	e.Contents = []asset.Hash{h}
	if _, err := s.Append(t.Context(), []worldlog.Entry{e}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
