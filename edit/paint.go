package edit

import "fmt"

// Paint gives the samples in the shape the material Material; their densities stay.
const Paint Op = 3

var paintOp = operation{name: "paint", plane: Materials, check: checkPaint}

func checkPaint(b Brush) error {
	if b.Smooth != 0 {
		return fmt.Errorf("smooth %v m is not 0: materials do not blend", b.Smooth)
	}
	return nil
}

// paintRow is blend of Paint.
func paintRow(row, distances []float32, material uint8) {
	distances = distances[:len(row)]
	for i := range row {
		if distances[i] <= 0 {
			row[i] = float32(material)
		}
	}
}
