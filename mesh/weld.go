package mesh

import "math"

// Weld makes one vertex of all that have equal positions (of which the first keeps its normal, depth and materials)
// and drops the triangles that then have two corners in one place, and vertices that no triangle uses.
// What was closed by index stays balanced: the two sides of a dropped triangle were each other's opposites.
func (m *Mesh) Weld() {
	n := m.Vertices()
	to := make([]uint32, n) // the first vertex at each vertex's place
	slots := make([]uint32, slotsFor(n))
	mask := uint32(len(slots) - 1)
	for v := range uint32(n) {
		p := m.place(v)
		h := p.hash() & mask
		for slots[h] != 0 && m.place(slots[h]-1) != p {
			h = (h + 1) & mask
		}
		if slots[h] == 0 {
			slots[h] = v + 1
		}
		to[v] = slots[h] - 1
	}
	kept := m.Indices[:0]
	for i := 0; i+2 < len(m.Indices); i += 3 {
		a, b, c := to[m.Indices[i]], to[m.Indices[i+1]], to[m.Indices[i+2]]
		if a != b && b != c && c != a {
			kept = append(kept, a, b, c)
		}
	}
	m.Indices = kept
	m.dropOrphans()
}

// place is a position to be compared: its bits, with −0 as +0.
type place [3]uint32

func (m *Mesh) place(v uint32) (p place) {
	for i, f := range m.Positions[3*v : 3*v+3] {
		p[i] = math.Float32bits(f + 0)
	}
	return p
}

func (p place) hash() uint32 {
	h := uint64(p[0])*0x9e3779b97f4a7c15 ^ uint64(p[1])*0xc2b2ae3d27d4eb4f ^ uint64(p[2])*0x165667b19e3779f9
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return uint32(h >> 32)
}

// slotsFor returns a power of two that is at least twice n.
func slotsFor(n int) int {
	s := 16
	for s < 2*n {
		s *= 2
	}
	return s
}

// dropOrphans removes the vertices that no triangle uses and keeps the others in order.
func (m *Mesh) dropOrphans() {
	const unused = math.MaxUint32
	to := make([]uint32, m.Vertices())
	for v := range to {
		to[v] = unused
	}
	for _, v := range m.Indices {
		to[v] = 0
	}
	n := 0
	for v := 0; v < len(to); {
		if to[v] == unused {
			v++
			continue
		}
		first := v // of a run that moves as one
		for ; v < len(to) && to[v] != unused; v++ {
			to[v] = uint32(n + v - first)
		}
		m.Move(n, first, v-first)
		n += v - first
	}
	m.Resize(n, 0)
	for i, v := range m.Indices {
		m.Indices[i] = to[v]
	}
}
