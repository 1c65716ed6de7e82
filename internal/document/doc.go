// Package document reads the documents that worlds are written in, YAML or JSON, and makes field graphs of them:
// [Parse] checks a document and reports all that is wrong with it by line and column, [Document.Graph] compiles
// it. Package printer writes documents of graphs; package syntax has the tree of values and the messages.
//
// # The language
//
// docs/fields.md teaches it. One table, operations in operations.go, says which nodes there are: their names,
// what they read, their parameters with units and ranges. The checks and their messages, the JSON Schema
// ([Schema]), the reference in the manual ([Reference]) and the printed document are all made from it.
//
// A document is a mapping. Its nodes have names and stand in any order; a node is a mapping with one key that
// says what it does. Where a node is read there may stand its name, a number, a parameter ($name) or a whole
// node. YAML's anchors, aliases, tags and merge keys are refused: names do what they do, and a document cannot
// grow larger in memory than it is on disk.
//
// # The order of nodes
//
// A document becomes the same graph byte for byte each time: its named nodes in the order in which they stand,
// each right after those of its inputs that stand further down; inline nodes right before the node that reads
// them; then the density, the ground and the material.
//
// go generate writes the reference in docs/fields.md and docs/terrane.schema.json.
package document

//go:generate go test -run ^(TestReference|TestPublishedSchema)$ . -update
