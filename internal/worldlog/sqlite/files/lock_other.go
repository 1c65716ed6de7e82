//go:build !unix || solaris || illumos || aix

package files

import "os"

// lockFile does nothing where there is no flock: SQLite's own lock on the world's file, which the driver takes
// there by other means, keeps out a second process.
func lockFile(*os.File, bool) error { return nil }

// syncFolder does nothing: folders cannot be synced everywhere.
func syncFolder(*os.File) error { return nil }
