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

// NewStore returns a log in memory of a fresh world of g. It is the caller's to close.
func NewStore(t testing.TB, g *graph.Graph) *memlog.Store {
	t.Helper()
	document := g.AppendBinary(nil)
	store, err := memlog.New(worldlog.Meta{
		World: World, Name: "test", Created: time.Unix(1_700_000_000, 0), Document: asset.Of(document), Semantics: graph.EngineSemantics(),
	}, document)
	if err != nil {
		t.Fatal(err)
	}
	return store
}
