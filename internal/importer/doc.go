// Package importer makes of other people's files what the engine reads: volumes, heightmaps, and documents with the
// assets that they name. It is the only place that opens such files, so all commands take the same ones, refuse the same
// ones with the same words, and stay within the same memory.
//
// Errors that are the file's fault are of package usage.
package importer

import "log/slog"

// An Importer reads files and logs what it had to decide.
type Importer struct{ Log *slog.Logger }
