package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// asProgram makes a process of this test binary behave as terrane, so that there is one to kill.
const asProgram = "TERRANE_TEST_AS_PROGRAM"

// beforeProgram is called by a process that behaves as terrane, before it does.
var beforeProgram = func() {}

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		beforeProgram()
		os.Exit(Run(context.Background(), os.Args[1:], "", os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

// A process is a terrane that runs as one.
type process struct {
	cmd    *exec.Cmd
	url    string
	stderr bytes.Buffer
}

// start runs terrane serve as a process of its own, on a free port.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(exe, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)}
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill(); p.cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if p.url = regexp.MustCompile(`http://\S+`).FindString(line); err != nil || p.url == "" {
		p.cmd.Wait()
		t.Fatalf("it printed %q: %v\n%s", line, err, &p.stderr)
	}
	return p
}

// signal sends a signal, waits for the end and returns the exit status, −1 for one that was killed.
func (p *process) signal(t *testing.T, s os.Signal) int {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	p.cmd.Wait() // its error is the exit status
	return p.cmd.ProcessState.ExitCode()
}

// The main job, without the page: the Alps are dug in, the server is killed, and served again every
// acknowledged edit is there, hash for hash.
func TestAlpsSurviveKill(t *testing.T) {
	world := filepath.Join(t.TempDir(), "alps.terrane")
	p := start(t, "--heightmap", alps, "--scale", "0.1", world)
	ground := terrain(t, p.url)
	if h := ground.Ground(0, 0); h < 38.8 || h > 293.7 {
		t.Errorf("the ground in the middle is at %v m", h)
	}
	var d digger
	d.dial(t, p.url)
	for i := range int32(40) {
		d.dig(hole(ground, i*7-140, i*5-100))
	}
	if !d.wait(40) {
		t.Fatalf("the connection was lost\n%s", &p.stderr)
	}
	before := worldState(t, p.url)
	if before.Entries != 40 || before.Head != 40 || before.Hash == fmt.Sprintf("%016x", 0) {
		t.Errorf("%+v, want 40 entries that changed something", before)
	}
	if want := fmt.Sprintf("%016x", d.replay(ground)); before.Hash != want {
		t.Errorf("the server's hash is %s, its edits give %s", before.Hash, want)
	}
	if code := p.signal(t, syscall.SIGKILL); code != -1 {
		t.Fatalf("exit status %d", code)
	}

	p = start(t, world)
	if after := worldState(t, p.url); after != before {
		t.Errorf("after the kill %+v, before it %+v", after, before)
	}
	// Now it is killed in the middle of edits: what was acknowledged must be there, what was not may be.
	d.dial(t, p.url)
	for i := range int32(60) {
		d.dig(hole(ground, 300-i*9, i*4))
	}
	n := 41 + rand.IntN(40)
	if !d.wait(n) {
		t.Fatalf("the connection was lost before edit %d\n%s", n, &p.stderr)
	}
	p.signal(t, syscall.SIGKILL)
	d.wait(100) // what was on its way

	p = start(t, world)
	after := worldState(t, p.url)
	if after.Entries < uint64(len(d.acked)) || after.Entries > 100 {
		t.Errorf("%d edits were acknowledged, %d entries are there", len(d.acked), after.Entries)
	}
	d.dial(t, p.url) // which compares the counters
	for counter := uint64(41); counter <= 100; counter++ {
		if _, ok := d.acked[counter]; !ok && counter > after.Entries { // entries are the counters: one digger
			d.sent = counter - 1
			d.dig(d.edits[counter])
		} else if !ok {
			d.acked[counter] = counter // durable, but the acknowledgement was lost
		}
	}
	if !d.wait(100) {
		t.Fatalf("the connection was lost\n%s", &p.stderr)
	}
	last := worldState(t, p.url)
	if want := fmt.Sprintf("%016x", d.replay(ground)); last.Hash != want || last.Entries != 100 {
		t.Errorf("%d entries, hash %s, the edits give %s", last.Entries, last.Hash, want)
	}

	// Stopped in good order, it is the same world, and a snapshot has been written.
	if code := p.signal(t, syscall.SIGTERM); code != statusOK {
		t.Errorf("exit status %d\n%s", code, &p.stderr)
	}
	p = start(t, world)
	if again := worldState(t, p.url); again != last {
		t.Errorf("stopped and served again %+v, before %+v", again, last)
	}
	if code := p.signal(t, os.Interrupt); code != statusOK {
		t.Errorf("exit status %d\n%s", code, &p.stderr)
	}
}
