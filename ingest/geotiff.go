package ingest

import (
	"fmt"
	"math"
	"slices"
)

// The keys of a GeoTIFF that are read, and their values.
const (
	keyModel       = 1024 // 1 projected, 2 geographic
	keyLinearUnits = 3076
	modelDegrees   = 2
)

// linearUnits are the meters of the units of a projection, by their EPSG codes.
var linearUnits = map[int64]float64{9001: 1, 9002: 0.3048, 9003: 1200.0 / 3937}

// readGeoTIFF reads the finest image that fits into o's limit: the first one, or one of its overviews.
func readGeoTIFF(f File, o Options) (*Heightmap, error) {
	t, err := parseTIFF(f)
	if err != nil {
		return nil, err
	}
	full, err := t.image(t.ifds[0])
	if err != nil {
		return nil, err
	}
	img, err := t.fitting(full, o)
	if err != nil {
		return nil, err
	}
	if err := o.checkSize(f.Name, img.width, img.height); err != nil {
		return nil, err
	}
	h := &Heightmap{Width: int(img.width), Height: int(img.height), Kind: img.kind}
	h.Format = fmt.Sprintf("GeoTIFF, %v", img.kind)
	if img != full {
		h.note("%d×%d samples are more than the %d that are read: its overview of %d×%d is", full.width, full.height, o.maxSamples(), img.width, img.height)
	}
	if h.Values, err = img.read(o); err != nil {
		return nil, err
	}
	h.Meters = img.kind != Uint8
	if err := t.place(h, full); err != nil {
		return nil, err
	}
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

// place sets the distances between the samples of h, which lie on the ground where full does, and turns h
// north side up.
func (t *tiff) place(h *Heightmap, full *tiffImage) error {
	dx, dy, north, err := t.spacing(t.ifds[0])
	if err != nil || dx == 0 {
		return err
	}
	if dy > 0 { // y grows with the rows: the first one is the southernmost
		for a, b := 0, h.Height-1; a < b; a, b = a+1, b-1 {
			for x := range h.Width {
				i, j := a*h.Width+x, b*h.Width+x
				h.Values[i], h.Values[j] = h.Values[j], h.Values[i]
			}
		}
		h.note("the file is south side up: its rows were turned round")
	}
	h.MetersX = math.Abs(dx) * float64(full.width) / float64(h.Width)
	h.MetersZ = math.Abs(dy) * float64(full.height) / float64(h.Height)
	model, units, err := t.units()
	if err != nil {
		return err
	}
	switch meters, known := linearUnits[units]; {
	case model == modelDegrees:
		middle := north + dy*float64(full.height)/2
		h.degreesToMeters(middle)
	case known:
		h.MetersX, h.MetersZ = h.MetersX*meters, h.MetersZ*meters
	case units != 0:
		h.note("its unit of length, EPSG %d, is not known: meters are assumed", units)
	}
	return nil
}

// degreesToMeters turns spacings in degrees into meters on a sphere, at a latitude.
func (h *Heightmap) degreesToMeters(latitude float64) {
	latitude = max(-89.9, min(89.9, latitude))
	h.MetersZ *= metersPerDegree
	h.MetersX *= metersPerDegree * math.Cos(latitude*math.Pi/180)
	h.note("its samples lie in degrees: meters are those at %.4g° of latitude", latitude)
}

// spacing returns how far x grows from column to column and y from row to row, and y at the upper edge. It
// returns zeros if the file does not say.
func (t *tiff) spacing(dir ifd) (dx, dy, north float64, err error) {
	m, err := t.doubles(dir, tagTransformation)
	if err != nil {
		return 0, 0, 0, err
	}
	if len(m) >= 8 {
		if m[1] != 0 || m[4] != 0 {
			return 0, 0, 0, fmt.Errorf("%s: %w: GeoTIFF rows that do not run east; turn it with gdalwarp", t.f.Name, ErrUnsupported)
		}
		dx, dy, north = m[0], m[5], m[7]
	} else {
		scale, err := t.doubles(dir, tagPixelScale)
		if err != nil || len(scale) < 2 {
			return 0, 0, 0, err
		}
		tie, err := t.doubles(dir, tagTiepoint)
		if err != nil {
			return 0, 0, 0, err
		}
		dx, dy = scale[0], -scale[1] // a positive scale runs south
		if len(tie) >= 6 {
			north = tie[4] - tie[1]*dy
		}
	}
	if bad := func(v float64) bool { return v == 0 || v-v != 0 }; bad(dx) || bad(dy) || north-north != 0 {
		return 0, 0, 0, t.corrupt("samples %v by %v apart at %v", dx, dy, north)
	}
	return dx, dy, north, nil
}

// units returns the kind of coordinates and the code of their unit, 0 where the file does not say.
func (t *tiff) units() (model, units int64, err error) {
	keys, err := t.ints(t.ifds[0], tagGeoKeys)
	if err != nil || len(keys) < 4 {
		return 0, 0, err
	}
	for key := range slices.Chunk(keys[4:], 4) { // key, where its value is (0: here), count, value
		if len(key) < 4 || key[1] != 0 {
			continue
		}
		switch key[0] {
		case keyModel:
			model = key[3]
		case keyLinearUnits:
			units = key[3]
		}
	}
	return model, units, nil
}
