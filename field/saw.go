package field

import (
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/kernel/rows"
	"github.com/terrane/terrane/internal/kernel/scalar"
)

// saw is scalar.Saw.
type saw struct{ period float32 }

func (s saw) of(a float32) float32 { return scalar.Saw(a, s.period) }
func (s saw) all(dst, a []float32) { rows.Saw(dst, a, s.period) }

// bound is exact within a tooth, where every step rises with a.
func (s saw) bound(a geom.Interval) geom.Interval {
	lo, ok := scalar.Tooth(a.Lo, s.period)
	hi, ok2 := scalar.Tooth(a.Hi, s.period)
	if ok && ok2 && lo == hi {
		return geom.Interval{Lo: s.of(a.Lo), Hi: s.of(a.Hi)}
	}
	return geom.Interval{Lo: 0, Hi: s.period}
}
