package ingest

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An ascHeader is the header of an Esri ASCII grid: names and numbers, in any order and case.
type ascHeader map[string]float64

// ascKeys are the names that are known.
const ascKeys = " ncols nrows xllcorner xllcenter yllcorner yllcenter cellsize dx dy nodata_value nodata "

func isASC(head []byte) bool {
	words := bytes.Fields(head)
	return len(words) > 0 && bytes.Contains([]byte(ascKeys), []byte(" "+strings.ToLower(string(words[0]))+" "))
}

// readASC reads an Esri ASCII grid.
func readASC(f File, o Options) (*Heightmap, error) {
	if f.Size > 16*o.maxSamples()+4096 { // a number and the space after it rarely take more
		return nil, fmt.Errorf("%s: %w: %d bytes of text; at most %d are read", f.Name, ErrTooMany, f.Size, 16*o.maxSamples()+4096)
	}
	data, err := f.readAll()
	if err != nil {
		return nil, err
	}
	header, data, err := parseASCHeader(f.Name, data)
	if err != nil {
		return nil, err
	}
	cols, rows := header["ncols"], header["nrows"]
	if !(cols >= 1 && rows >= 1 && cols < 1<<31 && rows < 1<<31) || cols != math.Trunc(cols) || rows != math.Trunc(rows) {
		return nil, fmt.Errorf("%s: %w: ASCII grid of %v columns and %v rows", f.Name, ErrCorrupt, cols, rows)
	}
	if err := o.checkSize(f.Name, int64(cols), int64(rows)); err != nil {
		return nil, err
	}
	n := int(cols) * int(rows)
	if len(data) < 2*n-1 {
		return nil, fmt.Errorf("%s: %w: ASCII grid of %v×%v samples, but only %d bytes follow its header", f.Name, ErrCorrupt, cols, rows, len(data))
	}
	h := &Heightmap{Width: int(cols), Height: int(rows), Kind: Float32, Meters: true, Format: "Esri ASCII grid"}
	if h.Values, err = parseASCValues(f.Name, data, n, header); err != nil {
		return nil, err
	}
	if err := h.placeASC(f.Name, header); err != nil {
		return nil, err
	}
	return h, nil
}

// parseASCHeader reads names and numbers until a line begins with a number.
func parseASCHeader(name string, data []byte) (ascHeader, []byte, error) {
	h := ascHeader{}
	for {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		words := strings.Fields(strings.ToLower(string(line[:min(len(line), 256)])))
		if len(words) == 0 && len(rest) > 0 {
			data = rest
			continue
		}
		if len(words) != 2 || !strings.Contains(ascKeys, " "+words[0]+" ") {
			break
		}
		v, err := strconv.ParseFloat(words[1], 64)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w: ASCII grid: %s is %.40q", name, ErrCorrupt, words[0], words[1])
		}
		h[words[0]], data = v, rest
	}
	for _, key := range []string{"ncols", "nrows"} {
		if _, ok := h[key]; !ok {
			return nil, nil, fmt.Errorf("%s: %w: ASCII grid without %s", name, ErrCorrupt, key)
		}
	}
	return h, data, nil
}

// parseASCValues reads n numbers, separated by white space, and nothing after them.
func parseASCValues(name string, data []byte, n int, header ascHeader) ([]float32, error) {
	none, hasNone := header["nodata_value"]
	if v, ok := header["nodata"]; ok {
		none, hasNone = v, true
	}
	values := make([]float32, 0, n)
	for word := range bytes.FieldsSeq(data) {
		v, err := strconv.ParseFloat(string(word), 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: ASCII grid: sample %d is %.40q", name, ErrCorrupt, len(values), word)
		}
		if len(values) == n {
			return nil, fmt.Errorf("%s: %w: ASCII grid: more than the %d samples that its header says", name, ErrCorrupt, n)
		}
		if hasNone && v == none || math.IsInf(float64(float32(v)), 0) {
			v = math.NaN()
		}
		values = append(values, float32(v))
	}
	if len(values) < n {
		return nil, fmt.Errorf("%s: %w: ASCII grid: %d samples of the %d that its header says", name, ErrCorrupt, len(values), n)
	}
	return values, nil
}

// placeASC sets the spacing. The format states no unit: a grid whose cells and corner fit degrees is
// taken to lie in degrees.
func (h *Heightmap) placeASC(name string, header ascHeader) error {
	dx, dy := header["dx"], header["dy"]
	if c, ok := header["cellsize"]; ok {
		dx, dy = c, c
	}
	if dx == 0 && dy == 0 {
		return nil
	}
	if !(dx > 0 && dy > 0 && dx < 1e9 && dy < 1e9) {
		return fmt.Errorf("%s: %w: ASCII grid with cells of %v×%v", name, ErrCorrupt, dx, dy)
	}
	h.MetersX, h.MetersZ = dx, dy
	// The place of the southwest sample: in the middle of its cell, or given itself.
	x, y := header["xllcorner"]+dx/2, header["yllcorner"]+dy/2
	if v, ok := header["xllcenter"]; ok {
		x = v
	}
	if v, ok := header["yllcenter"]; ok {
		y = v
	}
	if x-x != 0 || y-y != 0 {
		return fmt.Errorf("%s: %w: ASCII grid at %v, %v", name, ErrCorrupt, x, y)
	}
	north := y + dy*float64(h.Height-1)
	if dx < 0.1 && x >= -180 && x <= 360 && y >= -90 && north <= 90.1 {
		h.degreesToMeters((y + north) / 2)
		return nil
	}
	h.OriginX, h.OriginZ = x, -north
	if h.OriginZ == 0 {
		h.OriginZ = 0 // not −0
	}
	return nil
}
