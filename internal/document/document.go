package document

import "github.com/terrane/terrane/internal/document/syntax"

// What a reader of documents meets of package syntax.
type (
	// Problem is one thing that is wrong with a document.
	Problem = syntax.Problem
	// Problems is the error of a document that cannot be used.
	Problems = syntax.Problems
)

// MaxBytes bounds the size of a document.
const MaxBytes = syntax.MaxBytes

// Visible is [syntax.Visible]: it spells out the characters that would control a terminal.
func Visible(s string) string { return syntax.Visible(s) }
