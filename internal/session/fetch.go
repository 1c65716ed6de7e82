package session

import (
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/terrane/terrane/asset"
)

// errAsset cannot come up while the server names every asset of its document.
var errAsset = errors.New("the document uses an asset that the server does not name")

const (
	// firstRetry and maxRetry bound the wait before content is asked for again.
	firstRetry = 250 * time.Millisecond
	maxRetry   = 15 * time.Second
	// maxTries is how often a piece is asked for before its region is subscribed to anew: the server may have
	// dropped it for a newer one.
	maxTries = 4
)

// fetches are the contents that the session wants.
type fetches struct {
	all     map[asset.Hash]*fetch
	queue   []*fetch // not asked for yet, in order
	later   []*fetch // failed, to be asked for again
	flights int
}

// A fetch is one content on its way.
type fetch struct {
	hash     asset.Hash
	region   *region // whose piece it is; nil for a part of the blueprint or a tile
	tries    int
	after    time.Duration // when to try again
	flight   bool          // the host is at it
	unwanted bool          // nobody waits for it any more
}

func (f *fetches) init() { f.all = make(map[asset.Hash]*fetch) }

// want asks for a content.
func (f *fetches) want(hash asset.Hash, r *region) {
	if old, ok := f.all[hash]; ok {
		old.region, old.unwanted = r, false // wanted again while it was on its way
		return
	}
	n := &fetch{hash: hash, region: r}
	f.all[hash] = n
	f.queue = append(f.queue, n)
}

// abandon forgets what was wanted for r (nil: for the blueprint). What is on its way is thrown away when it
// comes.
func (f *fetches) abandon(r *region) {
	for hash, n := range f.all {
		if n.region == r {
			if n.unwanted = true; !n.flight {
				delete(f.all, hash)
			}
		}
	}
	gone := func(n *fetch) bool { return n.unwanted }
	f.queue = slices.DeleteFunc(f.queue, gone)
	f.later = slices.DeleteFunc(f.later, gone)
}

// cancel forgets one content. If it is on its way it is thrown away when it comes.
func (f *fetches) cancel(hash asset.Hash) {
	n := f.all[hash]
	if n == nil {
		return
	}
	if n.unwanted = true; n.flight {
		return
	}
	delete(f.all, hash)
	is := func(o *fetch) bool { return o == n }
	f.queue, f.later = slices.DeleteFunc(f.queue, is), slices.DeleteFunc(f.later, is)
}

// retry puts back what has waited long enough after a failure.
func (f *fetches) retry(now time.Duration) {
	f.later = slices.DeleteFunc(f.later, func(n *fetch) bool {
		if n.after > now {
			return false
		}
		f.queue = append(f.queue, n)
		return true
	})
}

// startFetches hands the host as many as it may have at once.
func (s *Session) startFetches() {
	f := &s.fetches
	for f.flights < s.conf.MaxFetches && len(f.queue) > 0 {
		n := f.queue[0]
		f.queue = f.queue[1:]
		n.flight = true
		n.tries++
		f.flights++
		s.host.Fetch(n.hash)
	}
}

// fetched takes a content.
func (s *Session) fetched(hash asset.Hash, data []byte) {
	n := s.fetches.land(hash)
	if n == nil {
		return // nobody wants it any more
	}
	if sha256.Sum256(data) != hash {
		s.failed(n, "the server sent content that does not have the hash that was asked for")
		return
	}
	s.spend(1 + len(data)>>13)
	delete(s.fetches.all, hash)
	if n.region == nil {
		if !s.tileFetched(hash, data) {
			s.loaded(hash, data)
		}
		return
	}
	s.pieceFetched(n.region, hash, data)
}

// fetchFailed plans another try.
func (s *Session) fetchFailed(hash asset.Hash, reason string) {
	if n := s.fetches.land(hash); n != nil {
		s.failed(n, reason)
	}
}

// land takes a fetch out of the air, nil if it is not known there.
func (f *fetches) land(hash asset.Hash) *fetch {
	n := f.all[hash]
	if n == nil || !n.flight {
		return nil
	}
	n.flight = false
	f.flights--
	if n.unwanted {
		delete(f.all, hash)
		return nil
	}
	return n
}

// failed puts a fetch off.
func (s *Session) failed(n *fetch, reason string) {
	s.link.messages = reason
	if n.region != nil && n.tries >= maxTries {
		s.restart(n.region)
		return
	}
	n.after = s.now + min(firstRetry<<min(n.tries-1, 8), maxRetry)
	s.fetches.later = append(s.fetches.later, n)
}
