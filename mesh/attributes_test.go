package mesh

import (
	"reflect"
	"slices"
	"testing"

	"github.com/terrane/terrane/geom"
)

// complete returns a mesh of n vertices in a fan of triangles. By reflection, every slice of the struct is filled, so
// that an attribute that is added to Mesh is in here.
func complete(t *testing.T, n int) *Mesh {
	m := &Mesh{}
	known := map[string]bool{"Indices": true}
	for _, a := range m.attributes() {
		for i := range reflect.TypeFor[Mesh]().NumField() {
			field := reflect.ValueOf(m).Elem().Field(i)
			p := field.Addr().Interface()
			if p != any(a.floats) && p != any(a.bytes) {
				continue
			}
			known[reflect.TypeFor[Mesh]().Field(i).Name] = true
			field.Set(reflect.MakeSlice(field.Type(), a.width*n, a.width*n))
			for j := range a.width * n {
				value := reflect.ValueOf(j + 1 + 10*i)
				field.Index(j).Set(value.Convert(field.Type().Elem()))
			}
		}
	}
	for f := range reflect.TypeFor[Mesh]().Fields() {
		if !known[f.Name] {
			t.Fatalf("Mesh.%s is not in the table of attributes", f.Name)
		}
		if _, ok := reflect.TypeFor[Arrays]().FieldByName(f.Name); !ok && f.Name != "Indices" {
			t.Fatalf("Arrays lacks %s", f.Name)
		}
	}
	if mesh, vertex := len(known)-1, reflect.TypeFor[Vertex]().NumField(); vertex != mesh {
		t.Fatalf("Vertex has %d fields for %d arrays", vertex, mesh)
	}
	for i := 2; i < n; i++ {
		m.Indices = append(m.Indices, 0, uint32(i-1), uint32(i))
	}
	return m
}

// vertices returns all numbers of each vertex, read by reflection, but for its position if asked.
func vertices(m *Mesh, positions bool) [][]float64 {
	all := make([][]float64, m.Vertices())
	for i := range reflect.TypeFor[Mesh]().NumField() {
		name, field := reflect.TypeFor[Mesh]().Field(i).Name, reflect.ValueOf(m).Elem().Field(i)
		if name == "Indices" || name == "Positions" && !positions {
			continue
		}
		for j := range field.Len() {
			v := j * len(all) / field.Len()
			all[v] = append(all[v], field.Index(j).Convert(reflect.TypeFor[float64]()).Float())
		}
	}
	return all
}

// TestAttributes holds every attribute of the struct, found by reflection, to survive whatever moves vertices.
func TestAttributes(t *testing.T) {
	const n = 7
	same := func(what string, got, want [][]float64) {
		t.Helper()
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s:\n got %v\nwant %v", what, got, want)
		}
	}
	m := complete(t, n)
	if _, err := m.Check(); err != nil {
		t.Fatal(err)
	}
	want, bare := vertices(m, true), vertices(m, false)

	one := &Mesh{}
	for v := range n {
		one.Append(m.Vertex(v), m.Attributes())
	}
	same("Append", vertices(one, true), want)

	two := &Mesh{}
	two.AppendMesh(m, geom.Vec3{})
	two.AppendMesh(m, geom.Vec3{X: 100, Y: 200, Z: 300})
	same("AppendMesh", vertices(two, true)[:n], want)
	same("AppendMesh, moved", vertices(two, false), slices.Concat(bare, bare))
	if p := two.Vertex(n).Position; p != [3]float32{m.Positions[0] + 100, m.Positions[1] + 200, m.Positions[2] + 300} {
		t.Errorf("moved to %v", p)
	}
	if two.Indices[len(m.Indices)] != n {
		t.Errorf("indices %v", two.Indices)
	}

	two.Resize(0, 0)
	two.AppendMesh(m, geom.Vec3{})
	two.AppendMesh(m, geom.Vec3{}) // equal positions: the first of each two stays
	two.Weld()
	same("Weld", vertices(two, true), want)

	two.Flip()
	same("Flip", vertices(two, true), want)

	few := complete(t, n)
	few.Indices = []uint32{1, 2, 5}
	few.dropOrphans()
	same("dropping", vertices(few, true), [][]float64{want[1], want[2], want[5]})

	few.Move(0, 1, 2)
	few.Resize(2, 0)
	same("Move", vertices(few, true), [][]float64{want[2], want[5]})

	few.Reserve(100, 300, few.Attributes(), nil)
	if few.Room(few.Attributes()) < 100 {
		t.Errorf("room for %d", few.Room(few.Attributes()))
	}
	same("Reserve", vertices(few, true), [][]float64{want[2], want[5]})

	s, from := few.Slice(0, 2), m.Slice(3, 2)
	for i := range reflect.TypeFor[Arrays]().NumField() {
		reflect.Copy(reflect.ValueOf(s).Field(i), reflect.ValueOf(from).Field(i))
	}
	same("Slice", vertices(few, true), want[3:5])
}

// TestResizeMixed checks that what only some vertices come with is 0 for the others, and that reused memory does not
// show.
func TestResizeMixed(t *testing.T) {
	m := complete(t, 5)
	m.Reset()
	m.Append(Vertex{Position: [3]float32{1, 2, 3}}, 0)
	m.Append(Vertex{Depth: 4, Materials: [4]uint8{5, 6, 7, 0}}, Depths|Materials)
	m.Append(Vertex{Position: [3]float32{8, 9, 10}}, 0)
	if want := []float32{0, 4, 0}; !slices.Equal(m.Depths, want) {
		t.Errorf("depths %v, want %v", m.Depths, want)
	}
	if want := []uint8{0, 0, 0, 0, 5, 6, 7, 0, 0, 0, 0, 0}; !slices.Equal(m.Materials, want) {
		t.Errorf("materials %v, want %v", m.Materials, want)
	}
	if _, err := m.Check(); err != nil || len(m.Normals) != 0 || m.Attributes() != Depths|Materials {
		t.Errorf("%v, %d normals", err, len(m.Normals))
	}
}

// Meshes with different attributes are appended to each other: a vertex without an attribute that others have is 0 there.
func TestAppendMeshMixed(t *testing.T) {
	one := func(has Attributes) *Mesh {
		m := &Mesh{}
		m.Append(Vertex{Position: [3]float32{1, 2, 3}, Normal: [3]float32{0, 1, 0}, Depth: 4, Materials: [4]uint8{5, 6, 7, 0}}, has)
		return m
	}
	all := Normals | Depths | Materials
	for first := Attributes(0); first <= all; first++ {
		for second := Attributes(0); second <= all; second++ {
			m := one(first)
			m.AppendMesh(one(second), geom.Vec3{X: 10})
			if _, err := m.Check(); err != nil || m.Vertices() != 2 || m.Attributes() != first|second || m.Positions[3] != 11 {
				t.Fatalf("%03b and %03b: %v, %+v", first, second, err, m)
			}
			for i, has := range []Attributes{first, second} {
				if has&Depths == 0 && m.Attributes()&Depths != 0 && m.Depths[i] != 0 {
					t.Errorf("%03b and %03b: vertex %d has depth %v", first, second, i, m.Depths[i])
				}
			}
		}
	}
}
