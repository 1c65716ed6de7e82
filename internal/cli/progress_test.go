package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// A stage is shown while it lasts, and gone afterwards; one that is short is never shown.
func TestShowStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		end := showStage(&b, "reading", ticker.C)
		time.Sleep(2500 * time.Millisecond) // of the bubble's clock
		end()
		if got, want := b.String(), "\rreading, 1 s …\rreading, 2 s …\r\x1b[K"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		b.Reset()
		showStage(&b, "reading", make(chan time.Time))()
		if b.Len() != 0 {
			t.Errorf("%q, want nothing", b.String())
		}
	})
	if terminal(&bytes.Buffer{}) {
		t.Error("a buffer is a terminal")
	}
}
