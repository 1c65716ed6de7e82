package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The heightmaps of the ingest package's tests.
var (
	alps = filepath.Join("..", "..", "ingest", "testdata", "N47E009.hgt.gz")
	bowl = filepath.Join("..", "..", "ingest", "testdata", "heightmap_bowl_129_rgb8.png")
)

// command runs terrane and returns its exit status and what it printed.
func command(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = Run(context.Background(), args, "v1.2.3", &out, &err)
	return status, out.String(), err.String()
}

// A refusal is a command line that the program refuses, and what it says then.
type refusal struct {
	args []string
	says string
}

// refuses checks that the command refuses each of the arguments in one line.
func refuses(t *testing.T, name []string, refusals []refusal) {
	t.Helper()
	for _, c := range refusals {
		args := slices.Concat(name, c.args)
		status, out, stderr := command(args...)
		if status != statusInput || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %q, %q, want %q", args, status, out, stderr, c.says)
		}
	}
}

// A served is a `terrane serve` that answers.
type served struct {
	url    string
	stderr *bytes.Buffer // to be read once it has stopped
	stop   func() (status int)
}

// serve starts terrane serve on a free port.
func serve(t *testing.T, args ...string) served {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	stderr := &bytes.Buffer{}
	status := make(chan int, 1)
	go func() {
		status <- Run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), "v1.2.3", w, stderr)
		w.Close()
	}()
	line := make([]byte, 4096)
	n, err := r.Read(line)
	address := regexp.MustCompile(`http://\S+`).FindString(string(line[:n]))
	if err != nil || address == "" {
		cancel()
		t.Fatalf("it printed %q (%v) and stopped with %d: %s", line[:n], err, <-status, stderr)
	}
	drained := make(chan struct{})
	go func() { io.Copy(io.Discard, r); close(drained) }()
	stopped := false
	s := served{url: address, stderr: stderr}
	s.stop = func() int {
		if stopped {
			return 0
		}
		stopped = true
		cancel()
		defer func() { <-drained }()
		return <-status
	}
	t.Cleanup(func() { s.stop() })
	return s
}

// get returns what a URL answers, which must be well.
func get(t *testing.T, url string) string {
	t.Helper()
	once := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := once.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %q, %v", url, r.Status, body, err)
	}
	return string(body)
}

func TestVersion(t *testing.T) {
	status, out, _ := command("version")
	if status != statusOK || !strings.HasPrefix(out, "terrane v1.2.3, go") {
		t.Errorf("%d, %q", status, out)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"serve", "--help"}} {
		status, out, stderr := command(args...)
		if status != statusOK || !strings.Contains(out, "Usage: terrane") || stderr != "" {
			t.Errorf("%q: %d, %q, %q", args, status, out, stderr)
		}
	}
	_, out, _ := command("serve", "--help")
	for _, flag := range []string{"--addr", "--template", "--seed", "--heightmap", "--sample-meters=X[,Z]", "--height-range", "--scale", "--view-radius", "terrane serve --heightmap N47E009.hgt --scale 0.1 alps.terrane"} {
		if !strings.Contains(out, flag) {
			t.Errorf("serve --help does not show %s", flag)
		}
	}
}

// A world is made, served, and served again as it is; other flags are refused with both values.
func TestServeAgain(t *testing.T) {
	for _, c := range []struct {
		name      string
		made      []string
		same      []string
		other     []string
		bothNamed []string
	}{
		{"hills", nil, []string{"--template", "hills", "--seed", "1"}, []string{"--seed", "2"}, []string{"--seed 2", "has 1"}},
		{"seeded hills", []string{"--seed", "-7"}, []string{"--seed", "-7"}, []string{"--template", "flat"}, []string{"--template flat", "has hills"}},
		{"shape", []string{"--template", "shape"}, []string{"--template", "shape"}, []string{"--seed", "3"}, []string{"--seed 3", "has none"}},
		{"flat", []string{"--template", "flat"}, nil, []string{"--heightmap", bowl}, []string{"heightmap_bowl_129_rgb8.png", "has flat"}},
		{"heightmap", []string{"--heightmap", bowl, "--scale", "0.5", "--height-range", "-20,180"},
			[]string{"--heightmap", bowl, "--scale", "0.5", "--sample-meters", "1", "--height-range", "-20,180"},
			[]string{"--scale", "2", "--sample-meters", "3,4", "--height-range", "0,1", "--heightmap", alps},
			[]string{"--scale 2", "has 0.5", "[3 4]", "has [1 1]", "[0 1]", "has [-20 180]", "N47E009.hgt.gz (SHA-256", "has heightmap_bowl_129_rgb8.png (SHA-256"}},
		{"no heightmap", []string{"--template", "flat"}, nil, []string{"--scale", "2"}, []string{"--scale", "has flat"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			world := filepath.Join(t.TempDir(), "a.terrane")
			s := serve(t, append(c.made, world)...)
			get(t, s.url+"/healthz")
			if status := s.stop(); status != statusOK {
				t.Fatalf("stopped with %d: %s", status, s.stderr)
			}
			s = serve(t, append(c.same, world)...)
			if status := s.stop(); status != statusOK {
				t.Fatalf("served again, it stopped with %d: %s", status, s.stderr)
			}
			status, _, stderr := command(append(append([]string{"serve", "--addr", "127.0.0.1:0"}, c.other...), world)...)
			if status != statusInput {
				t.Errorf("%d: %s", status, stderr)
			}
			for _, want := range c.bothNamed {
				if !strings.Contains(stderr, want) {
					t.Errorf("%q is not in: %s", want, stderr)
				}
			}
		})
	}
}

// What a heightmap is and becomes is said when a world is made of it.
func TestHeightmapReport(t *testing.T) {
	s := serve(t, "--heightmap", alps, "--scale", "0.1", filepath.Join(t.TempDir(), "alps.terrane"))
	if status := s.stop(); status != statusOK {
		t.Fatalf("%d: %s", status, s.stderr)
	}
	for _, want := range []string{"samples=1201×1201", "sample_meters_x=62.67", "sample_meters_z=92.77", "lowest=388", "highest=2937",
		"scale=0.1", "east_west_m=7520", "north_south_m=11131", "lowest_m=38.8", "highest_m=293.7"} {
		if !strings.Contains(s.stderr.String(), want) {
			t.Errorf("%q is not in: %s", want, s.stderr)
		}
	}
}

// Every bad input is refused with status 2 and a message that says what and where, and leaves nothing behind.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data, err := os.ReadFile(bowl)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	world := filepath.Join(dir, "new.terrane")
	made := filepath.Join(dir, "made.terrane")
	if s := serve(t, "--template", "flat", made); s.stop() != statusOK {
		t.Fatal(s.stderr)
	}
	newer, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint32(newer[60:], 999) // SQLite's user version, which is the format's
	running := serve(t, "--template", "flat", filepath.Join(dir, "running.terrane"))
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"unknown command", []string{"fly"}, []string{"fly", "terrane --help"}},
		{"unknown flag", []string{"serve", "--bogus"}, []string{"--bogus"}},
		{"two worlds", []string{"serve", world, world}, []string{"unexpected argument"}},
		{"seed that is a word", []string{"serve", "--seed", "x", world}, []string{"--seed", `"x"`}},
		{"unknown template", []string{"serve", "--template", "moon", world}, []string{"moon", "hills, islands, caverns, canyon, floating, shape, rough, flat"}},
		{"template and heightmap", []string{"serve", "--template", "flat", "--heightmap", bowl, world}, []string{"two kinds of ground"}},
		{"seed of a shape", []string{"serve", "--template", "shape", "--seed", "1", world}, []string{"shape has none"}},
		{"seed of a heightmap", []string{"serve", "--heightmap", bowl, "--seed", "1", world}, []string{"heightmap has none"}},
		{"scale without heightmap", []string{"serve", "--scale", "2", world}, []string{"--heightmap FILE"}},
		{"scale 0", []string{"serve", "--heightmap", bowl, "--scale", "0", world}, []string{"--scale 0"}},
		{"scale that is too small", []string{"serve", "--heightmap", bowl, "--scale", "0.0001", world}, []string{"0.0001 m apart"}},
		{"scale NaN", []string{"serve", "--heightmap", bowl, "--scale", "NaN", world}, []string{"--scale NaN"}},
		{"sample meters -1", []string{"serve", "--heightmap", bowl, "--sample-meters", "-1", world}, []string{"--sample-meters -1"}},
		{"three sample meters", []string{"serve", "--heightmap", bowl, "--sample-meters", "1,2,3", world}, []string{"not 3"}},
		{"sample meters that are words", []string{"serve", "--heightmap", bowl, "--sample-meters", "1,b", world}, []string{`"b" is no number`}},
		{"height range upside down", []string{"serve", "--heightmap", bowl, "--height-range", "5,1", world}, []string{"--height-range", "[5 1]"}},
		{"height range of meters", []string{"serve", "--heightmap", alps, "--height-range", "0,1", world}, []string{"holds meters"}},
		{"infinite height range", []string{"serve", "--heightmap", bowl, "--height-range", "0,Inf", world}, []string{"+Inf"}},
		{"view radius 0", []string{"serve", "--view-radius", "0", world}, []string{"1 … 32"}},
		{"no heightmap there", []string{"serve", "--heightmap", filepath.Join(dir, "none.png"), world}, []string{"none.png", "there is no file"}},
		{"heightmap that is a folder", []string{"serve", "--heightmap", dir, world}, []string{"no file"}},
		{"PNG cut short", []string{"serve", "--heightmap", file("cut.png", data[:len(data)/2]), world}, []string{"cut.png", "damaged or cut short", "129×129"}},
		{"PNG that is none", []string{"serve", "--heightmap", file("text.png", []byte("hello, world")), world}, []string{"text.png", "begins with", "PNG"}},
		{"empty PNG", []string{"serve", "--heightmap", file("empty.png", nil), world}, []string{"empty.png", "empty"}},
		{"hgt cut short", []string{"serve", "--heightmap", file("N47E009.hgt", make([]byte, 1000)), world}, []string{"2884802", "has 1000"}},
		{"raw of no square", []string{"serve", "--heightmap", file("a.r16", make([]byte, 1001)), world}, []string{"1001 bytes are no square"}},
		{"world that is a picture", []string{"serve", file("picture.terrane", data)}, []string{"picture.terrane", "not a world", "--heightmap"}},
		{"world that is empty", []string{"serve", file("empty.terrane", nil)}, []string{"empty.terrane", "not a world"}},
		{"world of a newer version", []string{"serve", file("newer.terrane", newer)}, []string{"newer.terrane", "newer", "999"}},
		{"world cut short", []string{"serve", file("short.terrane", newer[:50])}, []string{"short.terrane"}},
		{"world that is a folder", []string{"serve", dir}, []string{dir}},
		{"no folder there", []string{"serve", filepath.Join(dir, "none", "a.terrane")}, []string{"folder", "none"}},
		{"folder that is a file", []string{"serve", filepath.Join(bowl, "a.terrane")}, []string{"a.terrane", "not a directory"}},
		{"folder that cannot be written", []string{"serve", "/proc/a.terrane"}, []string{"/proc/a.terrane", "folder"}},
		{"world that is served", []string{"serve", filepath.Join(dir, "running.terrane")}, []string{"in use", "Another terrane"}},
		{"taken port", []string{"serve", "--addr", taken.Addr().String(), world}, []string{taken.Addr().String(), "taken", "--addr 127.0.0.1:0"}},
		{"address without a port", []string{"serve", "--addr", "localhost", world}, []string{"localhost", "HOST:PORT"}},
		{"port out of range", []string{"serve", "--addr", "127.0.0.1:99999", world}, []string{"99999"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := c.args
			if args[0] == "serve" && !strings.Contains(strings.Join(args, " "), "--addr") {
				args = append([]string{"serve", "--addr", "127.0.0.1:0"}, args[1:]...)
			}
			status, stdout, stderr := command(args...)
			if status != statusInput || stdout != "" {
				t.Errorf("status %d, printed %q, %q", status, stdout, stderr)
			}
			if !strings.Contains(stderr, "terrane: ") {
				t.Errorf("%q does not name the program", stderr)
			}
			for _, want := range c.says {
				if !strings.Contains(stderr, want) {
					t.Errorf("%q does not say %q", stderr, want)
				}
			}
			if left, err := filepath.Glob(filepath.Join(dir, "new.terrane*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %q, %v", left, err)
			}
		})
	}
	if status := running.stop(); status != statusOK {
		t.Errorf("the running one stopped with %d", status)
	}
}
