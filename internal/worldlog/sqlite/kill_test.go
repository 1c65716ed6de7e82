package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
	"github.com/terrane/terrane/lattice"
)

// childEnv makes the test program a server of the world at the path it holds: it appends until it is killed and
// writes a line for each acknowledged entry.
const childEnv = "TERRANE_SQLITE_TEST_CHILD"

// child is the program that is killed.
func child(path string) {
	s, err := Open(path, Options{})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println("open")
	var life uint64
	if _, err := fmt.Sscan(os.Getenv("TERRANE_SQLITE_TEST_LIFE"), &life); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for c := range uint64(8) {
		session := life<<8 | c
		wg.Go(func() {
			for n := uint64(1); ; n++ {
				e := worldlogtest.Entry(session, n, lattice.Region{X: int32(c)})
				e.Payload = append(e.Payload, make([]byte, n*37%3000)...)
				out, err := s.Append(context.Background(), []worldlog.Entry{e})
				if err != nil {
					fmt.Println("error:", err)
					os.Exit(1)
				}
				fmt.Printf("ack %d %d %d\n", session, n, out[0].Seq) // one write, so one whole line
			}
		})
	}
	wg.Wait()
}

// startChild starts a child and returns a scanner of its lines.
func startChild(t *testing.T, path string, life int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childEnv+"="+path, fmt.Sprintf("TERRANE_SQLITE_TEST_LIFE=%d", life))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// TestKill kills a program under load at random moments, case 22 of the faults met elsewhere: each time the world
// opens, holds every acknowledged entry, and nothing else than was appended.
func TestKill(t *testing.T) {
	rng := rand.New(rand.NewPCG(seedOf(t), 0))
	lives, most := rounds(3, 12, 100), rounds(200, 400, 1000)
	path := filepath.Join(t.TempDir(), "world.terrane")
	s, err := Create(path, worldlogtest.Meta(testDocument), testDocument)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	acked := make(map[worldlog.EditID]worldlog.Seq)
	for life := 1; life <= lives; life++ {
		cmd, lines := startChild(t, path, life)
		for n := rng.IntN(most); n >= 0 && lines.Scan(); n-- {
			note(t, acked, lines.Text())
			if n == 0 {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		for lines.Scan() { // what it had acknowledged before it died
			note(t, acked, lines.Text())
		}
		_ = cmd.Wait() // killed
		checkKilled(t, path, acked)
	}
	if len(acked) == 0 {
		t.Fatal("nothing was acknowledged in all lives")
	}
}

// note takes in a child's line. The last may be cut.
func note(t *testing.T, acked map[worldlog.EditID]worldlog.Seq, line string) {
	t.Helper()
	var id worldlog.EditID
	var seq worldlog.Seq
	if line == "open" {
		return
	}
	if _, err := fmt.Sscanf(line, "ack %d %d %d", &id.Session, &id.Counter, &seq); err != nil {
		t.Fatalf("the child says %q", line)
	}
	acked[id] = seq
}

func checkKilled(t *testing.T, path string, acked map[worldlog.EditID]worldlog.Seq) {
	t.Helper()
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := worldlogtest.Check(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		want := worldlogtest.Entry(e.ID.Session, e.ID.Counter)
		want.Payload = append(want.Payload, make([]byte, e.ID.Counter*37%3000)...)
		if string(e.Payload) != string(want.Payload) {
			t.Fatalf("entry %d is not what was appended as %v", e.Seq, e.ID)
		}
	}
	for id, seq := range acked {
		if int(seq) > len(all) || all[seq-1].ID != id {
			t.Fatalf("%v was acknowledged as entry %d of %d and is not there", id, seq, len(all))
		}
	}
}

// TestInUse opens a world that another process, or this one, has open; it is free as soon as that is killed.
func TestInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world.terrane")
	s, err := Create(path, worldlogtest.Meta(testDocument), testDocument)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(who string) {
		t.Helper()
		for _, o := range []Options{{}, {ReadOnly: true}} {
			if s, err := Open(path, o); !errors.Is(err, worldlog.ErrInUse) {
				t.Errorf("%s has it open, and so has %+v: %v, %v", who, o, s, err)
			}
		}
		if s, err := osSystem.openSalvage(path); !errors.Is(err, worldlog.ErrInUse) {
			t.Errorf("%s has it open, and so has a salvage: %v, %v", who, s, err)
		}
		if s, err := Create(path, worldlogtest.Meta(testDocument), testDocument); err == nil {
			t.Errorf("%s has it open, and it was made anew: %v", who, s)
		}
	}
	refused("this process")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	cmd, lines := startChild(t, path, 1)
	if !lines.Scan() || lines.Text() != "open" {
		t.Fatalf("the child says %q", lines.Text())
	}
	refused("a child")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	_ = cmd.Wait() // killed
	if s, err = Open(path, Options{}); err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	s.Close()
	a, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatalf("two readers: %v", err)
	}
	b.Close()
}
