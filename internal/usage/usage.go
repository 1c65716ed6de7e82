// Package usage tells errors that are the fault of what a program was given, such as a flag, a file or an address, from
// failures of what was right at the start. A command ends with exit status 2 for the first and 1 for the second.
package usage

import (
	"errors"
	"fmt"
)

// An Error is the fault of what the program was given. Its message says what was wrong, where, and what would be right.
type Error struct{ err error }

// Error implements error.
func (e Error) Error() string { return e.err.Error() }

// Unwrap returns the error that e marks.
func (e Error) Unwrap() error { return e.err }

// Errorf returns an Error with the text that fmt.Errorf makes.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// Is reports whether err or an error that it wraps is an Error.
func Is(err error) bool {
	_, ok := errors.AsType[Error](err)
	return ok
}
