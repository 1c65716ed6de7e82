package noise

// An Octave is one lattice of a noise as other evaluators need it, shaders for one. What they compute from it
// is in this package's kernels.
type Octave struct {
	Seed   uint32
	Weight float32  // of the octave's value in the sum
	Step   [3]Step  // along x, y and z
	Offset [3]Phase // added to the phase of a sample
	// In place of its value v an octave with a Slope adds Base + Slope·|v|.
	Base, Slope float32
}

// Octaves returns the octaves of n in the order in which they are added.
func (n *Noise) Octaves() []Octave {
	list := make([]Octave, len(n.octaves))
	for i, o := range n.octaves {
		list[i] = Octave{Seed: o.seed, Weight: o.weight, Step: o.step, Offset: o.offset, Base: o.base, Slope: o.slope}
	}
	return list
}
