// Package fault holds the errors that the readers of files share with package ingest, which publishes them.
package fault

import (
	"errors"
	"fmt"
)

// The errors of the readers, which wrap them with where, what was found and what would be right.
var (
	ErrCorrupt     = errors.New("damaged or cut short")
	ErrUnsupported = errors.New("not a file that can be read")
	ErrTooLarge    = errors.New("too large")
	// ErrTooMany is the ErrTooLarge of files that a limit of samples keeps from being read.
	ErrTooMany = fmt.Errorf("%w", ErrTooLarge)
)
