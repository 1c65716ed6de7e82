// Package syntax reads YAML and JSON into a tree of values that know where they stand, keeps numbers in decimal, and
// gathers what is wrong with a document, each problem with its line, a mark under the offending text and a hint.
package syntax
