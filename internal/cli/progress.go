package cli

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

// A stage is a part of the work, like reading a file. Its zero value shows nothing.
type stage struct {
	what  string
	total int64 // steps in all, 0 if that is not known
	done  atomic.Int64
	stop  func()
}

// stage says on a terminal, once it takes a while, what is being done and for how long, until the function that it
// returns is called.
func (p *program) stage(what string) (end func()) { return p.progress(what, 0).end }

// progress does the same and also says how much of it is done, which is to be added up.
func (p *program) progress(what string, total int64) *stage {
	s := &stage{what: what, total: total}
	if terminal(p.stderr) {
		t := time.NewTicker(stageAfter)
		end := s.show(p.stderr, t.C)
		s.stop = func() { t.Stop(); end() }
	}
	return s
}

// add says that so many steps more are done.
func (s *stage) add(n int64) { s.done.Add(n) }

// end ends the stage and clears its line. It may be called twice.
func (s *stage) end() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// show shows the stage at each tick until the function that it returns is called.
func (s *stage) show(to io.Writer, ticks <-chan time.Time) (end func()) {
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
func (s *stage) line(took time.Duration) string {
	seconds := fmt.Sprintf("%d s", int(took.Seconds()))
	if s.total <= 0 {
		return s.what + " … " + seconds
	}
	part := min(1, float64(s.done.Load())/float64(s.total))
	full := int(part * barWidth)
	return fmt.Sprintf("%s [%s%s] %3.0f %%, %s", s.what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*part, seconds)
}

// A watched reader or writer counts the bytes that pass through it as the steps of a stage, and fails once the
// context is done.
type watched struct {
	ctx   context.Context
	stage *stage
	io.ReaderAt
	io.Writer
}

// ReadAt implements io.ReaderAt.
func (w watched) ReadAt(data []byte, at int64) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.ReaderAt.ReadAt(data, at)
	w.stage.add(int64(n))
	return n, err
}

// Write implements io.Writer.
func (w watched) Write(data []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Writer.Write(data)
	w.stage.add(int64(n))
	return n, err
}

// terminal reports whether somebody sees what is written to w.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
