// Package examples runs the example programs as users do.
package examples

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terrane/terrane/internal/server"
	"github.com/terrane/terrane/internal/server/servertest"
	"github.com/terrane/terrane/template"
)

func TestExamples(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, tt := range []struct {
		name  string
		args  []string
		wants []string // in what it prints
		files []string // that it writes
	}{
		{"volume", nil, []string{"triangles", "m³"}, []string{"gyroid-marching.ply", "gyroid-nets.ply", "gyroid-blocks.ply"}},
		{"dig", nil, []string{"samples changed", "hole.glb: "}, []string{"hole.glb"}},
		{"dig", []string{"other.glb"}, []string{"other.glb: "}, []string{"other.glb"}},
		{"density", nil, []string{" -9 ########"}, nil},
		{"query", nil, []string{"ground at x 400: ", "from x 0: ", "from x 9.00000025e+06: "}, nil},
		{"client", []string{serve(t)}, []string{"welcome: the log has 0 entries", "edited bricks at entry", "acknowledged as entry 1"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, filepath.Join(bin, tt.name), tt.args...)
			cmd.Dir = t.TempDir()
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range tt.wants {
				if !strings.Contains(string(out), want) {
					t.Errorf("it prints no %q:\n%s", want, out)
				}
			}
			for _, name := range tt.files {
				if info, err := os.Stat(filepath.Join(cmd.Dir, name)); err != nil || info.Size() == 0 {
					t.Errorf("%s: %v, %v", name, info, err)
				}
			}
		})
	}
}

// Examples stay small enough to be read at a glance.
func TestExamplesAreShort(t *testing.T) {
	programs, err := filepath.Glob("*/main.go")
	if err != nil || len(programs) == 0 {
		t.Fatal(programs, err)
	}
	for _, name := range programs {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n >= 100 {
			t.Errorf("%s has %d lines", name, n)
		}
	}
}

// serve serves the hills from a log in memory and returns the address of its socket.
func serve(t *testing.T) string {
	t.Helper()
	store := servertest.NewStore(t, template.Hills(1))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), server.Config{Store: store, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return "ws://" + listener.Addr().String() + "/v1/ws"
}
