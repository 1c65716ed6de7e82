package field

import (
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
)

// saw is scalar.Saw.
type saw struct{ period float32 }

func (s saw) of(a float32) float32 { return scalar.Saw(a, s.period) }
func (s saw) all(dst, a []float32) { rows.Saw(dst, a, s.period) }

// bound is exact within a tooth, where every step rises with a.
func (s saw) bound(a Interval) Interval {
	lo, ok := scalar.Tooth(a.Lo, s.period)
	hi, ok2 := scalar.Tooth(a.Hi, s.period)
	if ok && ok2 && lo == hi {
		return Interval{s.of(a.Lo), s.of(a.Hi)}
	}
	return Interval{0, s.period}
}
