package bot

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/builder"
)

// builders are the goroutines that build chunks, one a lane.
type builders struct {
	bot     *Bot
	lanes   []chan work
	running sync.WaitGroup
	kept    map[uint32][]byte // results that are not shown yet, by ticket
}

// A work is a job on its way to a builder.
type work struct {
	ticket uint32
	job    []byte
}

// laneSize is the number of jobs that may wait for a builder; a session gives it no more than four.
const laneSize = 16

// Ready implements session.Host.
func (h host) Ready(graph []byte, assets map[asset.Hash][]byte, _ []graph.Material) {
	b := h.bot
	b.build.stop()
	b.build.kept = make(map[uint32][]byte)
	for range b.config.Builders {
		lane := make(chan work, laneSize)
		b.build.lanes = append(b.build.lanes, lane)
		b.build.running.Go(func() { b.build.work(lane, graph, assets) })
	}
}

// work is a builder.
func (bs *builders) work(lane <-chan work, graph []byte, assets map[asset.Hash][]byte) {
	made, err := builder.New(graph, func(h asset.Hash) ([]byte, error) {
		if data, ok := assets[h]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("bot: no asset %v", h)
	})
	b := bs.bot
	for w := range lane {
		var result []byte
		failed := err
		if failed == nil {
			result, failed = made.Build(w.job)
			result = bytes.Clone(result)
		}
		b.post(func() {
			if failed != nil {
				b.session.BuildFailed(b.now(), w.ticket, failed.Error())
				return
			}
			bs.kept[w.ticket] = result
			b.update(func() { b.stats.Built++ })
			b.session.Built(b.now(), w.ticket, result)
		})
	}
}

// Build implements session.Host.
func (h host) Build(ticket, lane uint32, job []byte) {
	b := h.bot
	select {
	case b.build.lanes[lane] <- work{ticket, bytes.Clone(job)}:
	default:
		b.deferred = append(b.deferred, func() { b.session.BuildFailed(b.now(), ticket, "the builder has too much to do") })
	}
}

// Discard implements session.Host.
func (h host) Discard(ticket uint32) { delete(h.bot.build.kept, ticket) }

// stop ends the builders without waiting for them. Their results are discarded.
func (bs *builders) stop() {
	for _, lane := range bs.lanes {
		close(lane)
	}
	bs.lanes = nil
}
