// Package cli holds the bodies of terrane's commands.
//
// A command answers 0 when it did what it was asked, 2 when what it was given was wrong (a flag, a file, an
// address: the message says what, where, and what would be right), and 1 when something failed that was
// right at the start (a disk that filled up).
package cli
