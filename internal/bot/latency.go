package bot

import (
	"slices"
	"time"
)

// keptLatencies bounds the memory of a Latency: the last ones count.
const keptLatencies = 1 << 14

// A Latency collects durations. The zero value is empty.
type Latency struct {
	Count int
	kept  []time.Duration
}

// add adds a duration. A negative one, which clocks of two machines can make, counts as 0.
func (l *Latency) add(d time.Duration) {
	d = max(d, 0)
	if len(l.kept) < keptLatencies {
		l.kept = append(l.kept, d)
	} else {
		l.kept[l.Count%keptLatencies] = d
	}
	l.Count++
}

func (l *Latency) clone() Latency { return Latency{l.Count, slices.Clone(l.kept)} }

// Quantile returns the duration that the fraction q of the last ones did not exceed; 0 if there are none.
func (l *Latency) Quantile(q float64) time.Duration {
	if len(l.kept) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.kept))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
