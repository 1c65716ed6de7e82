package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// stageAfter is how long a stage of work may take before it is shown: less would flicker, more would leave
// people wondering.
const stageAfter = time.Second

// stage says on a terminal, once it takes a while, what is being done and for how long. The function that it
// returns ends that and clears the line.
func (p *program) stage(what string) (end func()) {
	if !terminal(p.stderr) {
		return func() {}
	}
	return showStage(p.stderr, what, time.NewTicker(stageAfter).C)
}

// showStage shows the stage at each tick.
func showStage(to io.Writer, what string, ticks <-chan time.Time) (end func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	start := time.Now()
	go func() {
		defer close(ended)
		shown := false
		for {
			select {
			case <-ticks:
				fmt.Fprintf(to, "\r%s, %d s …", what, int(time.Since(start).Seconds()))
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

// terminal reports whether somebody sees what is written to w.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
