package tiff

import (
	"fmt"
	"slices"

	"github.com/terrane/terrane/ingest/internal/fault"
)

// The keys of a GeoTIFF that are read, and their values.
const (
	KeyModel       = 1024 // 1 projected, 2 geographic
	KeyRaster      = 1025 // 1 a place is that of a sample's upper left corner, 2 of the sample itself
	KeyLinearUnits = 3076
	ModelDegrees   = 2
	RasterPoint    = 2
)

// linearUnits are the meters of the units of a projection, by their EPSG codes.
var linearUnits = map[int64]float64{9001: 1, 9002: 0.3048, 9003: 1200.0 / 3937}

// Image returns the first image of the file.
func (t *File) Image() (*Image, error) { return t.image(t.ifds[0]) }

// Fitting returns the largest of the image and its overviews with no more than most samples, the image itself if none is.
func (t *File) Fitting(full *Image, most int64) (*Image, error) {
	best := full
	fits := func(m *Image) bool { return m.Width <= most/m.Height }
	if fits(full) {
		return full, nil
	}
	for _, dir := range t.ifds[1:] {
		kind, err := t.int(dir, TagSubfileType, 0)
		if err != nil {
			return nil, err
		}
		if kind != 1 { // bit 0: a reduced image; bit 2 would make it a mask
			continue
		}
		m, err := t.image(dir)
		if err != nil {
			return nil, err
		}
		if !m.hasNoData {
			m.noData, m.hasNoData = full.noData, full.hasNoData
		}
		if fits(m) && (best == full || m.Width > best.Width) {
			best = m
		}
	}
	return best, nil
}

// A Reference says where a GeoTIFF's samples lie: how far x grows from column to column and y from row to row, and
// the place of the upper left corner of the first sample's area. It is zero if the file does not say.
type Reference struct {
	DX, DY, X, Y float64
	Degrees      bool
	Meters       float64 // in a unit of the others
	UnknownUnit  int64   // its EPSG code, if it is not known
}

// Reference reads where the first image lies, which its overviews share.
func (t *File) Reference() (g Reference, err error) {
	dir := t.ifds[0]
	m, err := t.doubles(dir, TagTransformation)
	if err != nil {
		return g, err
	}
	switch {
	case len(m) >= 8 && (m[1] != 0 || m[4] != 0):
		return g, fmt.Errorf("%s: %w: GeoTIFF rows that do not run east; turn it with gdalwarp", t.name, fault.ErrUnsupported)
	case len(m) >= 8:
		g.DX, g.DY, g.X, g.Y = m[0], m[5], m[3], m[7]
	default:
		scale, err := t.doubles(dir, TagPixelScale)
		if err != nil || len(scale) < 2 {
			return g, err
		}
		tie, err := t.doubles(dir, TagTiepoint)
		if err != nil {
			return g, err
		}
		g.DX, g.DY = scale[0], -scale[1] // a positive scale runs south
		if len(tie) >= 6 {
			g.X, g.Y = tie[3]-tie[0]*g.DX, tie[4]-tie[1]*g.DY
		}
	}
	if bad := func(v float64) bool { return v == 0 || v-v != 0 }; bad(g.DX) || bad(g.DY) || g.X-g.X != 0 || g.Y-g.Y != 0 {
		return g, t.corrupt("samples %v by %v apart at %v, %v", g.DX, g.DY, g.X, g.Y)
	}
	return g, t.keys(&g)
}

// keys reads what the GeoTIFF's keys say of g: the unit, and whether places are those of samples or of corners.
func (t *File) keys(g *Reference) error {
	g.Meters = 1
	keys, err := t.ints(t.ifds[0], TagGeoKeys)
	if err != nil || len(keys) < 4 {
		return err
	}
	for key := range slices.Chunk(keys[4:], 4) { // key, where its value is (0: here), count, value
		if len(key) < 4 || key[1] != 0 {
			continue
		}
		switch value := key[3]; {
		case key[0] == KeyModel:
			g.Degrees = value == ModelDegrees
		case key[0] == KeyRaster && value == RasterPoint:
			g.X, g.Y = g.X-g.DX/2, g.Y-g.DY/2
		case key[0] == KeyLinearUnits && linearUnits[value] != 0:
			g.Meters = linearUnits[value]
		case key[0] == KeyLinearUnits:
			g.UnknownUnit = value
		}
	}
	return nil
}
