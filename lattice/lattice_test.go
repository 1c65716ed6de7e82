package lattice

import (
	"math"
	"slices"
	"testing"
)

func TestShifts(t *testing.T) {
	for _, c := range []struct{ s, chunk int32 }{{-33, -2}, {-32, -1}, {-1, -1}, {0, 0}, {31, 0}, {32, 1}} {
		if got := ChunkOf(Sample{c.s, 0, 0}, 0).X; got != c.chunk {
			t.Errorf("sample %d lies in chunk %d, want %d", c.s, got, c.chunk)
		}
		if got := ChunkOf(Sample{0, 0, c.s << 3}, 3).Z; got != c.chunk {
			t.Errorf("sample %d lies in chunk %d of level 3, want %d", c.s<<3, got, c.chunk)
		}
	}
	if got := (Chunk{-1, 0, 8, 0}).Region(); got != (Region{-1, 1, 0}) {
		t.Errorf("region %v", got)
	}
}

func TestBoxChunks(t *testing.T) {
	for _, c := range []struct {
		low, high int32 // the last sample included
		want      []int32
	}{
		{0, 0, []int32{-1, 0}}, {1, 1, []int32{-1, 0}}, {2, 30, []int32{0}}, {31, 31, []int32{0, 1}},
		{32, 32, []int32{0, 1}}, {33, 33, []int32{0, 1}}, {34, 34, []int32{1}}, {-1, -1, []int32{-1, 0}},
	} {
		b := Box{Sample{c.low, 5, 5}, Sample{c.high + 1, 6, 6}}
		var got []int32
		for k := range b.Chunks(0) {
			got = append(got, k.X)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("samples %d…%d touch chunks %v, want %v", c.low, c.high, got, c.want)
		}
	}
	odd := Box{Sample{1, 1, 1}, Sample{2, 2, 2}}
	for k := range odd.Chunks(1) {
		t.Errorf("a box without a sample of level 1 touches %v", k)
	}
}

func TestPlaceAt(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, Limit, -Limit} {
		if _, ok := PlaceAt(v, 0, 0); ok {
			t.Errorf("PlaceAt(%v) is ok", v)
		}
	}
	p, ok := PlaceAt(-0.25, 10_000_000.5, -math.SmallestNonzeroFloat64)
	if !ok || !p.Valid() || p.Sample != (Sample{-1, 10_000_000, 0}) || p.Offset.X != 0.75 || p.Offset.Y != 0.5 {
		t.Errorf("got %+v, %v", p, ok)
	}
}
