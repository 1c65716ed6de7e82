package importer

import (
	"math"
	"strings"
	"testing"

	"github.com/terrane/terrane/raster"
)

// A world is not made without a part of a file that it has.
func TestAssetsWhole(t *testing.T) {
	var a Assets
	whole := &raster.Raster{Width: 2100, Height: 2100, MetersX: 0.004, MetersZ: 1, Scale: 1, Values: make([]float32, 2100*2100)}
	hash, err := a.AddRaster(whole, 1)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.Find(hash)
	tiled, err := raster.ParseTiled(data)
	if err != nil || tiled.Side != 4096 || len(a.order) != 2 || a.Whole() != nil {
		t.Errorf("%+v, %v, %d assets", tiled, err, len(a.order))
	}
	delete(a.byHash, tiled.Tiles[0].Hash)
	a.order = a.order[1:]
	if err := a.Whole(); err == nil || !strings.Contains(err.Error(), "file does not exist") {
		t.Error(err)
	}
	whole.Values[2100] = float32(math.NaN())
	if _, err := a.AddRaster(whole, 1); err == nil || !strings.Contains(err.Error(), "raster sample 0,1 means NaN m") {
		t.Error(err)
	}
}
