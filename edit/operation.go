package edit

// An Op is the operation of an edit on the samples in its shape.
type Op uint8

// A Plane is a property of samples that an edit changes: their densities or their materials.
type Plane uint8

// The planes.
const (
	Densities Plane = iota
	// Materials are numbers of the world's palette, or less than 0 where nobody painted. Rows hold them as float32,
	// which all of them are exactly.
	Materials
)

// An operation is the row of an Op in the table of operations.
type operation struct {
	name  string
	plane Plane
	// check returns an error if a parameter that the operation reads is out of range, or one that it does not read is
	// not 0.
	check func(b Brush) error
	// blend returns the density that a sample of density before gets at a signed distance from the shape. It rises or
	// stays as before rises; a least distance changes the density most. nil for an operation that leaves densities.
	blend func(before, distance, smooth float32) float32
	// lowers tells whether blend lowers densities; else it raises them.
	lowers bool
}

// operations holds each operation by its number.
var operations = [...]operation{
	Dig:   digOp,
	Build: buildOp,
	Paint: paintOp,
}

// kind returns what is known of o, nil for a number that is no operation's.
func (o Op) kind() *operation {
	if o == 0 || int(o) >= len(operations) {
		return nil
	}
	return &operations[o]
}

// margin returns how far beyond its shape and blend radius an edit changes samples of the level, in meters. Two cells
// let the density fall off to the distance from the new surface in every cell that it passes, so that the surface
// lies where the shape is and not a part of a cell off; meshers read no further. Materials end with the shape.
func (e *Edit) margin(level uint8) float32 {
	if e.Op.kind().plane == Materials {
		return 0
	}
	return float32(int32(2) << level)
}

// blend makes of a row of densities what e makes of them at the given distances.
func (e *Edit) blend(row, distances []float32) {
	switch e.Op {
	case Dig:
		digRow(row, distances, e.Smooth)
	case Build:
		buildRow(row, distances, e.Smooth)
	case Paint:
		paintRow(row, distances, e.Material)
	}
}
