package ingest

import (
	"errors"
	"fmt"
)

// A Range is the samples of one axis from number From on and before number To; a To of 0 is the end of the axis.
// The zero value is all of it.
type Range struct{ From, To int }

// ErrOutOfBounds reports a crop outside the file.
var ErrOutOfBounds = errors.New("not a part of it")

// String returns the range as people write it: 10:200, or 10: to the end.
func (r Range) String() string {
	if r.To == 0 {
		return fmt.Sprintf("%d:", r.From)
	}
	return fmt.Sprintf("%d:%d", r.From, r.To)
}

// resolve returns the range of an axis of n samples, with To set. It returns an error if the range lies outside or has
// fewer than two samples, which have no cells.
func (r Range) resolve(file, axis string, n int64) (Range, error) {
	if r == (Range{}) {
		return Range{0, int(n)}, nil
	}
	end := r.To
	if end == 0 {
		end = int(n)
	}
	switch {
	case r.From < 0 || int64(r.From) >= n || int64(end) > n:
		return r, fmt.Errorf("%s: %w: %s %v; the file has 0:%d", file, ErrOutOfBounds, axis, r, n)
	case end-r.From < 2:
		return r, fmt.Errorf("%s: %w: %s %v are %d samples; a part has at least two (the file has 0:%d)", file, ErrOutOfBounds, axis, r, max(0, end-r.From), n)
	}
	return Range{r.From, end}, nil
}

// len returns the number of samples of a resolved range.
func (r Range) len() int { return r.To - r.From }

// cropGrid returns the ranges of a raster's columns and rows that o asks for.
func (o Options) cropGrid(file string, width, height int64) (columns, rows Range, err error) {
	if columns, err = o.Crop[0].resolve(file, "columns", width); err != nil {
		return columns, rows, err
	}
	if rows, err = o.Crop[1].resolve(file, "rows", height); err != nil {
		return columns, rows, err
	}
	if z := o.Crop[2]; z != (Range{}) {
		return columns, rows, fmt.Errorf("%s: %w: a third range, %v; a heightmap has columns and rows", file, ErrOutOfBounds, z)
	}
	return columns, rows, nil
}

// cropVolume returns the ranges of a volume's axes that o asks for.
func (o Options) cropVolume(file string, dims [3]int64) (part [3]Range, err error) {
	for axis, n := range dims {
		if part[axis], err = o.Crop[axis].resolve(file, "samples along "+"xyz"[axis:axis+1], n); err != nil {
			return part, err
		}
	}
	return part, nil
}

// cropped reports whether o asks for a part.
func (o Options) cropped() bool { return o.Crop != [3]Range{} }

// crop leaves the part of h that o asks for.
func (h *Heightmap) crop(file string, o Options) error {
	if !o.cropped() {
		return nil
	}
	columns, rows, err := o.cropGrid(file, int64(h.Width), int64(h.Height))
	if err != nil {
		return err
	}
	values := make([]float32, 0, columns.len()*rows.len())
	for z := rows.From; z < rows.To; z++ {
		values = append(values, h.Values[z*h.Width+columns.From:z*h.Width+columns.To]...)
	}
	h.notePart(columns, rows)
	h.Values, h.Width, h.Height = values, columns.len(), rows.len()
	h.shift(columns.From, rows.From)
	return nil
}

// notePart notes which part of h is read, if it is not all of it.
func (h *Heightmap) notePart(columns, rows Range) {
	h.note("columns %v and rows %v of %d×%d samples", columns, rows, h.Width, h.Height)
}

// shift makes the sample in column x of row z the first.
func (h *Heightmap) shift(x, z int) {
	h.OriginX += float64(x) * h.MetersX
	h.OriginZ += float64(z) * h.MetersZ
}

// whole reports whether v is all of a lattice.
func (v *Volume) whole(dims [3]int64) bool {
	return [3]int64{int64(v.NX), int64(v.NY), int64(v.NZ)} == dims
}

// notePart notes which part of a lattice v is, if it is not all of it.
func (v *Volume) notePart(dims [3]int64) {
	if !v.whole(dims) {
		v.note("samples %v, %v and %v of %d×%d×%d", v.part[0], v.part[1], v.part[2], dims[0], dims[1], dims[2])
	}
}

// crop leaves the given part of v, whose values are all there.
func (v *Volume) crop(part [3]Range) {
	dims := [3]int64{int64(v.NX), int64(v.NY), int64(v.NZ)}
	samples := make([]float32, 0, part[0].len()*part[1].len()*part[2].len())
	for z := part[2].From; z < part[2].To; z++ {
		for y := part[1].From; y < part[1].To; y++ {
			row := v.Index(0, y, z)
			samples = append(samples, v.Samples[row+part[0].From:row+part[0].To]...)
		}
	}
	v.Samples, v.part = samples, part
	v.NX, v.NY, v.NZ = part[0].len(), part[1].len(), part[2].len()
	v.notePart(dims)
}

// shift moves the origin from the first sample of the file to that of the part that was read.
func (p *Placement) shift(part [3]Range) {
	for axis, r := range part {
		for k := range 3 {
			p.Origin[k] += float64(r.From) * p.Step[axis][k]
		}
	}
}
