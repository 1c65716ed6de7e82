// Package budget counts what is left of the slice of time that one event of a session may take. A session has no
// clock of its own, so it counts work in units of roughly 50 µs in WebAssembly and puts off what is beyond them.
package budget

// A Budget holds the units that are left of the current slice. Work that can be put off spends from it before it begins.
type Budget struct{ left int }

// Reset begins a slice of n units.
func (b *Budget) Reset(n int) { b.left = n }

// AtLeast raises what is left to n units.
func (b *Budget) AtLeast(n int) { b.left = max(b.left, n) }

// Spend takes n units and reports whether one was left before. It may overdraw: a piece of work that is dearer than a
// whole slice would never be done otherwise.
func (b *Budget) Spend(n int) bool {
	if b.left <= 0 {
		return false
	}
	b.left -= n
	return true
}

// Exhausted reports whether nothing is left.
func (b *Budget) Exhausted() bool { return b.left <= 0 }
