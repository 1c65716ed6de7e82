package budget

import (
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/lattice"
)

// OfEdit returns about what applying e costs, in units: one for a row of a brick's samples, and eight to begin with.
func OfEdit(e edit.Checked) int { return 8 + e.Cost()/lattice.BrickSamples }
