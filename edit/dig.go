package edit

import "fmt"

// Dig and Build.
const (
	Dig   Op = 1 // density becomes min(before, distance)
	Build Op = 2 // density becomes max(before, −distance)
)

var (
	digOp   = operation{name: "dig", check: noMaterial, blend: smoothMin, lowers: true}
	buildOp = operation{name: "build", check: noMaterial, blend: func(before, distance, k float32) float32 { return -smoothMin(-before, distance, k) }}
)

// noMaterial refuses a material: what is dug and built is of the material that the world has there.
func noMaterial(b Brush) error {
	if b.Material != 0 {
		return fmt.Errorf("material %d is named by an operation that does not paint", b.Material)
	}
	return nil
}

// digRow is blend of Dig. The addition makes +0 of −0, which is never stored.
func digRow(row, distances []float32, k float32) {
	distances = distances[:len(row)]
	for i, before := range row {
		if d := distances[i]; d < beyond {
			row[i] = smoothMin(before, d, k) + 0
		}
	}
}

// buildRow is blend of Build: building is digging with ground and air changed over.
func buildRow(row, distances []float32, k float32) {
	distances = distances[:len(row)]
	for i, before := range row {
		if d := distances[i]; d < beyond {
			row[i] = -smoothMin(-before, d, k) + 0
		}
	}
}

// smoothMin returns the smooth minimum of a and b with blend radius k (reference §1): min(a, b) − h²/(4k),
// h = max(k − |a−b|, 0). k = 0 is the plain minimum. It rises or stays as a or b rises, is least by k/4 below the
// plain minimum, where a = b, and equals it from |a−b| = k on.
func smoothMin(a, b, k float32) float32 {
	m := b
	if a < b {
		m = a
	}
	if k == 0 {
		return m
	}
	diff := a - b
	if diff < 0 {
		diff = -diff
	}
	h := k - diff
	if !(h > 0) {
		return m
	}
	return m - float32(h*h)/float32(4*k)
}
