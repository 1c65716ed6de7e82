// Package memlog keeps a world's log in memory, for tests: of what uses a log (Hooks delay and fail its
// operations) and of the suite that every store passes.
package memlog
