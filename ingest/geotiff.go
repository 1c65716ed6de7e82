package ingest

import (
	"fmt"
	"math"
	"slices"

	"github.com/terrane/terrane/ingest/internal/tiff"
)

// tiffKinds are the kinds of samples by their format and bits: all that package tiff reads.
var tiffKinds = map[tiff.Format]map[int64]Kind{
	tiff.Unsigned: {8: Uint8, 16: Uint16, 32: Uint32},
	tiff.Signed:   {8: Int8, 16: Int16, 32: Int32},
	tiff.Float:    {32: Float32, 64: Float64},
}

// readGeoTIFF reads the part that o asks for, or the finest image that fits into o's limit: the first one, or one of
// its overviews.
func readGeoTIFF(f File, o Options) (*Heightmap, error) {
	t, err := tiff.Parse(f.Name, f, f.Size)
	if err != nil {
		return nil, err
	}
	full, err := t.Image()
	if err != nil {
		return nil, err
	}
	geo, err := t.Reference()
	if err != nil {
		return nil, err
	}
	img := full
	if !o.cropped() {
		if img, err = t.Fitting(full, o.maxSamples()); err != nil {
			return nil, err
		}
	}
	columns, rows, err := o.cropGrid(f.Name, img.Width, img.Height)
	if err != nil {
		return nil, err
	}
	if err := o.checkSize(f.Name, int64(columns.len()), int64(rows.len())); err != nil {
		return nil, err
	}
	kind := tiffKinds[img.Format][img.Bits]
	h := &Heightmap{Width: int(img.Width), Height: int(img.Height), Kind: kind, Meters: kind != Uint8}
	h.Format = fmt.Sprintf("GeoTIFF, %v", kind)
	if img != full {
		h.note("%d×%d samples are more than the %d that are read: its overview of %d×%d is", full.Width, full.Height, o.maxSamples(), img.Width, img.Height)
	}
	if o.cropped() {
		h.notePart(columns, rows)
	}
	h.placeTIFF(geo, full)
	// The file's own columns and rows of the part, and then its samples north side up.
	if h.Values, err = img.Read(mirror(geo, columns, rows, img), o.maxSamples(), kind.decode); err != nil {
		return nil, err
	}
	h.Width, h.Height = columns.len(), rows.len()
	h.shift(columns.From, rows.From)
	h.northUp(geo)
	return h, nil
}

// placeTIFF sets the distances between the samples of h, which lie on the ground where full does, and the place of the
// northwestern one.
func (h *Heightmap) placeTIFF(g tiff.Reference, full *tiff.Image) {
	if g.DX == 0 {
		return
	}
	width, height := g.DX*float64(full.Width), g.DY*float64(full.Height)
	h.MetersX, h.MetersZ = math.Abs(width)/float64(h.Width), math.Abs(height)/float64(h.Height)
	if g.Degrees {
		h.degreesToMeters(g.Y + height/2)
		return
	}
	h.OriginX = g.Meters * (min(g.X, g.X+width) + h.MetersX/2)
	h.OriginZ = g.Meters * (h.MetersZ/2 - max(g.Y, g.Y+height))
	h.MetersX, h.MetersZ = g.Meters*h.MetersX, g.Meters*h.MetersZ
	if g.UnknownUnit != 0 {
		h.note("its unit of length, EPSG %d, is not known: meters are assumed", g.UnknownUnit)
	}
}

// mirror returns the window of the file's own columns and rows of a part that is counted from the northwest.
func mirror(g tiff.Reference, columns, rows Range, m *tiff.Image) tiff.Window {
	if g.DX < 0 {
		columns = Range{int(m.Width) - columns.To, int(m.Width) - columns.From}
	}
	if g.DY > 0 {
		rows = Range{int(m.Height) - rows.To, int(m.Height) - rows.From}
	}
	return tiff.Window{Columns: [2]int64{int64(columns.From), int64(columns.To)}, Rows: [2]int64{int64(rows.From), int64(rows.To)}}
}

// northUp reverses the rows and columns of h as needed for the northwest sample to be the first.
func (h *Heightmap) northUp(g tiff.Reference) {
	if g.DY > 0 { // y grows with the rows: the first one is the southernmost
		for a, b := 0, h.Height-1; a < b; a, b = a+1, b-1 {
			for x := range h.Width {
				i, j := a*h.Width+x, b*h.Width+x
				h.Values[i], h.Values[j] = h.Values[j], h.Values[i]
			}
		}
		h.note("the file is south side up: its rows were turned round")
	}
	if g.DX < 0 {
		for row := range slices.Chunk(h.Values, h.Width) {
			slices.Reverse(row)
		}
		h.note("the file's columns run west: they were turned round")
	}
}

// degreesToMeters converts spacings from degrees to meters on a sphere, at a latitude.
func (h *Heightmap) degreesToMeters(latitude float64) {
	latitude = max(-89.9, min(89.9, latitude))
	h.MetersZ *= metersPerDegree
	h.MetersX *= metersPerDegree * math.Cos(latitude*math.Pi/180)
	h.note("its samples lie in degrees: meters are those at %.4g° of latitude", latitude)
}
