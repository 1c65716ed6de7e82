// Package servertest makes worlds for tests that run a server.
package servertest

import (
	"testing"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/memlog"
)

// World is the identity of a test's world.
var World = [16]byte{1, 2, 3}

// Semantics returns what this engine computes, as a log records it.
func Semantics() (list []worldlog.Semantics) {
	for _, s := range graph.EngineSemantics() {
		list = append(list, worldlog.Semantics{Kind: uint16(s.Kind), Version: s.Version})
	}
	return list
}

// NewStore returns a log in memory of a fresh world of g. It is the caller's to close.
func NewStore(t testing.TB, g *graph.Graph) *memlog.Store {
	t.Helper()
	document := g.AppendBinary(nil)
	store, err := memlog.New(worldlog.Meta{
		World: World, Name: "test", Created: time.Unix(1_700_000_000, 0), Document: asset.Of(document), Semantics: Semantics(),
	}, document)
	if err != nil {
		t.Fatal(err)
	}
	return store
}
