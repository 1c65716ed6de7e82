package ingest

import (
	"fmt"
	"math"
	"slices"
)

// The keys of a GeoTIFF that are read, and their values.
const (
	keyModel       = 1024 // 1 projected, 2 geographic
	keyRaster      = 1025 // 1 a place is that of a sample's upper left corner, 2 of the sample itself
	keyLinearUnits = 3076
	modelDegrees   = 2
	rasterPoint    = 2
)

// linearUnits are the meters of the units of a projection, by their EPSG codes.
var linearUnits = map[int64]float64{9001: 1, 9002: 0.3048, 9003: 1200.0 / 3937}

// readGeoTIFF reads the part that o asks for, or the finest image that fits into o's limit: the first one, or one of
// its overviews.
func readGeoTIFF(f File, o Options) (*Heightmap, error) {
	t, err := parseTIFF(f)
	if err != nil {
		return nil, err
	}
	full, err := t.image(t.ifds[0])
	if err != nil {
		return nil, err
	}
	geo, err := t.georeference()
	if err != nil {
		return nil, err
	}
	img := full
	if !o.cropped() {
		if img, err = t.fitting(full, o); err != nil {
			return nil, err
		}
	}
	columns, rows, err := o.cropGrid(f.Name, img.width, img.height)
	if err != nil {
		return nil, err
	}
	if err := o.checkSize(f.Name, int64(columns.len()), int64(rows.len())); err != nil {
		return nil, err
	}
	h := &Heightmap{Width: int(img.width), Height: int(img.height), Kind: img.kind, Meters: img.kind != Uint8}
	h.Format = fmt.Sprintf("GeoTIFF, %v", img.kind)
	if img != full {
		h.note("%d×%d samples are more than the %d that are read: its overview of %d×%d is", full.width, full.height, o.maxSamples(), img.width, img.height)
	}
	if o.cropped() {
		h.notePart(columns, rows)
	}
	geo.place(h, full)
	// The file's own columns and rows of the part, and then its samples north side up.
	inX, inZ := geo.mirror(columns, rows, img)
	if h.Values, err = img.read(o, inX, inZ); err != nil {
		return nil, err
	}
	h.Width, h.Height = columns.len(), rows.len()
	h.shift(columns.From, rows.From)
	geo.turn(h)
	return h, nil
}

// fitting returns the largest of the image and its overviews that o allows, the image itself if none.
func (t *tiff) fitting(full *tiffImage, o Options) (*tiffImage, error) {
	best := full
	fits := func(m *tiffImage) bool { return m.width <= o.maxSamples()/m.height }
	if fits(full) {
		return full, nil
	}
	for _, dir := range t.ifds[1:] {
		kind, err := t.int(dir, tagSubfileType, 0)
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
		if fits(m) && (best == full || m.width > best.width) {
			best = m
		}
	}
	return best, nil
}

// A georeference says where a GeoTIFF's samples lie: how far x grows from column to column and y from row to row, and
// the place of the upper left corner of the first sample's area. It is zero if the file does not say.
type georeference struct {
	dx, dy, x, y float64
	degrees      bool
	meters       float64 // in a unit of the others
	unknownUnit  int64   // its EPSG code, if it is not known
}

// place sets the distances between the samples of h, which lie on the ground where full does, and the place of the
// northwestern one.
func (g georeference) place(h *Heightmap, full *tiffImage) {
	if g.dx == 0 {
		return
	}
	width, height := g.dx*float64(full.width), g.dy*float64(full.height)
	h.MetersX, h.MetersZ = math.Abs(width)/float64(h.Width), math.Abs(height)/float64(h.Height)
	if g.degrees {
		h.degreesToMeters(g.y + height/2)
		return
	}
	h.OriginX = g.meters * (min(g.x, g.x+width) + h.MetersX/2)
	h.OriginZ = g.meters * (h.MetersZ/2 - max(g.y, g.y+height))
	h.MetersX, h.MetersZ = g.meters*h.MetersX, g.meters*h.MetersZ
	if g.unknownUnit != 0 {
		h.note("its unit of length, EPSG %d, is not known: meters are assumed", g.unknownUnit)
	}
}

// mirror returns the file's own columns and rows of a part that is counted from the northwest.
func (g georeference) mirror(columns, rows Range, m *tiffImage) (inX, inZ Range) {
	if g.dx < 0 {
		columns = Range{int(m.width) - columns.To, int(m.width) - columns.From}
	}
	if g.dy > 0 {
		rows = Range{int(m.height) - rows.To, int(m.height) - rows.From}
	}
	return columns, rows
}

// turn turns h north and west side first.
func (g georeference) turn(h *Heightmap) {
	if g.dy > 0 { // y grows with the rows: the first one is the southernmost
		for a, b := 0, h.Height-1; a < b; a, b = a+1, b-1 {
			for x := range h.Width {
				i, j := a*h.Width+x, b*h.Width+x
				h.Values[i], h.Values[j] = h.Values[j], h.Values[i]
			}
		}
		h.note("the file is south side up: its rows were turned round")
	}
	if g.dx < 0 {
		for row := range slices.Chunk(h.Values, h.Width) {
			slices.Reverse(row)
		}
		h.note("the file's columns run west: they were turned round")
	}
}

// degreesToMeters turns spacings in degrees into meters on a sphere, at a latitude.
func (h *Heightmap) degreesToMeters(latitude float64) {
	latitude = max(-89.9, min(89.9, latitude))
	h.MetersZ *= metersPerDegree
	h.MetersX *= metersPerDegree * math.Cos(latitude*math.Pi/180)
	h.note("its samples lie in degrees: meters are those at %.4g° of latitude", latitude)
}

// georeference reads where the first image lies, which its overviews share.
func (t *tiff) georeference() (g georeference, err error) {
	dir := t.ifds[0]
	m, err := t.doubles(dir, tagTransformation)
	if err != nil {
		return g, err
	}
	switch {
	case len(m) >= 8 && (m[1] != 0 || m[4] != 0):
		return g, fmt.Errorf("%s: %w: GeoTIFF rows that do not run east; turn it with gdalwarp", t.f.Name, ErrUnsupported)
	case len(m) >= 8:
		g.dx, g.dy, g.x, g.y = m[0], m[5], m[3], m[7]
	default:
		scale, err := t.doubles(dir, tagPixelScale)
		if err != nil || len(scale) < 2 {
			return g, err
		}
		tie, err := t.doubles(dir, tagTiepoint)
		if err != nil {
			return g, err
		}
		g.dx, g.dy = scale[0], -scale[1] // a positive scale runs south
		if len(tie) >= 6 {
			g.x, g.y = tie[3]-tie[0]*g.dx, tie[4]-tie[1]*g.dy
		}
	}
	if bad := func(v float64) bool { return v == 0 || v-v != 0 }; bad(g.dx) || bad(g.dy) || g.x-g.x != 0 || g.y-g.y != 0 {
		return g, t.corrupt("samples %v by %v apart at %v, %v", g.dx, g.dy, g.x, g.y)
	}
	return g, t.keys(&g)
}

// keys reads what the GeoTIFF's keys say of g: the unit, and whether places are those of samples or of corners.
func (t *tiff) keys(g *georeference) error {
	g.meters = 1
	keys, err := t.ints(t.ifds[0], tagGeoKeys)
	if err != nil || len(keys) < 4 {
		return err
	}
	for key := range slices.Chunk(keys[4:], 4) { // key, where its value is (0: here), count, value
		if len(key) < 4 || key[1] != 0 {
			continue
		}
		switch value := key[3]; {
		case key[0] == keyModel:
			g.degrees = value == modelDegrees
		case key[0] == keyRaster && value == rasterPoint:
			g.x, g.y = g.x-g.dx/2, g.y-g.dy/2
		case key[0] == keyLinearUnits && linearUnits[value] != 0:
			g.meters = linearUnits[value]
		case key[0] == keyLinearUnits:
			g.unknownUnit = value
		}
	}
	return nil
}
