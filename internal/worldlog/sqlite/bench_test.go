package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/worldlogtest"
	"github.com/terrane/terrane/lattice"
)

func benchStore(b *testing.B) *Store {
	document := []byte("document")
	s, err := Create(filepath.Join(b.TempDir(), "world.terrane"), worldlogtest.Meta(document), document)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// BenchmarkAppend measures acknowledged edits of 36 bytes: durable in the file and in the head file.
func BenchmarkAppend(b *testing.B) {
	for _, appenders := range []int{1, 16, 128} {
		b.Run(fmt.Sprintf("appenders=%d", appenders), func(b *testing.B) {
			s := benchStore(b)
			ctx := context.Background()
			var left atomic.Int64
			left.Store(int64(b.N))
			b.ReportAllocs()
			b.ResetTimer()
			var wg sync.WaitGroup
			for a := range appenders {
				wg.Go(func() {
					entries := []worldlog.Entry{{
						Author:  "benchmark",
						Kind:    worldlog.KindEdit,
						Payload: make([]byte, 36),
						Regions: []lattice.Region{{X: int32(a % 8), Z: int32(a / 8)}},
					}}
					for n := uint64(1); left.Add(-1) >= 0; n++ {
						entries[0].ID = worldlog.EditID{Session: uint64(a + 1), Counter: n}
						if _, err := s.Append(ctx, entries); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "edits/s")
		})
	}
}

// BenchmarkOpen measures the opening of a world, which reads and checks its whole log.
func BenchmarkOpen(b *testing.B) {
	const entries = 200_000
	s := benchStore(b)
	var batch []worldlog.Entry
	for i := range entries {
		batch = append(batch, worldlogtest.Entry(uint64(i%100), uint64(i/100+1), worldlogtest.Region(int32(i%64), 0)))
		if len(batch) == worldlog.MaxBatch || i == entries-1 {
			if _, err := s.Append(context.Background(), batch); err != nil {
				b.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := Open(s.path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
	b.ReportMetric(entries*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}
