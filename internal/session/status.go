package session

import "time"

// statusEvery bounds how often the host hears of what changed little by little.
const statusEvery = 100 * time.Millisecond

// A reporter remembers what the host was told last.
type reporter struct {
	last   Status
	time   time.Duration
	told   bool
	urgent bool // the state changed, or something that should not wait

	problem string // the last thing that went wrong, for people
}

// report remembers a problem.
func (r *reporter) report(problem string) { r.problem = problem }

// report tells the host what changed.
func (s *Session) report() {
	r := &s.status
	if r.told && !r.urgent && s.now-r.time < statusEvery {
		return
	}
	r.urgent, r.time = false, s.now
	if now := s.Status(); !r.told || now != r.last {
		r.last, r.told = now, true
		s.host.Status(now)
	}
}

// Status returns the current status.
func (s *Session) Status() Status {
	st := Status{
		State:   s.link.State(),
		Message: s.status.problem,
		RetryIn: s.link.RetryIn(),

		World: s.blueprint.welcome.World,
		Name:  s.blueprint.welcome.Name,
		Head:  s.link.Head(),

		Building: s.builders.Len(),
		Unshown:  s.screen.Unshown(),

		Acked:   s.tally.Acked,
		Refused: s.tally.Refused,

		Mesher: s.view.mesher,
		Radius: s.view.radius,
		Eye:    s.view.eye,
		People: len(s.people.known),
	}
	if s.world == nil {
		return st
	}
	st.Hash = s.regions.Hash()
	st.Regions, st.Syncing = s.regions.Counts()
	_, waiting, chunks, fresh := s.residency.Counts()
	st.Loaded, st.Waiting = fresh, chunks-fresh+waiting
	tally := s.own.Tally()
	st.Pending, st.Acked, st.Refused = s.own.Pending(), tally.Acked, tally.Refused
	st.Tiles = s.tiles.Len()
	return st
}
