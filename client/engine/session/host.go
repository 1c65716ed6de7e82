//go:build js && wasm

package session

import (
	"encoding/hex"
	"syscall/js"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/session"
)

// A host passes the session's orders to the worker.
type host struct {
	js         js.Value
	uint8Array js.Value
	int32Array js.Value
	scratch    []byte
}

func newHost(v js.Value) *host {
	return &host{js: v, uint8Array: js.Global().Get("Uint8Array"), int32Array: js.Global().Get("Int32Array")}
}

func (h *host) Connect(after time.Duration) { h.js.Call("connect", after.Seconds()*1000) }

func (h *host) Disconnect() { h.js.Call("disconnect") }

func (h *host) Send(frame []byte) { h.js.Call("send", h.bytes(frame)) }

func (h *host) Fetch(hash asset.Hash) { h.js.Call("fetch", hash.String()) }

// Ready calls ready(graph, files, palette): four bytes a material (red, green and blue in sRGB, roughness of 255).
func (h *host) Ready(graph []byte, assets map[asset.Hash][]byte, palette []graph.Material) {
	files := map[string]any{}
	for hash, data := range assets {
		files[hash.String()] = h.bytes(data)
	}
	colors := make([]byte, 0, 4*len(palette))
	for _, m := range palette {
		colors = append(colors, m.Color[0], m.Color[1], m.Color[2], uint8(m.Roughness*255+0.5))
	}
	h.js.Call("ready", h.bytes(graph), files, h.bytes(colors))
}

func (h *host) Build(ticket, lane uint32, job []byte) {
	h.js.Call("build", float64(ticket), float64(lane), h.bytes(job))
}

func (h *host) Discard(ticket uint32) { h.js.Call("discard", float64(ticket)) }

// Show calls show(id, edit, results, drops): numbers as layout.go orders them.
func (h *host) Show(g session.Group) {
	results := make([]int32, 0, ResultStride*len(g.Results))
	for _, r := range g.Results {
		empty := int32(0)
		if r.Empty {
			empty = 1
		}
		c := r.Chunk
		row := [ResultStride]int32{
			ResultTicket: int32(r.Ticket), ResultX: c.X, ResultY: c.Y, ResultZ: c.Z, ResultLevel: int32(c.Level),
			ResultVersion: int32(r.Version), ResultEmpty: empty,
		}
		results = append(results, row[:]...)
	}
	drops := make([]int32, 0, ChunkStride*len(g.Drop))
	for _, c := range g.Drop {
		row := [ChunkStride]int32{ChunkX: c.X, ChunkY: c.Y, ChunkZ: c.Z, ChunkLevel: int32(c.Level)}
		drops = append(drops, row[:]...)
	}
	h.js.Call("show", exact(g.ID), g.Edit, h.ints(results), h.ints(drops))
}

func (h *host) People(moved []session.Person, gone []uint64) {
	people := make([]any, len(moved))
	for i, p := range moved {
		x, y, z := p.Eye.Meters()
		people[i] = map[string]any{
			"id": exact(p.Client), "name": p.Name, "x": x, "y": y, "z": z,
			"yaw": finite(p.Yaw), "pitch": finite(p.Pitch),
		}
	}
	ids := make([]any, len(gone))
	for i, id := range gone {
		ids[i] = exact(id)
	}
	h.js.Call("people", people, ids)
}

func (h *host) Status(s session.Status) { h.js.Call("status", statusOf(s)) }

// statusOf returns the status as an object; client/src/world/protocol.ts has its type.
func statusOf(s session.Status) map[string]any {
	return map[string]any{
		"state": s.State.String(), "message": s.Message, "retryMs": s.RetryIn.Seconds() * 1000,
		"world": hex.EncodeToString(s.World[:]), "name": s.Name, "head": exact(s.Head), "hash": s.HashHex(),
		"regions": s.Regions, "syncing": s.Syncing,
		"loaded": s.Loaded, "waiting": s.Waiting, "building": s.Building, "unshown": s.Unshown,
		"pending": s.Pending, "acked": exact(s.Acked), "refused": exact(s.Refused),
		"mesher": int(s.Mesher), "radius": s.Radius, "people": s.People,
	}
}

// bytes copies data into a new Uint8Array.
func (h *host) bytes(data []byte) js.Value {
	v := h.uint8Array.New(len(data))
	js.CopyBytesToJS(v, data)
	return v
}

// ints copies numbers into a new Int32Array.
func (h *host) ints(numbers []int32) js.Value {
	h.scratch = h.scratch[:0]
	for _, n := range numbers {
		h.scratch = append(h.scratch, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	v := h.bytes(h.scratch)
	return h.int32Array.New(v.Get("buffer"))
}
