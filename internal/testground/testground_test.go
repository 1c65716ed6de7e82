package testground

import (
	"testing"

	"github.com/terrane/terrane/field/fieldtest"
	"github.com/terrane/terrane/lattice"
)

func TestGround(t *testing.T) {
	for _, g := range []Ground{
		{Height: 16.5},
		{Height: 3.25, SlopeX: 0.375, SlopeZ: -0.25, Rough: 2},
		{Height: 3.25, SlopeX: -0.1, Rough: 0.5, Origin: lattice.Sample{X: 10_000_000, Y: 32, Z: -64}},
	} {
		fieldtest.Test(t, g, 1)
	}
}
