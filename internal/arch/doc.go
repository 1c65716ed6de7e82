// Package arch holds the import table of ARCHITECTURE.md and tests it over `go list`. A new arrow between
// packages is a reviewed line in table.go.
package arch
