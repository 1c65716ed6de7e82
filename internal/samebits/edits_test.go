package samebits

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/template"
	"github.com/terrane/terrane/world"
)

// editsHash is the hash of what TestShapesAndPaint surveys.
const editsHash = "54bfeff14d08abb07f3c9eb7e15d264ab7ceda28cd21c0b31cf1269b755ad203"

// TestShapesAndPaint holds what boxes, strokes and paint make of the hills, apart from the hash of the suite, which is
// older than they are.
func TestShapesAndPaint(t *testing.T) {
	base, err := field.Compile(template.Hills(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &surveyor{t: t, grid: grid.New(lattice.ChunkCells), meshers: []mesher.Mesher{mesher.New(mesher.Marching)}}
	for level := uint8(0); level <= 2; level++ {
		w := world.NewLevel(base, level)
		for i, c := range centers {
			at := lattice.Sample{X: c.X, Y: int32(math.Floor(float64(w.Ground(c.X, c.Z)))), Z: c.Z}
			for j, b := range []edit.Brush{
				{Op: edit.Dig, Shape: edit.Box, Extent: geom.Vec3{X: 3.3, Y: 4.7, Z: 2.1}, Radius: 0.9},
				{Op: edit.Build, Shape: edit.Box, Extent: geom.Vec3{X: 2.7, Y: 6.1, Z: 3.9}, Smooth: 1.3},
				{Op: edit.Dig, Shape: edit.Stroke, Extent: geom.Vec3{X: -9.7, Y: 2.3, Z: 5.1}, Radius: 2.3, Smooth: 0.7},
				{Op: edit.Build, Shape: edit.Stroke, Extent: geom.Vec3{X: 7.1, Y: 5.9, Z: -8.3}, Radius: 1.7},
				{Op: edit.Paint, Shape: edit.Ball, Radius: 6.3, Material: 3},
				{Op: edit.Paint, Shape: edit.Stroke, Extent: geom.Vec3{X: 11.3, Z: 7.7}, Radius: 2.9, Material: 1},
				{Op: edit.Paint, Shape: edit.Box, Extent: geom.Vec3{X: 3.1, Y: 5.3, Z: 2.2}, Material: 2},
			} {
				n := int32(j)
				e := edit.Must(edit.Edit{Brush: b, Place: lattice.Place{
					Sample: at.Add(7*n-20, n*n%5-2, 5*n%11-5), Offset: geom.Vec3{X: float32(j) / 9, Y: float32(j) / 13, Z: 1 - float32(j+1)/17},
				}})
				if w.Apply(e); j%2 == 0 {
					e := e.Edit()
					e.Place.Sample = e.Place.Sample.Add(4, 1, 3)
					w.Pend(uint64(10*i+j), edit.Must(e))
				}
			}
			for j := range int32(4) {
				near := at.Add((j&1*20-10)<<level, 0, (j>>1*20-10)<<level)
				s.chunk(fmt.Sprintf("edits@%d, center %d, %d", level, i, j), w, lattice.ChunkOf(near, level))
			}
		}
		hash := binary.LittleEndian.AppendUint64(nil, w.Layer().Hash())
		for _, b := range w.Layer().All() {
			hash = b.AppendBinary(hash)
		}
		s.add(fmt.Sprintf("edits@%d, bricks", level), hash)
	}
	sum := sha256.New()
	for _, p := range s.parts {
		fmt.Fprintf(sum, "%s %x\n", p.name, p.hash)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != editsHash {
		t.Errorf("the hash is %s, want %s", got, editsHash)
	}
}
