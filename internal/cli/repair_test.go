package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A damaged world is refused by name, repaired on request with the damaged file kept, and served again.
func TestRepair(t *testing.T) {
	world := filepath.Join(t.TempDir(), "a.terrane")
	s := serve(t, "--template", "flat", world)
	ground := terrain(t, s.url)
	var d digger
	d.dial(t, s.url)
	for i := range int32(20) {
		d.dig(hole(ground, 10*i, -10*i))
	}
	if !d.wait(20) {
		t.Fatal("the connection was lost")
	}
	d.conn.CloseNow()
	if status := s.stop(); status != statusOK {
		t.Fatalf("%d: %s", status, s.stderr)
	}

	status, out, stderr := command("repair", world)
	if status != statusOK || !strings.Contains(out, "is whole: 20 entries") {
		t.Errorf("%d, %q, %q", status, out, stderr)
	}
	e := d.edits[7].AppendBinary(nil)
	data, err := os.ReadFile(world)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, e)
	if at < 0 {
		t.Fatal("the seventh edit is not in the file as it is")
	}
	data[at+5] ^= 1
	if err := os.WriteFile(world, data, 0o644); err != nil {
		t.Fatal(err)
	}

	status, _, stderr = command("serve", "--addr", "127.0.0.1:0", world)
	if status != statusInput || !strings.Contains(stderr, "a.terrane is damaged") || !strings.Contains(stderr, "terrane repair") {
		t.Errorf("%d, %q", status, stderr)
	}
	status, out, stderr = command("repair", world)
	if status != statusOK || !strings.Contains(out, "lost: ") || !strings.Contains(out, "new world of 19 entries") {
		t.Fatalf("%d, %q, %q", status, out, stderr)
	}
	if kept, err := os.ReadFile(world + ".damaged"); err != nil || !bytes.Equal(kept, data) {
		t.Errorf("the damaged file was not kept: %v", err)
	}
	s = serve(t, world)
	if got := worldState(t, s.url); got.Entries != 19 {
		t.Errorf("%+v, want 19 entries", got)
	}
	if status := s.stop(); status != statusOK {
		t.Errorf("%d: %s", status, s.stderr)
	}
}

func TestRepairRefused(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, world, says string }{
		{"nothing there", filepath.Join(dir, "none.terrane"), "none.terrane"},
		{"a picture", bowl, "not a world"},
	} {
		if status, _, stderr := command("repair", c.world); status != statusInput || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: %d, %q", c.name, status, stderr)
		}
	}
}
