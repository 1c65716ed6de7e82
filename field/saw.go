package field

// saw is x − period·⌊x/period⌋, from 0 to period, both included: near the end of a tooth rounding may reach it.
type saw struct{ period float32 }

// farTeeth is how many periods away from 0 a saw ends: beyond it a float32 has few places within a tooth.
const farTeeth = 1 << 22

// tooth returns ⌊a/period⌋ and whether a saw has teeth there.
func (s saw) tooth(a float32) (float32, bool) {
	u := a / s.period
	if !(u > -farTeeth && u < farTeeth) {
		return 0, false
	}
	k := float32(int32(u))
	if k > u {
		k--
	}
	return k, true
}

func (s saw) of(a float32) float32 {
	k, ok := s.tooth(a)
	if !ok {
		return 0
	}
	return smaller(larger(a-float32(s.period*k), 0), s.period)
}

func (s saw) all(dst, a []float32) { sawRows(dst, a, s.period) }

// bound is exact within a tooth, where every step rises with a.
func (s saw) bound(a Interval) Interval {
	lo, ok := s.tooth(a.Lo)
	hi, ok2 := s.tooth(a.Hi)
	if ok && ok2 && lo == hi {
		return Interval{s.of(a.Lo), s.of(a.Hi)}
	}
	return Interval{0, s.period}
}
