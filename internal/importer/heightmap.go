package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
)

// What a field takes as the distance between a heightmap's samples, in meters.
const (
	minSpacing = 1e-3
	maxSpacing = 1e6
)

// A HeightmapSource is a heightmap file and how it was asked to become ground. It is kept with the world.
type HeightmapSource struct {
	File         string      `json:"file"` // its name, without the folder
	SHA256       string      `json:"sha256"`
	SampleMeters [2]float64  `json:"sample_meters"`          // x, z, before Scale
	HeightRange  *[2]float64 `json:"height_range,omitempty"` // of the file's numbers, before Scale
	Scale        float64     `json:"scale"`
}

// HeightmapOptions say which heightmap becomes ground, and how. What is not given is nil.
type HeightmapOptions struct {
	File         string
	SampleMeters []float64 // between samples east to west and, if another, north to south
	HeightRange  []float64 // heights in meters of the lowest and highest number that an image can hold
	Scale        *float64  // shrinks or enlarges the landscape in all directions
}

// Heightmap reads the file that the options name, adds what becomes of it to the assets and makes a graph of it.
func (im Importer) Heightmap(f HeightmapOptions, to *Assets) (*HeightmapSource, *graph.Graph, error) {
	h, sum, err := openHeightmap(f.File)
	if err != nil {
		return nil, nil, err
	}
	src := &HeightmapSource{File: filepath.Base(f.File), SHA256: sum, Scale: 1}
	if f.Scale != nil {
		src.Scale = *f.Scale
	}
	if err := src.setSpacing(h, f.SampleMeters); err != nil {
		return nil, nil, err
	}
	raster := &raster.Raster{
		Width: h.Width, Height: h.Height, Values: h.Values, Scale: 1,
		MetersX: src.SampleMeters[0], MetersZ: src.SampleMeters[1],
	}
	if err := src.setRange(raster, h, f.HeightRange); err != nil {
		return nil, nil, err
	}
	voids, err := h.Fill()
	if err != nil {
		return nil, nil, usage.Errorf("%s: %w", f.File, err)
	}
	im.reportHeightmap(f.File, h, src, raster, voids)
	for _, m := range src.SampleMeters {
		if m *= src.Scale; m < minSpacing || m > maxSpacing {
			return nil, nil, usage.Errorf("--scale %v puts samples %.4g m apart; a world takes %v … %v m", src.Scale, m, minSpacing, maxSpacing)
		}
	}
	hash, err := to.AddRaster(raster, src.Scale)
	if err != nil {
		return nil, nil, usage.Errorf("%s: %w", f.File, err)
	}
	graph := template.Heightmap(hash, template.HeightmapParams{
		Scale: src.Scale, MetersX: raster.MetersX, MetersZ: raster.MetersZ,
	})
	return src, graph, nil
}

// mostGround is the number of samples of the largest heightmap that becomes ground: 32,768².
const mostGround = 1 << 30

// openHeightmap reads a heightmap and returns it with the file's SHA-256.
func openHeightmap(name string) (*ingest.Heightmap, string, error) {
	f, closeFile, err := Open(name)
	if err != nil {
		return nil, "", usage.Errorf("cannot read the heightmap: %w", err)
	}
	defer closeFile()
	h, err := ingest.ReadHeightmap(f, ingest.Options{MaxSamples: memory.Fitting(tiledBytes, mostGround)})
	if err != nil {
		return nil, "", usage.Errorf("cannot read the heightmap: %w", err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, f.Size)); err != nil {
		return nil, "", usage.Errorf("cannot read the heightmap: %s: %w", name, err)
	}
	return h, hex.EncodeToString(sum.Sum(nil)), nil
}

// setSpacing settles the meters between samples: as asked, else as the file says, else 1.
func (s *HeightmapSource) setSpacing(h *ingest.Heightmap, asked []float64) error {
	s.SampleMeters = [2]float64{h.MetersX, h.MetersZ}
	switch {
	case len(asked) == 1:
		s.SampleMeters = [2]float64{asked[0], asked[0]}
	case len(asked) == 2:
		s.SampleMeters = [2]float64{asked[0], asked[1]}
	case len(asked) > 2:
		return usage.Errorf("--sample-meters takes one number, or two (east–west, north–south), not %d", len(asked))
	case h.MetersX == 0:
		s.SampleMeters = [2]float64{1, 1}
		h.Notes = append(h.Notes, "the file does not say how far apart its samples are: 1 m is assumed; --sample-meters sets it")
	}
	return nil
}

// setRange settles which heights the samples mean: as asked, else meters as they stand.
func (s *HeightmapSource) setRange(r *raster.Raster, h *ingest.Heightmap, asked []float64) error {
	switch {
	case len(asked) == 0:
		if !h.Meters {
			h.Notes = append(h.Notes, fmt.Sprintf("the file has no unit: 1 step of its numbers is taken as 1 m; --height-range MIN,MAX maps 0 … %v to that", h.Kind.Top()))
		}
	case h.Meters:
		return usage.Errorf("--height-range is for images without units; %s holds meters (--scale shrinks or enlarges it)", s.File)
	case len(asked) != 2 || !(asked[0] < asked[1]):
		return usage.Errorf("--height-range takes the heights in meters of the lowest and the highest number that the image can hold, like 0,400; got %v", asked)
	default:
		s.HeightRange = &[2]float64{asked[0], asked[1]}
		r.Offset, r.Scale = float32(asked[0]), float32((asked[1]-asked[0])/float64(h.Kind.Top()))
	}
	return nil
}

// reportHeightmap logs what a heightmap is and what becomes of it.
func (im Importer) reportHeightmap(name string, h *ingest.Heightmap, s *HeightmapSource, r *raster.Raster, voids int) {
	low, high, _, _ := h.Range()
	meters := func(v float32) string {
		return fmt.Sprintf("%.6g", s.Scale*float64(r.Offset+r.Scale*v))
	}
	im.Log.Info("heightmap", "file", name, "format", h.Format,
		"samples", fmt.Sprintf("%d×%d", h.Width, h.Height),
		"sample_meters_x", fmt.Sprintf("%.4g", s.SampleMeters[0]),
		"sample_meters_z", fmt.Sprintf("%.4g", s.SampleMeters[1]),
		"lowest", low, "highest", high, "voids_filled", voids)
	for _, note := range h.Notes {
		im.Log.Info("heightmap: " + note)
	}
	im.Log.Info("ground", "scale", s.Scale,
		"east_west_m", fmt.Sprintf("%.6g", s.Scale*s.SampleMeters[0]*float64(h.Width-1)),
		"north_south_m", fmt.Sprintf("%.6g", s.Scale*s.SampleMeters[1]*float64(h.Height-1)),
		"lowest_m", meters(low), "highest_m", meters(high))
}
