package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/bench"
)

// benchmark runs terrane bench, which must do well and print one line, and returns its report.
func benchmark[R any](t *testing.T, args ...string) (r R) {
	t.Helper()
	status, out, stderr := command(append([]string{"bench"}, args...)...)
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || strings.Count(out, "\n") != 1 {
		t.Fatalf("%d, %q, %q: %v", status, out, stderr, err)
	}
	return r
}

// TestBenchField checks that the samples are the same on any number of threads, whatever the time they take.
func TestBenchField(t *testing.T) {
	run := func(args ...string) bench.FieldReport {
		t.Helper()
		return benchmark[bench.FieldReport](t, append([]string{"field", "--reps", "2"}, args...)...)
	}
	one := run("--side", "33")
	if one.Bench != "field" || one.Kind != "value" || one.Octaves != 5 || len(one.MS) != 2 || one.Msamples <= 0 || len(one.SHA256) != 64 {
		t.Errorf("%+v", one)
	}
	for name, r := range map[string]bench.FieldReport{
		"three threads":             run("--side", "33", "--threads", "3"),
		"more threads than layers":  run("--side", "33", "--threads", "40"),
		"octaves as they are unset": run("--side", "33", "--octaves", "5", "--frequency", "0.02", "--dims", "3"),
	} {
		if r.SHA256 != one.SHA256 {
			t.Errorf("%s: %s, want %s", name, r.SHA256, one.SHA256)
		}
	}
	seen := map[string]string{}
	for _, kind := range []string{"value", "gradient", "simplex", "cellular", "edges"} {
		for _, dims := range []string{"2", "3"} {
			r := run("--kind", kind, "--dims", dims, "--side", "9")
			if other, ok := seen[r.SHA256]; ok {
				t.Errorf("%s in %s dimensions gives what %s gives", kind, dims, other)
			}
			seen[r.SHA256] = kind + " " + dims
		}
	}
}

func TestBenchFieldRefuses(t *testing.T) {
	refuses(t, []string{"bench", "field"}, []refusal{
		{[]string{"--kind", "perlin"}, "there are value, gradient, simplex, cellular, edges"},
		{[]string{"--dims", "4"}, "--dims 4 is outside 2 … 3"},
		{[]string{"--octaves", "0"}, "--octaves 0 is outside 1 … 16"},
		{[]string{"--side", "1000"}, "makes 1000000000 samples"},
		{[]string{"--threads", "0"}, "--threads 0 is outside"},
		{[]string{"--reps", "0"}, "--reps 0 is outside"},
		{[]string{"--frequency", "9"}, "--frequency 9 is outside 0 … 4"},
		{[]string{"--frequency", "NaN"}, "--frequency NaN"},
	})
}

func TestBenchChunk(t *testing.T) {
	run := func(args ...string) bench.ChunkReport {
		t.Helper()
		return benchmark[bench.ChunkReport](t, append([]string{"chunk", "--reps", "1"}, args...)...)
	}
	hills, again := run("--radius", "2"), run("--radius", "2", "--seed", "1")
	if hills.Bench != "chunk" || hills.Columns != 13 || hills.Meshed < hills.Columns || hills.Sampled < hills.Meshed || hills.Triangles < 1000 ||
		hills.MSPerMesh <= 0 || hills.SurfaceShare < 0.5 || hills.SurfaceShare > 1 || len(hills.SHA256) != 64 {
		t.Errorf("%+v", hills)
	}
	if again.SHA256 != hills.SHA256 {
		t.Errorf("again %s, want %s", again.SHA256, hills.SHA256)
	}
	if flat := run("--radius", "2", "--template", "flat"); flat.Meshed != 13 || flat.Sampled > 26 {
		t.Errorf("flat: %+v", flat)
	}
	refuses(t, []string{"bench", "chunk"}, []refusal{
		{[]string{"--template", "moon"}, "--template moon"},
		{[]string{"--radius", "0"}, "--radius 0 is outside 1 …"},
		{[]string{"--reps", "0"}, "--reps 0 is outside"},
		{[]string{"--mesher", "x"}, "--mesher"},
	})
}
