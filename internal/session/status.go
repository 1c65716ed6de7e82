package session

import "time"

// statusEvery bounds how often the host hears of what changed little by little.
const statusEvery = 100 * time.Millisecond

// A reporter remembers what the host was told last.
type reporter struct {
	last   Status
	time   time.Duration
	told   bool
	urgent bool // the state or the message changed
}

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
	rs := &s.regions
	st := Status{
		State:   s.link.state,
		Message: s.link.messages,

		World: s.blueprint.welcome.World,
		Name:  s.blueprint.welcome.Name,
		Head:  rs.head,

		Regions: len(rs.list) - rs.syncing,
		Syncing: rs.syncing,

		Loaded:   s.fresh,
		Waiting:  len(s.chunks) - s.fresh + len(s.waiting),
		Building: len(s.jobs.all),
		Unshown:  len(s.groups.unshown),

		Pending: s.own.flights + s.own.unsent,
		Acked:   s.own.acked,
		Refused: s.own.refused,

		Mesher: s.view.mesher,
		Radius: s.view.radius,
		Eye:    s.view.eye,
		People: len(s.people),
		Tiles:  s.tiles.there,
	}
	if st.State == Waiting {
		st.RetryIn = s.link.wait
	}
	if s.world != nil {
		for _, r := range rs.list {
			if r.phase == live {
				st.Hash ^= s.world.Layer().RegionHash(r.id)
			}
		}
	}
	return st
}
