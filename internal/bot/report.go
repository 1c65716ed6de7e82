package bot

import "fmt"

// A Report sums up bots that ran side by side: what they sent, and how fast they were answered.
type Report struct {
	Bots     int     `json:"bots"`
	Seconds  float64 `json:"seconds"`
	Edits    uint64  `json:"edits"`
	Acked    uint64  `json:"acked"`
	Refused  uint64  `json:"refused"`
	Entries  uint64  `json:"entries"`
	Retries  int     `json:"retries"`
	AckMS    [3]int  `json:"ack_ms"`  // from sending an edit to its acknowledgement: median, 95 % and 99 %, the slowest bot's
	SeenMS   [3]int  `json:"seen_ms"` // from the order of another's edit to its arrival
	Rejected int     `json:"rejected"`
}

// Add counts one bot in. Of the times, the worst bot's count.
func (r *Report) Add(s Stats) {
	r.Edits += s.Edits
	r.Acked += s.Acked
	r.Refused += s.Refused
	r.Entries += s.Entries
	r.Retries += s.Retries
	for i, q := range [3]float64{0.5, 0.95, 0.99} {
		r.AckMS[i] = max(r.AckMS[i], int(s.Ack.Quantile(q).Milliseconds()))
		r.SeenMS[i] = max(r.SeenMS[i], int(s.Seen.Quantile(q).Milliseconds()))
	}
}

// Facts returns the report as names and values in turns.
func (r *Report) Facts() []string {
	times := func(ms [3]int) string { return fmt.Sprintf("%d, %d, %d ms", ms[0], ms[1], ms[2]) }
	return []string{"bots", fmt.Sprintf("%d for %.1f s, %d reconnects", r.Bots, r.Seconds, r.Retries),
		"edits", fmt.Sprintf("%d made, %d acknowledged, %d refused", r.Edits, r.Acked, r.Refused),
		"entries", fmt.Sprintf("%d came", r.Entries),
		"acknowledged", "after " + times(r.AckMS) + " (median, 95 %, 99 % of the slowest bot)",
		"others' edits", "after " + times(r.SeenMS)}
}
