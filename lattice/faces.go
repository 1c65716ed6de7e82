package lattice

// A Face is one of a chunk's six sides.
type Face uint8

// The faces in order: two to an axis, the low side first.
const (
	LowX Face = iota
	HighX
	LowY
	HighY
	LowZ
	HighZ
)

// Faces is a set of faces.
type Faces uint8

// Has reports whether f is in the set.
func (s Faces) Has(f Face) bool { return s>>f&1 != 0 }

// With returns the set with f added.
func (s Faces) With(f Face) Faces { return s | 1<<f }

// Axis returns 0, 1 or 2 for x, y or z.
func (f Face) Axis() int { return int(f >> 1) }

// High reports whether f is the high side of its axis.
func (f Face) High() bool { return f&1 != 0 }
