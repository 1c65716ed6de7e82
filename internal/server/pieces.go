package server

import (
	"crypto/sha256"
	"sync"
	"time"
	"weak"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/lattice"
)

// names holds the content hashes of bricks, so that an unchanged brick is encoded once. It keeps no brick
// alive: an entry whose brick has been replaced no longer fits and is written over in time.
type names map[lattice.Brick]name

type name struct {
	brick weak.Pointer[brick.Brick]
	hash  asset.Hash
}

func (n names) set(b *brick.Brick, h asset.Hash) { n[b.ID()] = name{weak.Make(b), h} }

func (n names) hash(b *brick.Brick) (h asset.Hash, ok bool) {
	e, ok := n[b.ID()]
	return e.hash, ok && e.brick.Value() == b
}

// pieces serves bricks by the hash of their encoded form: every brick that a Snapshot message named, for a
// while after. It keeps the bricks themselves, most of which the world keeps as well, and encodes them again
// when they are asked for.
type pieces struct {
	keep time.Duration

	mu    sync.Mutex // guards the rest
	names names
	held  map[asset.Hash]heldPiece
	sweep time.Time // when held is next looked through
}

type heldPiece struct {
	brick *brick.Brick
	until time.Time
}

func newPieces(keep time.Duration) *pieces {
	return &pieces{keep: keep, names: make(names), held: make(map[asset.Hash]heldPiece)}
}

// name returns the hash of b's encoded form and keeps b at hand under it.
func (p *pieces) name(b *brick.Brick) asset.Hash {
	p.mu.Lock()
	h, ok := p.names.hash(b)
	p.mu.Unlock()
	if !ok {
		h = sha256.Sum256(b.AppendBinary(nil)) // a tenth of a millisecond, without the lock
	}
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names.set(b, h)
	p.held[h] = heldPiece{b, now.Add(p.keep)}
	if now.After(p.sweep) {
		p.sweep = now.Add(p.keep / 4)
		for h, e := range p.held {
			if now.After(e.until) {
				delete(p.held, h)
			}
		}
		for id, n := range p.names {
			if n.brick.Value() == nil {
				delete(p.names, id)
			}
		}
	}
	return h
}

// content returns the encoded form of the brick named h, nil if it is not at hand.
func (p *pieces) content(h asset.Hash) []byte {
	p.mu.Lock()
	e := p.held[h]
	p.mu.Unlock()
	if e.brick == nil {
		return nil
	}
	return e.brick.AppendBinary(nil)
}
