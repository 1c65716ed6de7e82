package session

import (
	"errors"
	"time"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// ErrOutOfReach is Strike's: the sight meets no ground, or none that is loaded.
var ErrOutOfReach = errors.New("there is no ground within reach")

// A Sight is a ray from a viewer's eye.
type Sight struct {
	From  lattice.Place
	Dir   geom.Vec3
	Reach float32 // meters
}

// A Tool is a brush in a viewer's hand.
type Tool struct {
	Brush  edit.Brush // its radius is the size of the tool
	Joined bool       // draws on from the strike before, if the shape can and that is not too far away
}

// Strike makes an edit where the sight meets the ground. The place is the one that the ray was computed to meet, to the
// bit: it is never told in meters, which would round it far from the origin, and nothing changes the ground between.
func (s *Session) Strike(now time.Duration, t Tool, at Sight) (counter uint64, err error) {
	s.begin(now)
	if hit, ok := s.Aim(at); ok {
		counter, err = s.edit(t.at(hit.Place, s.struck))
		if err == nil {
			s.struck = hit.Place
		}
	} else {
		err = ErrOutOfReach
	}
	s.end()
	return counter, err
}

// at returns the edit that t makes at a place, where last is the place of the strike before.
func (t Tool) at(p, last lattice.Place) edit.Edit {
	first := edit.Edit{Brush: t.Brush.Sized(t.Brush.Radius, geom.Vec3{}), Place: p}
	if !t.Joined {
		return first
	}
	drawn := edit.Edit{Brush: t.Brush.Sized(t.Brush.Radius, last.From(p.Sample).Sub(p.Offset)), Place: p}
	if _, err := drawn.Check(); err != nil {
		return first // the viewer has moved too far since
	}
	return drawn
}
