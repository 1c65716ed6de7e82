package pool

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestSignal passes a token down a chain of workers that start in the wrong order, more of them than processors, so
// that some sleep.
func TestSignal(t *testing.T) {
	const workers = 64
	var s Signal
	s.Init()
	var done [workers + 1]atomic.Bool
	var passed atomic.Int32
	var wait sync.WaitGroup
	for i := workers - 1; i >= 0; i-- {
		wait.Go(func() {
			s.Wait(&done[i])
			passed.Add(1)
			s.Set(&done[i+1])
		})
	}
	s.Set(&done[0])
	s.Wait(&done[workers])
	wait.Wait()
	if n := passed.Load(); n != workers {
		t.Errorf("%d workers passed the token, want %d", n, workers)
	}
}
