package session

import (
	"errors"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/template"
)

// TestPaint paints: the chunks there are built anew, the server confirms without a second change, and whoever comes
// later has the same bricks. Where there is no palette nothing is sent.
func TestPaint(t *testing.T) {
	sv := newServer(t, template.Hills(1))
	y := float64(sv.world.Ground(16, 16))
	c := enter(t, sv, Config{Builders: 2, Radius: 1}, 16, y+5, 16)
	built := c.built
	c.do(edit.Edit{Op: edit.Paint, Shape: edit.Ball, Radius: 4, Material: 2, Place: place(16, y, 16)})
	if st := c.s.Status(); st.Pending != 1 || st.Waiting == 0 || len(c.jobs) == 0 {
		t.Fatalf("%d pending edits, %d chunks waiting, %d jobs", st.Pending, st.Waiting, len(c.jobs))
	}
	settle(c)
	once := c.built - built
	if st := c.s.Status(); st.Pending != 0 || st.Acked != 1 || once == 0 {
		t.Errorf("%d pending, %d acknowledged, %d built", st.Pending, st.Acked, once)
	}
	c.verify()
	painted := 0
	for _, b := range c.s.world.Layer().All() {
		painted += b.Painted()
	}
	if got, want := c.s.world.Layer().Hash(), sv.world.Layer().Hash(); got != want || painted < 100 {
		t.Errorf("hash %x, the server's %x; %d samples painted", got, want, painted)
	}
	later := enter(t, sv, Config{Session: 2, Builders: 1, Radius: 1}, 16, y+5, 16)
	if got, want := later.s.world.Layer().Hash(), sv.world.Layer().Hash(); got != want {
		t.Errorf("whoever came later has the hash %x, the server %x", got, want)
	}
	beyond := edit.Brush{Op: edit.Paint, Shape: edit.Ball, Radius: 4, Material: 200}
	if _, err := c.s.Edit(c.now, beyond, place(16, y, 16)); !errors.Is(err, edit.ErrInvalid) {
		t.Errorf("material 200: %v", err)
	}
	bare := enter(t, newServer(t, template.Flat()), Config{Builders: 1, Radius: 1}, 16, 5, 16)
	if _, err := bare.s.Edit(bare.now, edit.Brush{Op: edit.Paint, Shape: edit.Ball, Radius: 4}, place(16, 0, 16)); !errors.Is(err, edit.ErrInvalid) {
		t.Errorf("paint where there are no materials: %v", err)
	}
}
