package graph

import (
	"cmp"
	"slices"
)

// Semantics names a kind and the version of what an engine computes for it. Two engines make the same world only if
// they agree on the versions of all its nodes.
type Semantics struct{ Kind, Version uint16 }

// EngineSemantics returns what this engine computes, ascending by kind.
func EngineSemantics() []Semantics {
	s := make([]Semantics, len(kinds))
	for i := range kinds {
		s[i] = Semantics{uint16(kinds[i].Kind), kinds[i].Version}
	}
	return s
}

// A Difference is a kind that a world is made with and an engine computes otherwise, or not at all.
type Difference struct {
	Kind Kind
	Want uint16 // the world's version
	Have uint16 // the engine's
	// Unknown is set if the engine does not know the kind; Have is 0 then.
	Unknown bool
}

// SemanticsDiff returns the first of a world's kinds that an engine computes otherwise. ok is true if there is none:
// the engine makes the same world.
func SemanticsDiff(world, engine []Semantics) (d Difference, ok bool) {
	for _, want := range world {
		d = Difference{Kind: Kind(want.Kind), Want: want.Version, Unknown: true}
		for _, have := range engine {
			if have.Kind == want.Kind {
				d.Have, d.Unknown = have.Version, false
				break
			}
		}
		if d.Unknown || d.Have != d.Want {
			return d, false
		}
	}
	return Difference{}, true
}

// Semantics returns the versions of the kinds that g uses, ascending by kind, each once.
func (g *Graph) Semantics() []Semantics {
	var list []Semantics
	for i := range g.Nodes {
		list = append(list, Semantics{uint16(g.Nodes[i].Kind), g.Nodes[i].Version})
	}
	slices.SortFunc(list, func(a, b Semantics) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Version, b.Version))
	})
	return slices.Compact(list)
}
