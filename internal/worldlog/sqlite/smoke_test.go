package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
)

func TestSmoke(t *testing.T) {
	doc := []byte("doc")
	path := filepath.Join(t.TempDir(), "w.terrane")
	s, err := Create(path, worldlog.Meta{World: [16]byte{1}, Created: time.Now(), Document: worldlog.HashOf(doc)}, doc)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for i := range 10 {
		out, err := s.Append(ctx, []worldlog.Entry{{ID: worldlog.EditID{Session: 1, Counter: uint64(i + 1)}, Kind: 1, Payload: []byte("x"), Regions: []lattice.Region{{X: 1}}}}, nil)
		t.Log(out, err)
	}
	for e, err := range s.Read(ctx, 3) {
		t.Log(e, err)
	}
	if _, err := Open(path, Options{}); err == nil {
		t.Fatal("opened twice")
	} else {
		t.Log(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err = Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(s.Head())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ms, _ := filepath.Glob(path + "*")
	t.Log(ms)
}
