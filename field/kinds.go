package field

// A Kind says what a node computes. The numbers are stored and never reused.
type Kind uint16

// A NodeSemantics names a kind and the version of what this engine computes for it. Two engines make the
// same world only if they agree on the versions of all its nodes.
type NodeSemantics struct {
	Kind    Kind
	Version uint16
}
