package syntax

import "github.com/terrane/terrane/graph"

// A Function is a kind of node that a document writes as its name with the one node that it reads, and its floats beside
// it by name. Reading and writing documents both follow from it.
type Function struct {
	Name   string
	Kind   graph.Kind
	Floats []string // in the order of the node's
}

// Functions lists the functions of the language.
var Functions = []Function{
	{"below", graph.KindHeight, nil},
	{"scale", graph.KindScale, []string{"by", "plus"}},
	{"abs", graph.KindAbs, nil},
	{"clamp", graph.KindClamp, []string{"low", "high"}},
	{"smoothstep", graph.KindSmoothstep, []string{"low", "high"}},
	{"bump", graph.KindBump, []string{"width"}},
	{"terrace", graph.KindTerrace, []string{"step", "rise"}},
	{"saw", graph.KindSaw, []string{"period"}},
	{"slope", graph.KindSlope, nil},
}
