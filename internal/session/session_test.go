package session

import (
	"testing"

	"github.com/terrane/terrane/field"
)

func TestLoad(t *testing.T) {
	sv := newServer(t, field.Flat())
	c := enter(t, sv, Config{Builders: 2, Radius: 2}, 16, 20, 16)
	c.verify()
	if c.ready != 1 || len(c.screen) != 13 || len(c.connects) != 1 {
		t.Errorf("ready %d times, %d chunks shown, connected %d times; want 1, 13, 1", c.ready, len(c.screen), len(c.connects))
	}
	if st := c.status; st.Loaded != 26 || st.Name != "test" || st.Radius != 2 || st.State.String() != "live" {
		t.Errorf("status %+v", st)
	}
}
