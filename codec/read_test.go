package codec

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/terrane/terrane/mesh"
)

// A gltf is the part of a GLB's JSON that the tests look at.
type gltf struct {
	Nodes     []struct{ Translation []float64 }
	Meshes    []struct{ Primitives []primitive }
	Accessors []struct {
		BufferView, ComponentType, Count int
		Min, Max                         []float64
	}
	BufferViews []struct{ ByteOffset, ByteLength int }
	Buffers     []struct{ ByteLength int }
}

type primitive struct {
	Attributes map[string]int
	Indices    int
}

// readGLB reads what writeGLB writes.
func readGLB(t *testing.T, data []byte) (*mesh.Mesh, gltf) {
	t.Helper()
	le := binary.LittleEndian
	if le.Uint32(data) != glbMagic || le.Uint32(data[4:]) != 2 || int(le.Uint32(data[8:])) != len(data) || len(data)%4 != 0 {
		t.Fatalf("header % x for %d bytes", data[:12], len(data))
	}
	n := int(le.Uint32(data[12:]))
	var g gltf
	if err := json.Unmarshal(data[20:20+n], &g); err != nil || le.Uint32(data[16:]) != glbJSON {
		t.Fatalf("%v in %s", err, data[20:20+n])
	}
	bin := data[20+n:]
	if le.Uint32(bin[4:]) != glbBIN || int(le.Uint32(bin)) != len(bin)-8 || g.Buffers[0].ByteLength != len(bin)-8 {
		t.Fatalf("chunk of % x for %d bytes", bin[:8], len(bin)-8)
	}
	bin = bin[8:]
	view := func(accessor int) []byte {
		v := g.BufferViews[g.Accessors[accessor].BufferView]
		return bin[v.ByteOffset : v.ByteOffset+v.ByteLength]
	}
	prim := g.Meshes[0].Primitives[0]
	m := &mesh.Mesh{Positions: floats(view(prim.Attributes["POSITION"]))}
	if normals, ok := prim.Attributes["NORMAL"]; ok {
		m.Normals = floats(view(normals))
	}
	index := g.Accessors[prim.Indices]
	indices := view(prim.Indices)
	for i := range index.Count {
		if index.ComponentType == typeUint16 {
			m.Indices = append(m.Indices, uint32(le.Uint16(indices[2*i:])))
		} else {
			m.Indices = append(m.Indices, le.Uint32(indices[4*i:]))
		}
	}
	return m, g
}

func floats(data []byte) []float32 {
	var list []float32
	for ; len(data) >= 4; data = data[4:] {
		list = append(list, math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return list
}

// readSTL returns a mesh whose triangles share nothing, and the triangles' normals.
func readSTL(t *testing.T, data []byte) (m *mesh.Mesh, normals []float32) {
	t.Helper()
	n := int(binary.LittleEndian.Uint32(data[80:]))
	if len(data) != 84+50*n || bytes.HasPrefix(data, []byte("solid")) {
		t.Fatalf("%d bytes for %d triangles", len(data), n)
	}
	m = &mesh.Mesh{}
	for i := range n {
		f := floats(data[84+50*i : 84+50*i+48])
		normals = append(normals, f[:3]...)
		m.Positions = append(m.Positions, f[3:]...)
		m.Indices = append(m.Indices, uint32(3*i), uint32(3*i+1), uint32(3*i+2))
	}
	return m, normals
}

// readOBJ returns the mesh and its positions as doubles.
func readOBJ(t *testing.T, data []byte) (*mesh.Mesh, []float64) {
	t.Helper()
	m, exact := &mesh.Mesh{}, []float64(nil)
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		words := strings.Fields(s.Text())
		for _, word := range words[1:] {
			switch words[0] {
			case "v", "vn":
				v, err := strconv.ParseFloat(word, 64)
				if err != nil {
					t.Fatal(err)
				}
				if words[0] == "vn" {
					m.Normals = append(m.Normals, float32(v))
					continue
				}
				m.Positions, exact = append(m.Positions, float32(v)), append(exact, v)
			case "f":
				p, n, both := strings.Cut(word, "//")
				v, err := strconv.Atoi(p)
				if err != nil || both && n != p {
					t.Fatalf("%q: %v", word, err)
				}
				m.Indices = append(m.Indices, uint32(v-1))
			}
		}
	}
	return m, exact
}

func readPLY(t *testing.T, data []byte) *mesh.Mesh {
	t.Helper()
	head, body, ok := bytes.Cut(data, []byte("end_header\n"))
	var vertices, faces int
	text := string(head)
	_, after, _ := strings.Cut(text, "element vertex ")
	if _, err := fmt.Sscan(after, &vertices); err != nil || !ok {
		t.Fatalf("%v in %q", err, text)
	}
	_, after, _ = strings.Cut(text, "element face ")
	if _, err := fmt.Sscan(after, &faces); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	m, normals := &mesh.Mesh{}, strings.Contains(text, "property float nx")
	for range vertices {
		m.Positions, body = append(m.Positions, floats(body[:12])...), body[12:]
		if normals {
			m.Normals, body = append(m.Normals, floats(body[:12])...), body[12:]
		}
	}
	for range faces {
		if body[0] != 3 {
			t.Fatalf("a face of %d", body[0])
		}
		for k := range 3 {
			m.Indices = append(m.Indices, binary.LittleEndian.Uint32(body[1+4*k:]))
		}
		body = body[13:]
	}
	if len(body) != 0 {
		t.Fatalf("%d bytes are left", len(body))
	}
	return m
}
