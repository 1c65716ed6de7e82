package cli

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/bench"
)

func TestBenchExtract(t *testing.T) {
	const n = 24
	var data []byte
	for i := range n * n * n {
		x, y, z := float64(i%n)-11.3, float64(i/n%n)-11.4, float64(i/n/n)-11.6
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(8-math.Sqrt(x*x+y*y+z*z))))
	}
	name := filepath.Join(t.TempDir(), "ball.f32")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, stderr := command("bench", "extract", name, "--dims", "24,24,24", "--iso", "0", "--threads", "1", "--reps", "3", "--normals")
	var r bench.ExtractReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK {
		t.Fatalf("%d, %q, %q: %v", status, out, stderr, err)
	}
	if r.Bench != "extract" || len(r.MS) != 3 || r.Triangles != 2*r.Vertices-4 || r.Triangles < 2000 || len(r.SHA256) != 64 {
		t.Errorf("%+v", r) // a closed surface without a handle has twice as many triangles as vertices, less 4
	}
	one := r.SHA256
	status, out, stderr = command("bench", "extract", name, "--dims", "24,24,24", "--threads", "2", "--reps", "1", "--normals")
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || r.SHA256 != one {
		t.Errorf("two threads: %d, %q, %q, %v; one makes %s", status, out, stderr, err, one)
	}
	for _, more := range []string{"--fresh", "--small"} {
		status, out, stderr = command("bench", "extract", name, "--dims", "24,24,24", "--reps", "2", "--normals", more)
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || r.SHA256 != one || r.Fresh != (more == "--fresh") || r.HugePages != (more != "--small") {
			t.Errorf("%s: %d, %q, %q, %v; without it the mesh is %s", more, status, out, stderr, err, one)
		}
	}
	status, out, stderr = command("bench", "extract", filepath.Join("..", "..", "ingest", "testdata", "BallBinary30x30x30.nhdr"), "--iso", "100", "--reps", "1")
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || r.Triangles < 100 {
		t.Errorf("NRRD: %d, %q, %q, %v", status, out, stderr, err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "with --dims NX,NY,NZ"},
		{[]string{"--dims", "24,24"}, "three numbers"},
		{[]string{"--dims", "24,24,25"}, "take 57600 bytes; the file has 55296"},
		{[]string{"--dims", "24,24,0.5"}, "0.5"},
		{[]string{"--dims", "24,24,24", "--reps", "0"}, "--reps 0"},
		{[]string{"--dims", "24,24,24", "--mesher", "x"}, "--mesher"},
	} {
		if status, _, stderr := command(append([]string{"bench", "extract", name}, c.args...)...); status != statusInput || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %q", c.args, status, stderr)
		}
	}
}
