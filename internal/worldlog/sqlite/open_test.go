package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
)

// makeWorld makes a closed world of n entries in a file and returns its name.
func makeWorld(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world.terrane")
	s, err := Create(path, worldlogtest.Meta(testDocument), testDocument)
	if err != nil {
		t.Fatal(err)
	}
	appendMore(t, s, n)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// appendMore appends n entries after those that are there, all of one session.
func appendMore(t *testing.T, s *Store, n int) {
	t.Helper()
	for range n {
		e := worldlogtest.Entry(1, uint64(s.Head())+1)
		if _, err := s.Append(t.Context(), []worldlog.Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
}

// wantError checks an error's kind and what it says.
func wantError(t *testing.T, err, kind error, says ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%v; want one that is %v", err, kind)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
}

// noWorlds are files that are no world, with what Open says of them.
func noWorlds(t *testing.T) []noWorld {
	otherDB := func(path string, pragmas ...string) {
		conn, err := sqlite3.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := execAll(conn, append(pragmas, `CREATE TABLE a(b)`)...); err != nil {
			t.Fatal(err)
		}
	}
	file := func(data string) func(string) {
		return func(path string) {
			if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return []noWorld{
		{"nothing", func(string) {}, fs.ErrNotExist, ""},
		{"empty", file(""), worldlog.ErrNotWorld, "empty"},
		{"PNG", file("\x89PNG\r\n\x1a\n" + strings.Repeat("x", 900)), worldlog.ErrNotWorld, "a PNG image"},
		{"text", file("field: hills\n"), worldlog.ErrNotWorld, "text"},
		{"zeros", file(strings.Repeat("\x00", 9000)), worldlog.ErrNotWorld, "all zeros"},
		{"bytes", file("\x01\x02\xff\x00abc"), worldlog.ErrNotWorld, "01 02 ff"},
		{"another program's database", func(p string) { otherDB(p) }, worldlog.ErrNotWorld, "another program"},
		{"newer version", func(p string) {
			otherDB(p, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID), `PRAGMA user_version = 7`)
		}, worldlog.ErrVersion, "format 7; this program reads up to 1"},
		{"folder", func(p string) {
			if err := os.Mkdir(p, 0o777); err != nil {
				t.Fatal(err)
			}
		}, files.ErrNotFile, ""},
	}
}

type noWorld struct {
	name string
	make func(path string)
	kind error
	says string
}

func TestOpenWhatIsNoWorld(t *testing.T) {
	for _, c := range noWorlds(t) {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "world.terrane")
			c.make(path)
			before := imageOf(t, filepath.Dir(path))
			for _, o := range []Options{{}, {ReadOnly: true}} {
				_, err := Open(path, o)
				wantError(t, err, c.kind, c.says, path)
			}
			_, err := osSystem.openSalvage(path)
			if err == nil {
				t.Error("salvaged")
			}
			if c.name != "nothing" {
				_, err = Create(path, worldlogtest.Meta(testDocument), testDocument)
				wantError(t, err, firstError(map[bool]error{true: files.ErrNotFile}[c.kind == files.ErrNotFile], fs.ErrExist), path)
			}
			if after := imageOf(t, filepath.Dir(path)); !maps.EqualFunc(before, after, bytes.Equal) {
				t.Errorf("files changed: %v, were %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
			}
		})
	}
}

// imageOf returns the files of a folder.
func imageOf(t *testing.T, dir string) image {
	t.Helper()
	files := make(image)
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Type().IsRegular() {
			if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

func TestCreateRefuses(t *testing.T) {
	m := worldlogtest.Meta(testDocument)
	t.Run("contents", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "world.terrane")
		_, err := Create(path, m)
		wantError(t, err, worldlog.ErrNotFound, "document")
		_, err = Create(path, worldlogtest.Meta(testDocument, []byte("asset")), testDocument)
		wantError(t, err, worldlog.ErrNotFound, "asset")
		_, err = Create(path, worldlog.Meta{Document: m.Document}, testDocument)
		wantError(t, err, worldlog.ErrInvalid)
		if files := imageOf(t, filepath.Dir(path)); len(files) != 0 {
			t.Errorf("left %v", slices.Sorted(maps.Keys(files)))
		}
	})
	t.Run("world", func(t *testing.T) {
		path := makeWorld(t, 3)
		before := imageOf(t, filepath.Dir(path))
		_, err := Create(path, m, testDocument)
		wantError(t, err, fs.ErrExist, path)
		if !maps.EqualFunc(before, imageOf(t, filepath.Dir(path)), bytes.Equal) {
			t.Error("files changed")
		}
	})
	t.Run("a log left behind", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "world.terrane")
		if err := os.WriteFile(path+"-wal", []byte("?"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Create(path, m, testDocument)
		wantError(t, err, fs.ErrExist, "-wal")
		if files := imageOf(t, filepath.Dir(path)); len(files) != 1 {
			t.Errorf("made %v", slices.Sorted(maps.Keys(files)))
		}
	})
	t.Run("folders", func(t *testing.T) {
		dir := t.TempDir()
		_, err := Create(filepath.Join(dir, "none", "world.terrane"), m, testDocument)
		wantError(t, err, fs.ErrNotExist, "folder")
		file := filepath.Join(dir, "file")
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Create(filepath.Join(file, "world.terrane"), m, testDocument); err == nil || !strings.Contains(err.Error(), "folder") {
			t.Errorf("in a file: %v", err)
		}
		if _, err := Create("/proc/world.terrane", m, testDocument); err == nil || !strings.Contains(err.Error(), "writable") {
			t.Errorf("in a folder that cannot be written: %v", err)
		}
	})
}

// TestOddNames makes worlds whose names mean something else in an address, with and without a folder.
func TestOddNames(t *testing.T) {
	m := worldlogtest.Meta(testDocument)
	for _, name := range []string{"a b", "50%41", "what?", "#1", "ü", "file:x", "a&b=c"} {
		path := filepath.Join(t.TempDir(), name)
		s, err := Create(path, m, testDocument)
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		s.Close()
		if files := imageOf(t, filepath.Dir(path)); len(files) != 2 || files[name] == nil {
			t.Errorf("%q: made %v", name, slices.Sorted(maps.Keys(files)))
		}
		t.Chdir(t.TempDir())
		if s, err = Create(name, m, testDocument); err != nil {
			t.Fatalf("%q, relative: %v", name, err)
		}
		s.Close()
		if files := imageOf(t, "."); len(files) != 2 || files[name] == nil {
			t.Errorf("%q, relative: made %v", name, slices.Sorted(maps.Keys(files)))
		}
	}
}

// TestWorldGone opens where only the head file is left.
func TestWorldGone(t *testing.T) {
	path := makeWorld(t, 5)
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path, Options{})
	wantError(t, err, worldlog.ErrLost, "gone", "5 entries")
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v reads as if there had never been a world", err)
	}
	_, err = Create(path, worldlogtest.Meta(testDocument), testDocument)
	wantError(t, err, worldlog.ErrLost, "5 entries", "-head")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Open(path, Options{})
	wantError(t, err, worldlog.ErrCorrupt, "empty", "5 entries")
}

// TestCut cuts a world's file, and puts a stray journal beside one.
func TestCut(t *testing.T) {
	path := makeWorld(t, 200)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		size int
		kind error
		says string
	}{
		{len(data) - pageSize/2, worldlog.ErrCorrupt, fmt.Sprintf("it has %d bytes of %d", len(data)-pageSize/2, len(data))},
		{len(data) / 2, worldlog.ErrCorrupt, fmt.Sprintf("it has %d bytes of %d", len(data)/2, len(data))},
		{pageSize, worldlog.ErrCorrupt, fmt.Sprintf("it has %d bytes of %d", pageSize, len(data))},
		{99, worldlog.ErrCorrupt, "ends after 99 bytes"},
		{8, worldlog.ErrCorrupt, "200 entries"},
		{0, worldlog.ErrCorrupt, "the file is empty"},
	} {
		if err := os.WriteFile(path, data[:c.size], 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path, Options{})
		wantError(t, err, c.kind, path, c.says)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"-journal", []byte("?"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Open(path, Options{})
	wantError(t, err, worldlog.ErrCorrupt, "-journal")
}

// TestOlderCopy puts an older copy of one file or of both back.
func TestOlderCopy(t *testing.T) {
	path := makeWorld(t, 5)
	dir := filepath.Dir(path)
	older := imageOf(t, dir)
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	appendMore(t, s, 4)
	s.Close()
	newer := imageOf(t, dir)
	put := func(files image, name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	world, head := filepath.Base(path), filepath.Base(path)+"-head"

	put(older, world)
	_, err = Open(path, Options{})
	wantError(t, err, worldlog.ErrLost, "entries 6 to 9")
	var damage *DamageError
	if !errors.As(err, &damage) || len(damage.Damages) != 1 || damage.Damages[0].From != 6 || damage.Damages[0].To != 9 {
		t.Errorf("%+v", damage)
	}

	put(newer, world) // the head file behind: what a crash leaves
	put(older, head)
	if s, err = Open(path, Options{}); err != nil || s.Head() != 9 {
		t.Fatalf("head behind: %v", err)
	}
	s.Close()

	put(older, world)
	put(older, head)
	if s, err = Open(path, Options{}); err != nil || s.Head() != 5 {
		t.Fatalf("both older: %v", err)
	}
	appendMore(t, s, 6) // another history
	s.Close()
	put(newer, head)
	_, err = Open(path, Options{})
	wantError(t, err, worldlog.ErrLost, "another entry")
}

// TestHeadFileGone opens a world without its head file, and with that of another.
func TestHeadFileGone(t *testing.T) {
	path := makeWorld(t, 5)
	if err := os.Remove(headPath(path)); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path, Options{})
	wantError(t, err, worldlog.ErrLost, "head file", headPath(path))

	other := makeWorld(t, 2)
	data, err := os.ReadFile(headPath(other))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(headPath(path), data, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Open(path, Options{})
	wantError(t, err, worldlog.ErrLost, "another world")
}

// TestReadOnly reads a world that was closed and one that was not, and changes nothing.
func TestReadOnly(t *testing.T) {
	crashed, closed, want := smallWorld(t, 12)
	for _, c := range []struct {
		name  string
		files image
	}{{"closed", closed}, {"crashed", crashed}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range c.files {
				if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			before := imageOf(t, dir)
			s, err := Open(filepath.Join(dir, filepath.Base(worldPath)), Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := sameEntries(s, want); err != nil {
				t.Error(err)
			}
			if _, err := s.Append(t.Context(), []worldlog.Entry{worldlogtest.Entry(9, 1)}); !errors.Is(err, worldlog.ErrReadOnly) {
				t.Errorf("append: %v", err)
			}
			if _, err := s.PutContent(t.Context(), []byte("x")); !errors.Is(err, worldlog.ErrReadOnly) {
				t.Errorf("put content: %v", err)
			}
			if err := s.PutSnapshot(t.Context(), worldlog.Snapshot{}); !errors.Is(err, worldlog.ErrReadOnly) {
				t.Errorf("put snapshot: %v", err)
			}
			if got, err := s.Content(t.Context(), s.Meta().Document); err != nil || !bytes.Equal(got, testDocument) {
				t.Errorf("content: %q, %v", got, err)
			}
			if snap, err := s.LatestSnapshot(t.Context(), 0); err != nil || snap.Seq != 12 {
				t.Errorf("snapshot: %+v, %v", snap, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if after := imageOf(t, dir); !maps.EqualFunc(before, after, bytes.Equal) {
				t.Errorf("files changed: %v, were %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
			}
		})
	}
}

// TestSymlink opens a world through a link: all its files lie where the world does.
func TestSymlink(t *testing.T) {
	path := makeWorld(t, 2)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	s, err := Open(link, Options{})
	if err != nil {
		t.Fatal(err)
	}
	appendMore(t, s, 1)
	s.Close()
	if files := imageOf(t, filepath.Dir(link)); len(files) != 0 {
		t.Errorf("beside the link: %v", slices.Sorted(maps.Keys(files)))
	}
}
