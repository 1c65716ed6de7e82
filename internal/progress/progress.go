// Package progress shows on a terminal what a program is busy with, once that takes a while.
package progress

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// stageAfter is how long a stage of work may take before it is shown, and how often what is shown is renewed
// thereafter: less would flicker, more would leave people wondering.
const stageAfter = time.Second

// barWidth is the number of cells of the bar.
const barWidth = 24

// A Stage is a part of the work, like reading a file. Its zero value shows nothing.
type Stage struct {
	what  string
	total int64 // steps in all, 0 if that is not known
	done  atomic.Int64
	stop  func()
}

// Start shows on w, if that is a terminal and once it takes a while, what is being done and for how long, until End is
// called. If total is not 0 it also shows how much of it is done, as Add counts.
func Start(w io.Writer, what string, total int64) *Stage {
	s := &Stage{what: what, total: total}
	if Terminal(w) {
		t := time.NewTicker(stageAfter)
		end := s.show(w, t.C)
		s.stop = func() { t.Stop(); end() }
	}
	return s
}

// Add counts n steps more as done.
func (s *Stage) Add(n int64) { s.done.Add(n) }

// End ends the stage and clears its line. It may be called twice.
func (s *Stage) End() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// show shows the stage at each tick until the function that it returns is called.
func (s *Stage) show(to io.Writer, ticks <-chan time.Time) (end func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	start := time.Now()
	go func() {
		defer close(ended)
		shown := false
		for {
			select {
			case <-ticks:
				fmt.Fprintf(to, "\r%s\x1b[K", s.line(time.Since(start)))
				shown = true
			case <-done:
				if shown {
					fmt.Fprint(to, "\r\x1b[K") // to the start of the line, and erase it
				}
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// line returns what is shown after a time: a bar where the end is known.
func (s *Stage) line(took time.Duration) string {
	seconds := fmt.Sprintf("%d s", int(took.Seconds()))
	if s.total <= 0 {
		return s.what + " … " + seconds
	}
	part := min(1, float64(s.done.Load())/float64(s.total))
	full := int(part * barWidth)
	return fmt.Sprintf("%s [%s%s] %3.0f %%, %s", s.what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*part, seconds)
}

// A Watched reader or writer counts the bytes that pass through it as the steps of a stage, and fails once the
// context is done.
type Watched struct {
	Ctx   context.Context
	Stage *Stage
	io.ReaderAt
	io.Writer
}

// ReadAt implements io.ReaderAt.
func (w Watched) ReadAt(data []byte, at int64) (int, error) {
	if err := w.Ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.ReaderAt.ReadAt(data, at)
	w.Stage.Add(int64(n))
	return n, err
}

// Write implements io.Writer.
func (w Watched) Write(data []byte) (int, error) {
	if err := w.Ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Writer.Write(data)
	w.Stage.Add(int64(n))
	return n, err
}

// Terminal reports whether w is a terminal, where somebody sees what is written.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
