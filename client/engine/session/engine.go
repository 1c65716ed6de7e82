//go:build js && wasm

// Package session is what the program runs in the session worker: internal/session behind JavaScript functions.
// client/src/workers/session.ts, which calls them, owns the socket, the fetches and the ports, and does what
// host.go orders. Times are milliseconds since any fixed moment, places are meters, bytes are Uint8Array,
// content is named by the hexadecimal form of its hash, chunks are x, y, z, level.
package session

import (
	"errors"
	"fmt"
	"math"
	"syscall/js"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/session"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesher"
)

// An engine is the session that runs. There is none before the worker has called start.
type engine struct {
	*session.Session
}

// Methods returns the functions. The session's orders go to the methods of v.
func Methods(v js.Value) map[string]any {
	e := &engine{}
	methods := map[string]any{}
	for name, f := range e.methods(newHost(v)) {
		methods[name] = js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
	}
	return methods
}

// methods returns what the worker may call, by name.
func (e *engine) methods(h *host) map[string]func(a []js.Value) any {
	do := func(f func(now time.Duration, a []js.Value)) func([]js.Value) any {
		return func(a []js.Value) any {
			f(duration(a[0]), a[1:])
			return nil
		}
	}
	return map[string]func(a []js.Value) any{
		"start": do(func(now time.Duration, a []js.Value) {
			e.Session = session.New(config(a[0]), h)
			e.Start(now)
		}),
		"opened":      do(func(now time.Duration, a []js.Value) { e.Opened(now) }),
		"closed":      do(func(now time.Duration, a []js.Value) { e.Closed(now, a[0].String()) }),
		"receive":     do(func(now time.Duration, a []js.Value) { e.Receive(now, bytesOf(a[0])) }),
		"fetched":     do(func(now time.Duration, a []js.Value) { e.Fetched(now, hashOf(a[0]), bytesOf(a[1])) }),
		"fetchFailed": do(func(now time.Duration, a []js.Value) { e.FetchFailed(now, hashOf(a[0]), a[1].String()) }),
		"built":       do(func(now time.Duration, a []js.Value) { e.Built(now, ticketOf(a[0]), bytesOf(a[1])) }),
		"buildFailed": do(func(now time.Duration, a []js.Value) { e.BuildFailed(now, ticketOf(a[0]), a[1].String()) }),
		"shown":       do(func(now time.Duration, a []js.Value) { e.Shown(now, uint64(a[0].Float())) }),
		"setMesher":   do(func(now time.Duration, a []js.Value) { e.SetMesher(now, mesher.Kind(a[0].Int())) }),
		"setRadius":   do(func(now time.Duration, a []js.Value) { e.SetRadius(now, a[0].Int()) }),
		"view":        do(e.view),
		"strike":      e.strike,
		"aim":         e.aim,
		"ground":      e.ground,
		"tick":        func(a []js.Value) any { return e.Tick(duration(a[0])) },
	}
}

// view(now, x, y, z, yaw, pitch) moves the viewer. A place outside the world is ignored.
func (e *engine) view(now time.Duration, a []js.Value) {
	if eye, ok := placeOf(a); ok {
		e.View(now, eye, float32(a[3].Float()), float32(a[4].Float()))
	}
}

// strike(now, tool, x, y, z, dx, dy, dz) makes an edit where the sight meets the ground and returns its counter, null
// if it meets none within reach, or in words why the edit was refused. A tool that is joined draws on from the strike
// before, if its shape can.
func (e *engine) strike(a []js.Value) any {
	at, ok := sightOf(a[2:])
	if !ok {
		return nil
	}
	counter, err := e.Strike(duration(a[0]), toolOf(a[1]), at)
	switch {
	case errors.Is(err, session.ErrOutOfReach):
		return nil
	case err != nil:
		return err.Error()
	}
	return float64(counter)
}

// toolOf reads a tool.
func toolOf(v js.Value) session.Tool {
	b := edit.Brush{
		Op:       edit.Op(v.Get("operation").Int()),
		Shape:    edit.Shape(v.Get("shape").Int()),
		Radius:   float32(v.Get("radius").Float()),
		Smooth:   float32(v.Get("smooth").Float()),
		Material: uint8(v.Get("material").Int()),
	}
	return session.Tool{Brush: b, Joined: v.Get("joined").Bool()}
}

// aim(x, y, z, dx, dy, dz) returns where the sight meets the ground within reach, or null.
func (e *engine) aim(a []js.Value) any {
	at, ok := sightOf(a)
	if !ok {
		return nil
	}
	hit, ok := e.Aim(at)
	if !ok {
		return nil
	}
	x, y, z := hit.Place.Meters()
	n := hit.Normal
	return map[string]any{"x": x, "y": y, "z": z, "nx": n.X, "ny": n.Y, "nz": n.Z, "distance": hit.Distance}
}

// sightOf reads a sight: a place in meters and a direction. ok is false for a place outside the world.
func sightOf(a []js.Value) (at session.Sight, ok bool) {
	from, ok := placeOf(a)
	dir := geom.Vec3{X: float32(a[3].Float()), Y: float32(a[4].Float()), Z: float32(a[5].Float())}.Unit()
	return session.Sight{From: from, Dir: dir, Reach: Reach}, ok
}

// ground(x, z) returns the height of the generated ground in meters, or null while it is not known.
func (e *engine) ground(a []js.Value) any {
	p, ok := lattice.PlaceAt(a[0].Float(), 0, a[1].Float())
	if !ok {
		return nil
	}
	y, ok := e.Ground(p.Sample.X, p.Sample.Z)
	if !ok {
		return nil
	}
	return y
}

// config reads {session: [high, low], name, builders, mesher, radius}.
func config(v js.Value) session.Config {
	id := v.Get("session")
	return session.Config{
		Session:  uint64(id.Index(0).Float())<<32 | uint64(id.Index(1).Float()),
		Name:     v.Get("name").String(),
		Builders: v.Get("builders").Int(),
		Mesher:   mesher.Kind(v.Get("mesher").Int()),
		Radius:   v.Get("radius").Int(),
	}
}

func duration(ms js.Value) time.Duration {
	return time.Duration(ms.Float() * float64(time.Millisecond))
}

func ticketOf(v js.Value) uint32 { return uint32(v.Float()) }

func placeOf(a []js.Value) (lattice.Place, bool) {
	return lattice.PlaceAt(a[0].Float(), a[1].Float(), a[2].Float())
}

// hashOf reads the name of content, which is always one that this program made.
func hashOf(v js.Value) asset.Hash {
	hash, err := asset.Parse(v.String())
	if err != nil {
		panic(fmt.Sprintf("session: %q is not the name of content", v.String()))
	}
	return hash
}

// bytesOf copies a Uint8Array.
func bytesOf(v js.Value) []byte {
	data := make([]byte, v.Length())
	js.CopyBytesToGo(data, v)
	return data
}

// exact returns n as a number of JavaScript, which are exact up to 2⁵³: no count here comes near.
func exact(n uint64) float64 { return float64(min(n, 1<<53)) }

// finite turns what JavaScript must not see into 0.
func finite(f float32) float64 {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return 0
	}
	return float64(f)
}
