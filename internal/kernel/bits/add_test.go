package bits

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for n := range 100 {
		src := make([]uint32, n)
		for i := range src {
			src[i] = r.Uint32()
		}
		by, before := r.Uint32(), r.IntN(20)
		want, got := make([]uint32, n), make([]uint32, n)
		addGeneric(want, src, by)
		if Add(got, src, by); !slices.Equal(got, want) {
			t.Errorf("%d numbers raised by %d: %v, want %v", n, by, got, want)
		}
		same := append(make([]uint32, before), src...)
		if Add(same, same[before:], by); !slices.Equal(same[:n], want) {
			t.Errorf("%d numbers raised by %d and moved by %d: %v, want %v", n, by, before, same[:n], want)
		}
	}
}

func TestSpan(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for n := range 200 {
		src := make([]uint32, n)
		for i := range src {
			src[i] = r.Uint32() >> r.IntN(32) // some are past 1<<31
		}
		least, most := Span(src)
		if a, b := spanGeneric(src); least != a || most != b {
			t.Errorf("%v lie from %d to %d, want %d to %d", src, least, most, a, b)
		}
	}
}
