package samebits

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/builder"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/world"
)

//go:embed testdata/hash
var committed string

var update = flag.Bool("update", false, "write the hash found to testdata/hash")

func TestSameBits(t *testing.T) {
	parts := survey(t)
	sum := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(sum, "%s %x\n", p.name, p.hash)
	}
	got := hex.EncodeToString(sum.Sum(nil))
	if *update {
		if err := os.WriteFile("testdata/hash", []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got == strings.TrimSpace(committed) {
		return
	}
	t.Errorf("the hash is %s, want %s; its parts are", got, strings.TrimSpace(committed))
	for _, p := range parts {
		t.Errorf("%x %s", p.hash[:8], p.name)
	}
}

// A part is one chunk of one world, by one mesher or as samples.
type part struct {
	name string
	hash [32]byte
}

// A surveyor hashes chunks.
type surveyor struct {
	t       *testing.T
	parts   []part
	grid    *grid.Grid
	mesh    mesh.Mesh
	meshers []mesher.Mesher
	solid   int // chunks that had a mesh
}

// survey returns the hashes of all parts, in a fixed order.
func survey(t *testing.T) []part {
	s := &surveyor{t: t, grid: grid.New(lattice.ChunkCells)}
	for _, k := range []mesher.Kind{mesher.Marching, mesher.Nets, mesher.Blocks} {
		s.meshers = append(s.meshers, mesher.New(k))
	}
	raster := bumps()
	file := raster.AppendBinary(nil)
	hash := asset.Of(file)
	for _, g := range []struct {
		name  string
		graph *graph.Graph
	}{
		{"hills", template.Hills(1)},
		{"hills, another seed", template.Hills(-7)},
		{"shape", template.Shape()},
		{"flat", template.Flat()},
		{"heightmap", template.Heightmap(hash, heightmap)},
	} {
		base, err := field.Compile(g.graph, func(want asset.Hash) ([]byte, error) {
			if want != hash {
				return nil, fmt.Errorf("asset %v is unknown", want)
			}
			return file, nil
		})
		if err != nil {
			t.Fatalf("%s: %v", g.name, err)
		}
		for level := uint8(0); level <= 2; level++ {
			s.world(fmt.Sprintf("%s@%d", g.name, level), base, level)
		}
	}
	if s.solid < 100 {
		t.Errorf("only %d chunks have a mesh", s.solid)
	}
	return s.parts
}

// heightmap lays bumps out.
var heightmap = template.HeightmapParams{Scale: 0.5, MetersX: 3.7, MetersZ: 5.3, Base: -4}

// bumps returns a small raster whose heights are integer arithmetic alone.
func bumps() *raster.Raster {
	r := &raster.Raster{Width: 41, Height: 37, MetersX: heightmap.MetersX, MetersZ: heightmap.MetersZ, Scale: 0.1}
	for z := range r.Height {
		for x := range r.Width {
			r.Values = append(r.Values, float32((x*x*7+z*z*5+x*z*3)%193+(x*13+z*29)%31))
		}
	}
	return r
}

// centers are where worlds are looked at: at the origin, and as far out as people get.
var centers = []lattice.Sample{{}, {X: 10_000_000, Z: -10_000_000}, {X: -9_999_999, Z: 123_456_789}}

// world hashes a world before and after edits round each center.
func (s *surveyor) world(name string, base field.Terrain, level uint8) {
	w := world.NewLevel(base, level)
	for i, c := range centers {
		at := lattice.Sample{X: c.X, Y: int32(math.Floor(float64(w.Ground(c.X, c.Z)))), Z: c.Z}
		s.chunk(fmt.Sprintf("%s, center %d", name, i), w, lattice.ChunkOf(at, level))
		for _, e := range edits(at) {
			w.Apply(e)
		}
		for j, e := range edits(at.Add(3, 1, -2)) {
			w.Pend(uint64(j), e)
		}
		for j := range int32(4) {
			near := at.Add((j&1*20-10)<<level, 0, (j>>1*20-10)<<level)
			s.chunk(fmt.Sprintf("%s, center %d, edited, %d", name, i, j), w, lattice.ChunkOf(near, level))
		}
		for j := range edits(at) {
			w.Refuse(uint64(j))
		}
	}
	hash := binary.LittleEndian.AppendUint64(nil, w.Layer().Hash())
	for _, b := range w.Layer().All() {
		hash = b.AppendBinary(hash)
	}
	s.add(name+", bricks", hash)
}

// edits returns one edit of each kind round a sample.
func edits(at lattice.Sample) []edit.Checked {
	var all []edit.Checked
	for i, b := range []edit.Brush{
		{Op: edit.Dig, Shape: edit.Ball, Radius: 3},
		{Op: edit.Build, Shape: edit.Ball, Radius: 4.3},
		{Op: edit.Dig, Shape: edit.Ball, Radius: 5.7, Smooth: 2},
		{Op: edit.Build, Shape: edit.Ball, Radius: 2.1, Smooth: 0.7},
		{Op: edit.Dig, Shape: edit.Ball, Radius: 0.25},
	} {
		n := int32(i)
		all = append(all, edit.Must(edit.Edit{Brush: b, Place: lattice.Place{
			Sample: at.Add(9*n-18, n*n%5-2, 5*n%11-5),
			Offset: geom.Vec3{X: float32(i) / 7, Y: float32(i) / 11, Z: 1 - float32(i+1)/13},
		}}))
	}
	return all
}

// chunk adds the samples of a chunk and its mesh by each mesher.
func (s *surveyor) chunk(name string, w *world.World, c lattice.Chunk) {
	s.grid.Chunk = c
	w.Fill(s.grid)
	s.add(name+", samples", appendFloats(appendFloats(nil, s.grid.Samples), s.grid.Ground))
	for i, mr := range s.meshers {
		if w.Build(&s.mesh, s.grid, c, mr, 0) {
			s.solid++
		}
		data := appendFloats(appendFloats(appendFloats(nil, s.mesh.Positions), s.mesh.Normals), s.mesh.Depths)
		for _, v := range s.mesh.Indices {
			data = binary.LittleEndian.AppendUint32(data, v)
		}
		data = append(data, s.mesh.Materials...)
		s.add(fmt.Sprintf("%s, %v", name, mesher.Kind(i)), data)
	}
}

func appendFloats(dst []byte, list []float32) []byte {
	for _, v := range list {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	return dst
}

func (s *surveyor) add(name string, data []byte) {
	s.parts = append(s.parts, part{name, sha256.Sum256(data)})
}

// TestBuilderSameBits holds the builder, which is what the browser runs, to the mesh of a world.
func TestBuilderSameBits(t *testing.T) {
	graph := template.Hills(1)
	b, err := builder.New(graph.AppendBinary(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	base, err := field.Compile(graph, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := world.New(base)
	at := lattice.Sample{Y: int32(w.Ground(0, 0))}
	job := builder.Job{Chunk: lattice.ChunkOf(at, 0)}
	for _, e := range edits(at) {
		w.Apply(e)
	}
	for id, k := range w.Layer().All() {
		c := job.Chunk
		if max(id.X-c.X, c.X-id.X, id.Y-c.Y, c.Y-id.Y, id.Z-c.Z, c.Z-id.Z) <= 1 {
			job.Bricks = append(job.Bricks, builder.JobBrick{ID: id, Hash: k.Hash(), Data: k.AppendBinary(nil)})
		}
	}
	result, err := b.Build(job.AppendBinary(nil))
	if err != nil {
		t.Fatal(err)
	}
	var m mesh.Mesh
	if !w.Build(&m, grid.New(lattice.ChunkCells), job.Chunk, mesher.New(mesher.Marching), 0) {
		t.Fatal("no mesh")
	}
	want := appendFloats(nil, m.Positions)
	if !bytes.HasPrefix(result[builder.HeaderSize:], want) {
		t.Error("the builder's vertices are not the world's")
	}
}
