package meshing

import (
	"math"
	"strconv"

	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/relief"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/mesher"
)

// meshHeights makes the mesh of a heightmap.
func (c *Options) meshHeights(h *ingest.Heightmap) (Part, error) {
	if c.Cap || c.Iso != "auto" || c.Mesher != mesher.Marching.String() {
		return Part{}, usage.Errorf("%s is a heightmap; --iso, --cap and --mesher are for volumes", c.Input)
	}
	low, high, voids, ok := h.Range()
	if !ok {
		return Part{}, usage.Errorf("%s: all %d samples are void: there is no ground to make a mesh of", c.Input, voids)
	}
	if h.MetersX == 0 {
		h.MetersX, h.MetersZ = 1, 1
	}
	low, err := c.fillVoids(h, low)
	if err != nil {
		return Part{}, err
	}
	if c.Scale != nil {
		if !(*c.Scale > 0 && *c.Scale < 1e6) {
			return Part{}, usage.Errorf("--scale %v is outside 0 … 1000000", *c.Scale)
		}
		for i := range h.Values {
			h.Values[i] *= float32(*c.Scale)
		}
		low *= float32(*c.Scale)
	}
	base := float32(math.NaN())
	if c.Base != nil {
		base = float32(*c.Base)
		if base-base != 0 {
			return Part{}, usage.Errorf("--base %v is no height of 32 bits", *c.Base)
		}
		if !(base < low) {
			below := math.Floor(float64(low) - math.Max(1, math.Abs(float64(low))/1000))
			return Part{}, usage.Errorf("--base %v is not below the lowest height, %v; --base=%v is", *c.Base, low, below)
		}
	}
	m := relief.Mesh(h, base)
	if voids > 0 {
		m.Weld() // which drops heights that stand alone
	}
	if m.Triangles() == 0 {
		return Part{}, usage.Errorf("%s: no three neighboring samples have heights (%v … %v): there is nothing to make a mesh of", c.Input, low, high)
	}
	return Part{Mesh: m, Origin: [3]float64{h.OriginX, 0, h.OriginZ}, step: min(h.MetersX, h.MetersZ)}, nil
}

// fillVoids does with samples that have no height as --nodata asks, and returns the lowest height, which was low.
func (c *Options) fillVoids(h *ingest.Heightmap, low float32) (float32, error) {
	switch c.Nodata {
	case "hole":
	case "fill":
		if _, err := h.Fill(); err != nil {
			return low, usage.Errorf("%s: %w", c.Input, err)
		}
	default:
		v, err := strconv.ParseFloat(c.Nodata, 32)
		if err != nil || v-v != 0 {
			return low, usage.Errorf("--nodata %s is neither hole nor fill nor a height", c.Nodata)
		}
		if h.Replace(float32(v)) > 0 {
			low = min(low, float32(v))
		}
	}
	return low, nil
}
