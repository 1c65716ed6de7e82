// Package pool has what the workers of a pool wait for each other with. It starts no goroutine: whoever runs the workers
// does.
package pool

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Signal lets workers wait for what others do. Init makes it ready.
type Signal struct {
	mu   sync.Mutex
	cond sync.Cond
}

// spinLimit is how many times a worker loads the flag it waits for before it falls back to the condition variable:
// some hundred microseconds. What it waits for is nearly always there or nearly done, and sleeping and being woken
// takes longer than a slab of work, some tens of microseconds; so a much lower limit makes two workers as slow as one.
// A much higher one burns a processor that the other worker, descheduled, may be waiting for.
const spinLimit = 1000

// Init makes the signal ready.
func (s *Signal) Init() { s.cond.L = &s.mu }

// Wait returns when done has been set. In the last nine tenths of the spinning it yields the processor, so that a
// single one serves both.
func (s *Signal) Wait(done *atomic.Bool) {
	for i := range spinLimit {
		if done.Load() {
			return
		}
		if i > spinLimit/10 {
			runtime.Gosched()
		}
	}
	s.mu.Lock()
	for !done.Load() {
		s.cond.Wait()
	}
	s.mu.Unlock()
}

// Set sets done and wakes those that wait.
func (s *Signal) Set(done *atomic.Bool) {
	done.Store(true)
	s.mu.Lock()
	s.cond.Broadcast()
	s.mu.Unlock()
}
