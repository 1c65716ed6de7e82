package builder

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/terrane/terrane/mesh"
)

// TestResultAttributes holds a result to carry every array of a mesh, found by reflection: another value in any of
// them gives other bytes.
func TestResultAttributes(t *testing.T) {
	make3 := func() *mesh.Mesh {
		m := &mesh.Mesh{Indices: []uint32{0, 1, 2}}
		for i := range uint8(3) {
			m.Append(mesh.Vertex{
				Position: [3]float32{float32(i), 0, 1}, Normal: [3]float32{0, 1, 0}, Depth: 3, Materials: [4]uint8{i, 2, 3, 0},
			}, mesh.Normals|mesh.Depths|mesh.Materials)
		}
		return m
	}
	encoded := func(m *mesh.Mesh) []byte { return bytesOf(appendResult(nil, ResultHeader{}, m)) }
	want := encoded(make3())
	if h, err := ParseResult(want); err != nil || h.Vertices != 3 || !h.Materials {
		t.Fatalf("%+v, %v", h, err)
	}
	for f := range reflect.TypeFor[mesh.Mesh]().Fields() {
		m := make3()
		array := reflect.ValueOf(m).Elem().FieldByIndex(f.Index)
		if array.Len() < 3 {
			t.Errorf("the test gives vertices no %s", f.Name)
			continue
		}
		array.Index(1).SetZero()
		if f.Name == "Positions" {
			array.Index(1).SetFloat(5)
		}
		if bytes.Equal(encoded(m), want) {
			t.Errorf("a result does not carry %s", f.Name)
		}
	}
}
