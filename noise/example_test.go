package noise_test

import (
	"fmt"

	"github.com/terrane/terrane/noise"
)

func Example() {
	step, _ := noise.StepOf(1.0 / 40) // one lattice cell in 40 samples
	n, err := noise.New(noise.Config{
		Kind: noise.Gradient, Dims: 3, Seed: 1,
		StepX: step, StepY: step, StepZ: step,
		Octaves: 4, Gain: 0.5,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.At(0, 0, 0))
	fmt.Println(n.At(10_000_000, 0, 0)) // as smooth as at the origin

	// A row along x, the same bits.
	rows, row := n.NewRows(), make([]float32, 3)
	rows.Reset(10_000_000, 1, len(row))
	rows.Fill3(row, 0, 1, 1, 0)
	fmt.Println(row)
	// Output:
	// -0.00070187263
	// -0.22196318
	// [-0.22196318 -0.21851364 -0.21165633]
}
