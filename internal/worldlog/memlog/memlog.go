package memlog

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
)

// An Op is an operation of a store, for Hooks.
type Op uint8

// The operations.
const (
	Append Op = iota + 1
	Read      // before its first entry
	HighWater
	Content
	PutContent
	PutSnapshot
	LatestSnapshot
)

// Hooks are called around every operation, from the goroutine that called it and with no lock held, so they may
// wait (a slow disk) or answer an error, which the operation then returns.
type Hooks struct {
	Before func(context.Context, Op) error // an error: nothing was done
	After  func(context.Context, Op) error // an error: it was done, but the caller cannot tell
}

// A Store is a worldlog.Store in memory.
type Store struct {
	disk *disk

	mu     sync.Mutex // guards the rest
	hooks  Hooks
	closed bool
}

// disk is the data that outlives a Store's Close.
type disk struct {
	mu        sync.Mutex // guards the rest
	meta      worldlog.Meta
	index     *worldlog.Index
	batch     *worldlog.Batch
	entries   []worldlog.Entry
	contents  map[asset.Hash][]byte
	snapshots map[uint8]worldlog.Snapshot
	open      bool
}

var _ worldlog.Store = (*Store)(nil)

// New returns the store of a new world. The contents must hold the meta's document and assets.
func New(m worldlog.Meta, contents ...[]byte) (*Store, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := m.CheckContents(contents); err != nil {
		return nil, err
	}
	m.Created = time.UnixMilli(m.Created.UnixMilli()).UTC()
	d := &disk{
		meta:      cloneMeta(m),
		index:     worldlog.NewIndex(&m),
		contents:  make(map[asset.Hash][]byte),
		snapshots: make(map[uint8]worldlog.Snapshot),
		open:      true,
	}
	d.batch = d.index.NewBatch()
	for _, c := range contents {
		d.contents[asset.Of(c)] = append([]byte{}, c...)
	}
	return &Store{disk: d}, nil
}

// Reopen returns a new store of a closed one's world, as a program that starts again would: without hooks. It
// answers ErrInUse while the world is open.
func (s *Store) Reopen() (*Store, error) {
	d := s.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open {
		return nil, worldlog.ErrInUse
	}
	d.open = true
	return &Store{disk: d}, nil
}

// SetHooks replaces the hooks.
func (s *Store) SetHooks(h Hooks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hooks = h
}

// do runs f, which holds the disk's lock, between the hooks.
func (s *Store) do(ctx context.Context, op Op, f func(*disk) error) error {
	s.mu.Lock()
	hooks, closed := s.hooks, s.closed
	s.mu.Unlock()
	if closed {
		return worldlog.ErrClosed
	}
	if hooks.Before != nil {
		if err := hooks.Before(ctx, op); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("worldlog: %w", err)
	}
	if err := s.locked(f); err != nil {
		return err
	}
	if hooks.After != nil {
		return hooks.After(ctx, op)
	}
	return nil
}

// locked runs f with the disk's lock unless the store has been closed.
func (s *Store) locked(f func(*disk) error) error {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return worldlog.ErrClosed
	}
	return f(s.disk)
}

// Meta implements worldlog.Store.
func (s *Store) Meta() worldlog.Meta { return cloneMeta(s.disk.meta) }

// Append implements worldlog.Store.
func (s *Store) Append(ctx context.Context, entries []worldlog.Entry) ([]worldlog.Appended, error) {
	if err := worldlog.CheckBatch(entries); err != nil {
		return nil, err
	}
	var out []worldlog.Appended
	err := s.do(ctx, Append, func(d *disk) (err error) {
		out, err = d.append(entries)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (d *disk) append(entries []worldlog.Entry) ([]worldlog.Appended, error) {
	has := func(h asset.Hash) bool { _, ok := d.contents[h]; return ok }
	out, err := d.batch.Append(nil, entries, time.Now(), has)
	if err != nil {
		return nil, err
	}
	for i := range d.batch.Len() {
		e, err := worldlog.ParseRecord(d.batch.Record(i))
		if err != nil {
			panic("memlog: " + err.Error())
		}
		d.entries = append(d.entries, e)
	}
	d.batch.Commit()
	return out, nil
}

// Read implements worldlog.Store.
func (s *Store) Read(ctx context.Context, after worldlog.Seq) iter.Seq2[worldlog.Entry, error] {
	var all []worldlog.Entry
	err := s.do(ctx, Read, func(d *disk) error {
		if after < worldlog.Seq(len(d.entries)) {
			all = d.entries[after:]
		}
		return nil
	})
	return func(yield func(worldlog.Entry, error) bool) {
		if err != nil {
			yield(worldlog.Entry{}, err)
			return
		}
		for _, e := range all {
			if !s.yield(ctx, yield, e) {
				return
			}
		}
	}
}

// yield yields a copy of e, or the error that ends the sequence.
func (s *Store) yield(ctx context.Context, yield func(worldlog.Entry, error) bool, e worldlog.Entry) bool {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		yield(worldlog.Entry{}, worldlog.ErrClosed)
		return false
	}
	if err := ctx.Err(); err != nil {
		yield(worldlog.Entry{}, fmt.Errorf("worldlog: %w", err))
		return false
	}
	e.Payload = append([]byte{}, e.Payload...)
	e.Regions, e.Contents = slices.Clone(e.Regions), slices.Clone(e.Contents)
	return yield(e, nil)
}

// Head implements worldlog.Store.
func (s *Store) Head() worldlog.Seq {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	return s.disk.index.Head()
}

// HighWater implements worldlog.Store.
func (s *Store) HighWater(ctx context.Context, session uint64) (n uint64, err error) {
	err = s.do(ctx, HighWater, func(d *disk) error { n = d.index.HighWater(session); return nil })
	return n, err
}

// Content implements worldlog.Store.
func (s *Store) Content(ctx context.Context, h asset.Hash) (data []byte, err error) {
	err = s.do(ctx, Content, func(d *disk) error {
		c, ok := d.contents[h]
		if !ok {
			return fmt.Errorf("%w: content %v", worldlog.ErrNotFound, h)
		}
		data = append([]byte{}, c...)
		return nil
	})
	return data, err
}

// PutContent implements worldlog.Store.
func (s *Store) PutContent(ctx context.Context, data []byte) (asset.Hash, error) {
	if len(data) > worldlog.MaxContent {
		return asset.Hash{}, fmt.Errorf("%w: content of %d bytes; up to %d", worldlog.ErrTooLarge, len(data), worldlog.MaxContent)
	}
	h := asset.Of(data)
	err := s.do(ctx, PutContent, func(d *disk) error {
		d.contents[h] = append([]byte{}, data...)
		return nil
	})
	if err != nil {
		return asset.Hash{}, err
	}
	return h, nil
}

// PutSnapshot implements worldlog.Store.
func (s *Store) PutSnapshot(ctx context.Context, snap worldlog.Snapshot) error {
	return s.do(ctx, PutSnapshot, func(d *disk) error { return d.putSnapshot(snap) })
}

func (d *disk) putSnapshot(snap worldlog.Snapshot) error {
	if err := snap.Validate(d.index.Head()); err != nil {
		return err
	}
	for _, p := range snap.Pieces {
		if _, ok := d.contents[p.Content]; !ok {
			return fmt.Errorf("%w: content %v of %v", worldlog.ErrNotFound, p.Content, p.Brick)
		}
	}
	old, replaced := d.snapshots[snap.Level]
	if replaced && old.Seq > snap.Seq {
		return nil
	}
	snap.Pieces = slices.Clone(snap.Pieces)
	d.snapshots[snap.Level] = snap
	kept := d.keptContents()
	for _, p := range old.Pieces {
		if !kept[p.Content] && !d.index.Names(p.Content) {
			delete(d.contents, p.Content)
		}
	}
	return nil
}

// keptContents returns what the meta and the snapshots name.
func (d *disk) keptContents() map[asset.Hash]bool {
	kept := map[asset.Hash]bool{d.meta.Document: true}
	for _, a := range d.meta.Assets {
		kept[a] = true
	}
	for _, s := range d.snapshots {
		for _, p := range s.Pieces {
			kept[p.Content] = true
		}
	}
	return kept
}

// LatestSnapshot implements worldlog.Store.
func (s *Store) LatestSnapshot(ctx context.Context, level uint8) (snap worldlog.Snapshot, err error) {
	err = s.do(ctx, LatestSnapshot, func(d *disk) error {
		var ok bool
		if snap, ok = d.snapshots[level]; !ok {
			return fmt.Errorf("%w: no snapshot of level %d", worldlog.ErrNotFound, level)
		}
		snap.Pieces = slices.Clone(snap.Pieces)
		return nil
	})
	return snap, err
}

// Close implements worldlog.Store.
func (s *Store) Close() error {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed, s.disk.open = true, false
	}
	return nil
}

func cloneMeta(m worldlog.Meta) worldlog.Meta {
	m.Assets, m.Semantics = slices.Clone(m.Assets), slices.Clone(m.Semantics)
	m.Settings = slices.Clone(m.Settings)
	return m
}
