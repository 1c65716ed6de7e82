package ingest

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
)

// metersPerDegree is the length of a degree of the equator, of a sphere of 6,378,137 m.
const metersPerDegree = 2 * math.Pi * 6378137 / 360

// tileName finds the southwest corner in the name of a tile.
var tileName = regexp.MustCompile(`^([NSns])(\d{2})([EWew])(\d{3})`)

// hgtVoid marks a sample without a height.
const hgtVoid = -32768

// readHGT reads an SRTM tile: a degree of latitude by a degree of longitude, both edges included.
func readHGT(f File, o Options) (*Heightmap, error) {
	var side int64
	switch f.Size {
	case 2 * 1201 * 1201:
		side = 1201
	case 2 * 3601 * 3601:
		side = 3601
	default:
		if err := f.refusal(""); f.Size == 0 {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w: an .hgt tile has %d bytes (1201×1201, 3 arc seconds) or %d (3601×3601, 1 arc second); the file has %d",
			f.Name, ErrCorrupt, 2*1201*1201, 2*3601*3601, f.Size)
	}
	if err := o.checkSize(f.Name, side, side); err != nil {
		return nil, err
	}
	data, err := f.readAll()
	if err != nil {
		return nil, err
	}
	h := &Heightmap{
		Width: int(side), Height: int(side), Values: make([]float32, side*side),
		Kind: Int16, Meters: true,
		Format: fmt.Sprintf("SRTM .hgt, %d arc seconds", 3600/(side-1)),
	}
	for i := range h.Values {
		v := int16(binary.BigEndian.Uint16(data[2*i:]))
		h.Values[i] = float32(v)
		if v == hgtVoid {
			h.Values[i] = nan
		}
	}
	h.MetersZ = metersPerDegree / float64(side-1)
	h.MetersX = h.MetersZ
	if south, ok := latitude(f.Name); ok {
		h.MetersX *= math.Cos((south + 0.5) * math.Pi / 180)
	} else {
		h.note("the name does not begin like N47E009: columns are spaced as at the equator")
	}
	return h, nil
}

// latitude returns the southern edge of the tile of the given name, in degrees.
func latitude(name string) (south float64, ok bool) {
	m := tileName.FindStringSubmatch(path.Base(name))
	if m == nil {
		return 0, false
	}
	deg, err := strconv.Atoi(m[2])
	if err != nil || deg > 90 {
		return 0, false
	}
	if m[1] == "S" || m[1] == "s" {
		deg = -deg
	}
	return float64(deg), deg < 90
}
