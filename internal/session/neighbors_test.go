package session

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
)

// TestMeshedBeforeTheNeighborWasThere is case 13: the bricks of 3×3×3 chunks, the entries behind them and the
// results of builders come in 200 random orders, up to half a second late, a few of them twice. The final
// meshes are the same bytes each time, and welded together they are the mesh of one whole grid.
func TestMeshedBeforeTheNeighborWasThere(t *testing.T) {
	orders := 200
	if testing.Short() {
		orders = 4
	}
	r := rand.New(rand.NewPCG(13, 13))
	var edits []edit.Edit
	for range 40 {
		e := edit.Edit{Place: place(r.Float64()*96, r.Float64()*96, r.Float64()*96),
			Op: edit.Build, Shape: edit.Ball, Radius: 4 + 6*r.Float32(), Smooth: 2 * r.Float32()}
		if r.IntN(3) == 0 {
			e.Op = edit.Dig
		}
		edits = append(edits, e)
	}
	var first asset.Hash
	for order := range orders {
		c := arrive(t, edits, rand.New(rand.NewPCG(uint64(order), 31)))
		hash := c.hash()
		switch {
		case order == 0:
			first = hash
			compareWhole(t, c)
		case hash != first:
			t.Fatalf("order %d ends with other meshes than order 0", order)
		}
	}
}

// arrive lets a client come to a world in which edits are being made, with everything late and out of order.
func arrive(t *testing.T, edits []edit.Edit, r *rand.Rand) *client {
	sv := newServer(t, template.Flat())
	c := newClient(t, sv, Config{Builders: 2, Radius: 2})
	c.check = false
	c.s.Start(0)
	c.s.View(0, place(48, 48, 48), 0, 0)
	made := r.IntN(len(edits)) // what is there before
	for _, e := range edits[:made] {
		sv.append(record{edit: edit.Must(e)}, 0)
	}
	for made < len(edits) {
		if c.now += time.Duration(r.IntN(500)) * time.Millisecond; r.IntN(6) == 0 {
			sv.append(record{edit: edit.Must(edits[made])}, 0)
			made++
		}
		switch fetches, jobs := slices.Clone(c.fetches), slices.Clone(c.jobs); {
		case r.IntN(10) == 0 && len(fetches) > 0: // twice
			c.fetch(0)
			c.s.Fetched(c.now, fetches[0], sv.content[fetches[0]])
		case r.IntN(10) == 0 && len(jobs) > 0:
			c.build(0)
			if result, ok := c.kept[jobs[0].ticket]; ok {
				c.s.Built(c.now, jobs[0].ticket, result)
			}
		case r.IntN(10) == 0 && c.conn != nil && len(c.conn.out) > 0 && c.s.world != nil && c.s.Status().Syncing == 0:
			frame := c.conn.out[0]
			c.deliver()
			c.s.Receive(c.now, frame)
		default:
			c.step(r)
		}
	}
	settle(c)
	if c.s.Status().State != Live || len(c.connects) != 1 {
		t.Fatalf("status %+v after %d connections", c.s.Status(), len(c.connects))
	}
	return c
}

// hash returns a hash of the meshes of the chunks 0 … 2.
func (c *client) hash() asset.Hash {
	h := sha256.New()
	for z := range int32(3) {
		for y := range int32(3) {
			for x := range int32(3) {
				h.Write([]byte{byte(x), byte(y), byte(z)})
				h.Write(c.screen[lattice.Chunk{X: x, Y: y, Z: z}].mesh)
			}
		}
	}
	return asset.Hash(h.Sum(nil))
}

// compareWhole compares the meshes of the chunks 0 … 2 on the screen, welded, with the mesh of one grid of 96³.
func compareWhole(t *testing.T, c *client) {
	var parts mesh.Mesh
	chunks := 0
	for z := range int32(3) {
		for y := range int32(3) {
			for x := range int32(3) {
				if s, ok := c.screen[lattice.Chunk{X: x, Y: y, Z: z}]; ok {
					chunks++
					appendResult(&parts, s, [3]float32{float32(32 * x), float32(32 * y), float32(32 * z)})
				}
			}
		}
	}
	if chunks < 25 {
		t.Errorf("only %d of 27 chunks have surface", chunks)
	}
	g := grid.New(96)
	c.server.world.Layer().Fill(g)
	var whole mesh.Mesh
	mesher.New(mesher.Marching).Mesh(&whole, g, 0)
	got, want := triangles(&parts), triangles(&whole)
	if len(got) != len(want) {
		t.Fatalf("%d triangles, the whole grid's mesh has %d", len(got), len(want))
	}
	for k := range want {
		if !got[k] {
			t.Fatalf("no chunk has the triangle %v", k)
		}
	}
}

// appendResult appends the mesh of a result to m, moved by an offset.
func appendResult(m *mesh.Mesh, s sight, o [3]float32) {
	le, base := binary.LittleEndian, uint32(m.Vertices())
	for i := range 3 * s.vertices {
		m.Positions = append(m.Positions, math.Float32frombits(le.Uint32(s.mesh[4*i:]))+o[i%3])
	}
	indices := s.mesh[20*s.vertices:]
	for i := range s.indices {
		m.Indices = append(m.Indices, base+uint32(le.Uint16(indices[2*i:]))) // none here has 65,536 vertices
	}
}

// A corner names a vertex by the lattice edge it lies on: the edge's low sample and axis. One that lies on a
// sample has no axis.
type corner struct{ x, y, z, axis int32 }

// triangles returns the triangles of m by their corners, the smallest first: meshes that differ by rounding
// and by the order of things are equal. Triangles without extent are left out.
func triangles(m *mesh.Mesh) map[[3]corner]bool {
	at := func(v uint32) corner {
		c := corner{axis: -1}
		for i, low := range []*int32{&c.x, &c.y, &c.z} {
			p := float64(m.Positions[3*v+uint32(i)])
			if *low = int32(math.Round(p)); math.Abs(p-math.Round(p)) > 1e-4 {
				*low, c.axis = int32(math.Floor(p)), int32(i)
			}
		}
		return c
	}
	set := make(map[[3]corner]bool)
	for i := 0; i < len(m.Indices); i += 3 {
		k := [3]corner{at(m.Indices[i]), at(m.Indices[i+1]), at(m.Indices[i+2])}
		if k[0] == k[1] || k[1] == k[2] || k[2] == k[0] {
			continue
		}
		for range 2 {
			if n := [3]corner{k[1], k[2], k[0]}; slices.Compare(key(n), key(k)) < 0 {
				k = n
			}
		}
		set[k] = true
	}
	return set
}

func key(k [3]corner) []int32 {
	return []int32{k[0].x, k[0].y, k[0].z, k[0].axis, k[1].x, k[1].y, k[1].z, k[1].axis}
}
