package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// read reads frames until the connection ends.
func (c *conn) read() {
	hello := time.AfterFunc(c.s.config.Limits.HelloTimeout, func() {
		c.refuse(wire.CodeOrder, "no hello came in time; it must be the first message")
	})
	defer hello.Stop()
	if !c.readHello() {
		return
	}
	hello.Stop()
	for {
		m, ok := c.next()
		if !ok || !c.handle(m) {
			return
		}
	}
}

// handle does what a message after the hello asks for; ok is false if the connection ends with it.
func (c *conn) handle(m wire.ClientMessage) (ok bool) {
	o := c.s.owner
	switch m := m.(type) {
	case wire.Hello:
		c.refuse(wire.CodeOrder, "a second hello")
		return false
	case wire.Subscribe:
		if code, problem := c.checkSubscribe(m.Region); problem != "" {
			c.refuse(code, problem)
			return false
		}
		// A client that asks for much at once gets it as fast as it takes it: reading waits, nobody else.
		select {
		case c.images <- struct{}{}:
		case <-c.done:
			return false
		}
		if !c.throttle(3) { // a subscription costs more than most messages
			return false
		}
		c.wants[m.Region] = struct{}{}
		o.do(func() { o.subscribe(c, m.Region) })
	case wire.Unsubscribe:
		delete(c.wants, m.Region)
		o.do(func() { o.unsubscribe(c, m.Region) })
	case wire.SubmitEdit:
		c.handleEdit(m)
	case wire.Presence:
		o.do(func() { o.move(c, m) })
	case wire.Ping:
		o.do(func() { c.send(wire.Pong{Token: m.Token, Head: uint64(o.applied)}) })
	}
	return true
}

// maxImages is the number of snapshots that may wait for one connection: enough to keep its socket busy, few
// enough to hold little of a world that is changing.
const maxImages = 8

// maxLevel is the coarsest level that may be subscribed to.
const maxLevel = 0

// checkSubscribe returns why a subscription to r is refused; problem is empty for one that is not.
func (c *conn) checkSubscribe(r lattice.Region) (code wire.Code, problem string) {
	const edge = lattice.Limit >> (lattice.ChunkShift + lattice.RegionShift)
	switch _, again := c.wants[r]; {
	case r.Level > maxLevel:
		return wire.CodeInvalid, fmt.Sprintf("%v: level %d is not served; the coarsest is %d", r, r.Level, maxLevel)
	case r.X < -edge || r.X >= edge || r.Z < -edge || r.Z >= edge:
		return wire.CodeInvalid, fmt.Sprintf("%v lies outside the world, which ends at ±%d", r, edge)
	case !again && len(c.wants) >= c.s.config.Limits.Subscriptions:
		return wire.CodeTooLarge, fmt.Sprintf("more than %d subscriptions", c.s.config.Limits.Subscriptions)
	}
	return 0, ""
}

// next reads a frame. It refuses what is not a message and waits when there are too many.
func (c *conn) next() (m wire.ClientMessage, ok bool) {
	if !c.throttle(1) {
		return nil, false
	}
	typ, r, err := c.ws.Reader(context.Background())
	if err != nil {
		return nil, false
	}
	frame := make([]byte, 0, 128)
	frame, err = readUpTo(r, frame, wire.MaxClientFrame)
	switch {
	case errors.Is(err, wire.ErrTooLarge):
		c.refuse(wire.CodeTooLarge, fmt.Sprintf("a frame of more than %d bytes", wire.MaxClientFrame))
		return nil, false
	case err != nil:
		return nil, false
	case typ != websocket.MessageBinary:
		c.refuse(wire.CodeMalformed, "a text frame; messages are binary")
		return nil, false
	}
	if m, err = wire.ParseClient(frame); err != nil {
		c.refuse(parseCode(err), err.Error())
		return nil, false
	}
	return m, true
}

// readUpTo appends the whole of r to dst, or returns wire.ErrTooLarge if that is more than limit bytes.
func readUpTo(r io.Reader, dst []byte, limit int) ([]byte, error) {
	for {
		dst = slices.Grow(dst, 1)
		n, err := r.Read(dst[len(dst):cap(dst)])
		if dst = dst[:len(dst)+n]; len(dst) > limit {
			return nil, wire.ErrTooLarge
		}
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// throttle waits until n more frames may be read. ok is false when the connection is over.
func (c *conn) throttle(n int) (ok bool) {
	wait := c.frames.ReserveN(time.Now(), min(n, c.frames.Burst())).Delay()
	if wait == 0 {
		select {
		case <-c.done:
			return false
		default:
			return true
		}
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.done:
		return false
	}
}

// parseCode returns the code with which a frame that does not parse is refused.
func parseCode(err error) wire.Code {
	switch {
	case errors.Is(err, wire.ErrTooLarge):
		return wire.CodeTooLarge
	case errors.Is(err, wire.ErrInvalid):
		return wire.CodeInvalid
	}
	return wire.CodeMalformed
}
