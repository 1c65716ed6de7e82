package progress

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A stage is shown while it lasts, and gone afterwards; one that is short is never shown.
func TestStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name  string
			total int64
			want  string
		}{
			{"no end known", 0, "\rreading … 1 s\x1b[K\rreading … 2 s\x1b[K\r\x1b[K"},
			{"half and whole", 8, "\rreading [############............]  50 %, 1 s\x1b[K\rreading [########################] 100 %, 2 s\x1b[K\r\x1b[K"},
		} {
			var b bytes.Buffer
			s := &Stage{what: "reading", total: c.total}
			ticker := time.NewTicker(time.Second)
			end := s.show(&b, ticker.C)
			s.Add(4)
			time.Sleep(1500 * time.Millisecond) // of the bubble's clock
			s.Add(40)                           // more than there was said to be
			time.Sleep(time.Second)
			end()
			ticker.Stop()
			if b.String() != c.want {
				t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
			}
		}
		var b bytes.Buffer
		(&Stage{what: "reading"}).show(&b, make(chan time.Time))()
		if b.Len() != 0 {
			t.Errorf("%q, want nothing", b.String())
		}
	})
	if Terminal(&bytes.Buffer{}) {
		t.Error("a buffer is a terminal")
	}
	var b bytes.Buffer
	s := Start(&b, "reading", 1) // which is no terminal
	s.Add(1)
	s.End()
	s.End()
	if b.Len() != 0 {
		t.Errorf("%q where nobody looks", b.String())
	}
}

// What passes through is counted, and stops passing when the context is done.
func TestWatched(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &Stage{}
	w := Watched{Ctx: ctx, Stage: s, ReaderAt: strings.NewReader("hello"), Writer: io.Discard}
	if n, err := w.ReadAt(make([]byte, 4), 1); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := w.Write(make([]byte, 3)); n != 3 || err != nil || s.done.Load() != 7 {
		t.Errorf("%d, %v, %d counted", n, err, s.done.Load())
	}
	cancel()
	if _, err := w.ReadAt(make([]byte, 4), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := w.Write(nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
