package mesh

// A Mesh is an indexed triangle mesh. Its slices keep their memory over Reset, so one mesh per goroutine
// serves any number of chunks. Triangles run counter-clockwise seen from the air.
type Mesh struct {
	Positions []float32 // x, y, z per vertex, in meters from the origin its maker states (a chunk's low corner)
	Normals   []float32 // x, y, z per vertex, unit length, pointing into the air
	Depths    []float32 // per vertex: meters below the generated ground, negative above it; empty if unknown
	Indices   []uint32  // three per triangle
	// Materials holds four bytes per vertex, or nothing: the material of the solid and that of the air sample
	// between which the vertex lies, the weight of the second from 0 to 255, and 0.
	Materials []uint8
}

// Reset empties the mesh and keeps its memory.
func (m *Mesh) Reset() {
	m.Positions, m.Normals = m.Positions[:0], m.Normals[:0]
	m.Depths, m.Indices, m.Materials = m.Depths[:0], m.Indices[:0], m.Materials[:0]
}

// Vertices returns the number of vertices.
func (m *Mesh) Vertices() int { return len(m.Positions) / 3 }

// Triangles returns the number of triangles.
func (m *Mesh) Triangles() int { return len(m.Indices) / 3 }
