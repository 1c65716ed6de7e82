package builder

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/testground"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/world"
)

var ground = testground.Ground{Height: 3.25, SlopeX: 0.375, SlopeZ: -0.25, Rough: 0.5}

func ball(op edit.Op, r, k float32, x, y, z int32) edit.Checked {
	return edit.Must(edit.Edit{
		Op: op, Shape: edit.Ball, Radius: r, Smooth: k,
		Place: lattice.Place{Sample: lattice.Sample{X: x, Y: y, Z: z}, Offset: geom.Vec3{X: 0.25, Z: 0.5}},
	})
}

// edited returns a world with confirmed and pending edits round the origin.
func edited(level uint8) *world.World {
	w, r := world.NewLevel(ground, level), rand.New(rand.NewPCG(1, uint64(level)))
	for i := range uint64(40) {
		e := ball(edit.Op(1+r.IntN(2)), 1+4*r.Float32(), float32(r.IntN(2)), r.Int32N(80)-40, r.Int32N(20)-10, r.Int32N(80)-40)
		if i%4 == 0 {
			w.Pend(i, e)
		} else {
			w.Apply(e)
		}
	}
	return w
}

// jobFor returns the job for a chunk as a session would send it. with says which bricks come with their data.
func jobFor(w *world.World, c lattice.Chunk, kind mesher.Kind, with func(lattice.Brick) bool) *Job {
	j := &Job{Chunk: c, Version: 7, Mesher: kind, Pending: w.PendingIn(nil, c)}
	for z := c.Z - 1; z <= c.Z+1; z++ {
		for y := c.Y - 1; y <= c.Y+1; y++ {
			for x := c.X - 1; x <= c.X+1; x++ {
				id := lattice.Brick{X: x, Y: y, Z: z, Level: c.Level}
				b := w.Layer().Brick(id)
				if b == nil {
					continue
				}
				jb := JobBrick{ID: id, Hash: b.Hash()}
				if with(id) {
					jb.Data = b.AppendBinary(nil)
				}
				j.Bricks = append(j.Bricks, jb)
			}
		}
	}
	return j
}

func all(lattice.Brick) bool  { return true }
func none(lattice.Brick) bool { return false }

// decode reads the mesh of a result, the normals as they were packed.
func decode(t *testing.T, data []byte) (ResultHeader, *mesh.Mesh, []byte) {
	t.Helper()
	h, err := ParseResult(data)
	if err != nil {
		t.Fatal(err)
	}
	m, n := new(mesh.Mesh), h.Vertices
	floats := func(data []byte, n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		return out
	}
	data = data[HeaderSize:]
	m.Positions = floats(data, 3*n)
	normals := data[12*n : 16*n]
	m.Depths = floats(data[16*n:], n)
	data = data[20*n:]
	if h.Materials {
		m.Materials, data = data[:4*n], data[4*n:]
	}
	for i := range h.Indices {
		at := i * h.IndexBytes
		if h.IndexBytes == 2 {
			m.Indices = append(m.Indices, uint32(binary.LittleEndian.Uint16(data[at:])))
		} else {
			m.Indices = append(m.Indices, binary.LittleEndian.Uint32(data[at:]))
		}
	}
	return h, m, normals
}

// TestBuild holds the result of a builder against the mesh that the world builds itself.
func TestBuild(t *testing.T) {
	b, g, want := NewTerrain(ground), grid.New(lattice.ChunkCells), new(mesh.Mesh)
	for level := uint8(0); level <= 1; level++ {
		w := edited(level)
		for _, kind := range []mesher.Kind{mesher.Marching, mesher.Nets, mesher.Blocks} {
			for _, c := range []lattice.Chunk{{}, {X: -1}, {Y: -1, Z: -1}, {Y: 3}, {Y: -4}} {
				c.Level = level
				data, err := b.Build(jobFor(w, c, kind, all).AppendBinary(nil))
				if err != nil {
					t.Fatal(err)
				}
				h, got, normals := decode(t, data)
				built := w.Build(want, g, c, mesher.New(kind), 0)
				if h.Chunk != c || h.Version != 7 || h.Mesher != kind || h.Missing || h.Empty != !built {
					t.Fatalf("%v, %v: header %+v, surface %v", c, kind, h, built)
				}
				if !slices.Equal(got.Positions, want.Positions) || !slices.Equal(got.Depths, want.Depths) ||
					!slices.Equal(got.Indices, want.Indices) {
					t.Fatalf("%v, %v: %d vertices, %d triangles, want %d, %d", c, kind,
						got.Vertices(), got.Triangles(), want.Vertices(), want.Triangles())
				}
				for i, v := range want.Normals {
					if packed := float32(int8(normals[i/3*4+i%3])) / 127; math.Abs(float64(packed-v)) > 0.5/127+1e-6 {
						t.Fatalf("%v, %v: normal %v is packed as %v", c, kind, v, packed)
					}
				}
			}
		}
	}
}

// built builds a job that must be buildable and returns the result's header and all of its bytes.
func built(t *testing.T, b *Builder, j *Job) (ResultHeader, []byte) {
	t.Helper()
	data, err := b.Build(j.AppendBinary(nil))
	if err != nil {
		t.Fatal(err)
	}
	h, err := ParseResult(data)
	if err != nil {
		t.Fatal(err)
	}
	return h, data
}

// TestCache sends bricks once and then by hash alone.
func TestCache(t *testing.T) {
	w, b, c := edited(0), NewTerrain(ground), lattice.Chunk{}
	build := func(j *Job) ResultHeader {
		t.Helper()
		h, _ := built(t, b, j)
		return h
	}
	if h := build(jobFor(w, c, mesher.Blocks, none)); !h.Missing || h.Vertices != 0 || h.Empty {
		t.Errorf("without any brick: %+v", h)
	}
	half := func(id lattice.Brick) bool { return id.X < 0 }
	if h := build(jobFor(w, c, mesher.Blocks, half)); !h.Missing {
		t.Errorf("with half of the bricks: %+v", h)
	}
	rest := func(id lattice.Brick) bool { return id.X >= 0 }
	if h := build(jobFor(w, c, mesher.Blocks, rest)); h.Missing { // the others are kept from before
		t.Errorf("with the rest: %+v", h)
	}
	if h := build(jobFor(w, c, mesher.Blocks, none)); h.Missing || h.Empty {
		t.Errorf("again, by hash: %+v", h)
	}
	w.Apply(ball(edit.Dig, 3, 0, 5, 0, 5))
	if h := build(jobFor(w, c, mesher.Blocks, none)); !h.Missing {
		t.Errorf("after an edit, by hash: %+v", h)
	}
}

func TestBuildRefuses(t *testing.T) {
	w, c := edited(0), lattice.Chunk{}
	good := jobFor(w, c, mesher.Blocks, all)
	for _, k := range []struct {
		name  string
		spoil func(*Job)
		want  error
	}{
		{"corrupt brick", func(j *Job) { j.Bricks[0].Data = []byte("nonsense") }, brick.ErrCorrupt},
		{"other brick", func(j *Job) { j.Bricks[0].Data = j.Bricks[1].Data }, ErrCorrupt},
		{"other hash", func(j *Job) { j.Bricks[0].Hash++ }, ErrCorrupt},
	} {
		j := *good
		j.Bricks = slices.Clone(j.Bricks)
		k.spoil(&j)
		b := NewTerrain(ground)
		if data, err := b.Build(j.AppendBinary(nil)); !errors.Is(err, k.want) || data != nil {
			t.Errorf("%s: %v, want %v", k.name, err, k.want)
		}
		if data, err := b.Build(good.AppendBinary(nil)); err != nil || len(data) == 0 {
			t.Errorf("%s: the next job fails too: %v", k.name, err)
		}
	}
}

func TestNew(t *testing.T) {
	if _, err := New([]byte("nonsense"), nil); !errors.Is(err, graph.ErrCorrupt) {
		t.Errorf("a graph of nonsense: %v", err)
	}
	b, err := New(template.Flat().AppendBinary(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	surface := 0
	for y := int32(-3); y < 3; y++ {
		data, err := b.Build((&Job{Chunk: lattice.Chunk{Y: y}, Mesher: mesher.Blocks}).AppendBinary(nil))
		if h, _ := ParseResult(data); err != nil || h.Missing {
			t.Errorf("layer %d: %+v, %v", y, h, err)
		} else if !h.Empty {
			surface++
		}
	}
	if surface == 0 {
		t.Error("a flat world has no surface")
	}
}

func TestNoAllocation(t *testing.T) {
	w, b := edited(0), NewTerrain(ground)
	var jobs [][]byte
	for _, kind := range []mesher.Kind{mesher.Marching, mesher.Nets, mesher.Blocks} {
		for _, c := range []lattice.Chunk{{}, {X: -1}, {Y: -1, Z: -1}} {
			if _, err := b.Build(jobFor(w, c, kind, all).AppendBinary(nil)); err != nil {
				t.Fatal(err)
			}
			jobs = append(jobs, jobFor(w, c, kind, none).AppendBinary(nil))
		}
	}
	if n := testing.AllocsPerRun(5, func() {
		for _, job := range jobs {
			if _, err := b.Build(job); err != nil {
				t.Error(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations for %d jobs", n, len(jobs))
	}
}

// A brick's cost is the memory that it takes.
func TestCacheLimit(t *testing.T) {
	w := edited(1)
	b := NewTerrain(testground.Ground{})
	if _, err := b.Build(jobFor(w, lattice.Chunk{Level: 1}, mesher.Marching, all).AppendBinary(nil)); err != nil {
		t.Fatal(err)
	}
	size, n := 0, 0
	for _, k := range w.Layer().All() {
		if _, ok := b.cache.Get(brickKey{k.ID(), k.Hash()}); ok {
			size, n = size+k.SizeBytes(), n+1
		}
	}
	if n == 0 || n != b.cache.Len() || size != b.cache.Cost() {
		t.Errorf("%d bricks of %d bytes, counted %d of %d", n, size, b.cache.Len(), b.cache.Cost())
	}
}

func TestJobRoundTrip(t *testing.T) {
	w := edited(1)
	for _, j := range []*Job{
		{},
		{Chunk: lattice.Chunk{X: -1 << 25, Y: 1<<25 - 1, Z: 5}, Version: 1 << 31, Mesher: mesher.Blocks},
		jobFor(w, lattice.Chunk{Level: 1}, mesher.Nets, all),
		jobFor(w, lattice.Chunk{X: -1, Level: 1}, mesher.Marching, func(id lattice.Brick) bool { return id.Y == 0 }),
	} {
		data := j.AppendBinary(nil)
		got, err := ParseJob(data)
		if err != nil {
			t.Fatalf("%+v: %v", j.Chunk, err)
		}
		if again := got.AppendBinary(nil); !bytes.Equal(again, data) {
			t.Errorf("%+v reads as %+v", j.Chunk, got.Chunk)
		}
		for n := range data {
			if _, err := ParseJob(data[:n]); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("cut to %d bytes of %d: %v", n, len(data), err)
			}
		}
	}
}

func TestParseJobRefuses(t *testing.T) {
	brickAt := func(x int32) JobBrick { return JobBrick{ID: lattice.Brick{X: x}} }
	dig := ball(edit.Dig, 3, 0, 0, 0, 0)
	good := (&Job{Bricks: []JobBrick{brickAt(-1), brickAt(1)}, Pending: []edit.Checked{dig}}).AppendBinary(nil)
	with := func(at int, b ...byte) []byte {
		data := bytes.Clone(good)
		copy(data[at:], b)
		return data
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"magic", with(0, 'X'), ErrCorrupt},
		{"version", with(4, 9), ErrVersion},
		{"level", with(5, lattice.MaxLevel+1), ErrCorrupt},
		{"mesher", with(6, 3), ErrCorrupt},
		{"finer faces", with(7, 1), ErrCorrupt},
		{"outside the world", with(8, 0, 0, 0, 2), ErrCorrupt},
		{"number of bricks", with(24, MaxBricks+1), ErrTooLarge},
		{"number of tiles", with(28, MaxTiles+1), ErrTooLarge},
		{"tiles cut short", with(28, 40), ErrCorrupt},
		{"number of edits", with(26, 0xff, 0xff), ErrTooLarge},
		{"fewer edits", with(26, 0), ErrCorrupt},
		{"a brick too far off", with(jobHeader, 2, 0, 0, 0), ErrCorrupt},
		{"a brick far off", with(jobHeader, 0, 0, 0, 0x80), ErrCorrupt},
		{"a brick twice", with(jobHeader, 1, 0, 0, 0), ErrCorrupt},
		{"data longer than the job", with(jobHeader+20, 0xff, 0xff, 0, 0), ErrCorrupt},
		{"data of no length", with(jobHeader+20, 0xff, 0xff, 0xff, 0xff), ErrCorrupt},
		{"edit", with(len(good)-len(dig.AppendBinary(nil))+1, 9), edit.ErrCorrupt},
		{"bytes after it", append(bytes.Clone(good), 0), ErrCorrupt},
		{"too long", make([]byte, MaxJob+1), ErrTooLarge},
	} {
		if j, err := ParseJob(c.data); !errors.Is(err, c.want) || j != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestResult(t *testing.T) {
	for _, vertices := range []int{3, 65535, 65536} {
		m := &mesh.Mesh{Positions: make([]float32, 3*vertices), Normals: make([]float32, 3*vertices), Indices: []uint32{0, 1, uint32(vertices - 1)}}
		m.Positions[4], m.Normals[5] = 1.5, -1
		if vertices != 65535 {
			m.Materials = slices.Repeat([]uint8{3, 7, 128, 0}, vertices)
		}
		want := ResultHeader{
			Chunk: lattice.Chunk{X: -3, Y: 2, Z: 1, Level: 4}, Version: 9, Mesher: mesher.Nets, Micros: 77,
			Vertices: vertices, Indices: 3, IndexBytes: 2, Materials: len(m.Materials) != 0,
		}
		if vertices > 65535 {
			want.IndexBytes = 4
		}
		data := bytes.Clone(bytesOf(appendResult(make([]uint32, 1), want, m)[1:]))
		h, got, normals := decode(t, data)
		if h != want || !slices.Equal(got.Positions, m.Positions) || !slices.Equal(got.Indices, m.Indices) || !slices.Equal(got.Materials, m.Materials) || len(got.Depths) != vertices {
			t.Errorf("%d vertices: header %+v, want %+v", vertices, h, want)
		}
		if int8(normals[6]) != -127 || normals[7] != 0 || len(data)%4 != 0 {
			t.Errorf("normal %v, %d bytes", normals[4:8], len(data))
		}
		if head, err := ParseHeader(data[:HeaderSize]); err != nil || head != want {
			t.Errorf("header alone: %+v, %v", head, err)
		}
		for _, n := range []int{0, 63, 64, len(data) - 1} {
			if _, err := ParseResult(data[:n]); !errors.Is(err, ErrCorrupt) {
				t.Errorf("cut to %d bytes: %v", n, err)
			}
		}
		for at, v := range map[int]byte{0: 'X', 20: 13, 28: 3, 29: 1, 32: 1, 40: 3, 44: 8, 52: 1} {
			bad := bytes.Clone(data)
			bad[at] = v
			if _, err := ParseResult(bad); !errors.Is(err, ErrCorrupt) && !(at == 32 && vertices == 65537) {
				t.Errorf("byte %d is %d: %v", at, v, err)
			}
		}
		data[4] = 1
		if _, err := ParseResult(data); !errors.Is(err, ErrVersion) {
			t.Errorf("version 1: %v", err)
		}
	}
}

func TestBytesOf(t *testing.T) {
	if got := bytesOf([]uint32{0x04030201, 0x08070605}); !bytes.Equal(got, []byte{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("the memory of this machine is not little-endian: %x", got)
	}
	if len(bytesOf(nil)) != 0 || len(bitsOf(nil)) != 0 {
		t.Error("nothing has bytes")
	}
}

func TestSnorm(t *testing.T) {
	for v, want := range map[float32]int8{
		0: 0, 1: 127, -1: -127, 2: 127, -2: -127, 0.5: 64, -0.5: -64, 0.001: 0, 1.49 / 127: 1, -1.51 / 127: -2,
		float32(math.NaN()): 0, float32(math.Inf(1)): 127, float32(math.Inf(-1)): -127,
	} {
		if got := int8(snorm(v)); got != want {
			t.Errorf("%v is %d, want %d", v, got, want)
		}
	}
}

func FuzzBuild(f *testing.F) {
	w := edited(0)
	f.Add((&Job{}).AppendBinary(nil))
	f.Add(jobFor(w, lattice.Chunk{X: -1}, mesher.Nets, all).AppendBinary(nil))
	f.Add(jobFor(w, lattice.Chunk{}, mesher.Blocks, none).AppendBinary(nil))
	b := NewTerrain(ground)
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := ParseJob(data)
		if err == nil && !bytes.Equal(j.AppendBinary(nil), data) {
			t.Fatalf("%x reads as %+v", data, j)
		}
		result, buildErr := b.Build(data)
		if err != nil && buildErr == nil {
			t.Fatalf("a job that is refused is built: %v", err)
		}
		if buildErr == nil {
			if _, err := ParseResult(result); err != nil {
				t.Fatal(err)
			}
		}
	})
}
