package edit

import "strconv"

// Valid reports whether o is a known operation. The known ones are numbered from 1 on.
func (o Op) Valid() bool { return o.kind() != nil }

// String returns the operation's name, such as dig.
func (o Op) String() string {
	if k := o.kind(); k != nil {
		return k.name
	}
	return "operation " + strconv.Itoa(int(o))
}

// Valid reports whether s is a known shape. The known ones are numbered from 1 on.
func (s Shape) Valid() bool { return s.kind() != nil }

// String returns the shape's name, such as ball.
func (s Shape) String() string {
	if k := s.kind(); k != nil {
		return k.name
	}
	return "shape " + strconv.Itoa(int(s))
}
