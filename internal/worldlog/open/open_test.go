package open

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
)

func TestNames(t *testing.T) {
	document := []byte("a graph")
	meta := worldlog.Meta{World: [16]byte{1}, Name: "a", Document: asset.Of(document)}
	path := filepath.Join(t.TempDir(), "a.terrane")
	if there, err := Exists("sqlite:" + path); there || err != nil {
		t.Fatalf("%v, %v", there, err)
	}
	if _, err := World(path, true); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	s, err := Create("sqlite:"+path, meta, document)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, "sqlite:" + path} {
		if there, err := Exists(name); !there || err != nil {
			t.Errorf("%s: %v, %v", name, there, err)
		}
		s, err := World(name, true)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s.Meta().Name != "a" {
			t.Errorf("%s: %+v", name, s.Meta())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"nats://host/world", "http://host/a.terrane"} {
		if s, err := World(name, false); s != nil || !errors.Is(err, worldlog.ErrInvalid) || !strings.Contains(err.Error(), "name a file") {
			t.Errorf("%s: %v, %v", name, s, err)
		}
		if _, err := Exists(name); !errors.Is(err, worldlog.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Repair(name); !errors.Is(err, worldlog.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := World(t.TempDir(), false); s != nil || err == nil {
		t.Errorf("a folder: %v, %v", s, err)
	}
}
