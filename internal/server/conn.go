package server

import (
	"context"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A conn is one WebSocket connection. Its goroutines are the reader (the HTTP handler's own), the writer, the
// submitter, and two that watch: ping and cut.
type conn struct {
	s    *Server
	ws   *websocket.Conn
	raw  net.Conn // under ws
	out  *queue
	done chan struct{} // closed when the connection is over or the last word is said
	once sync.Once     // closes done

	id      uint64
	session uint64
	name    string
	record  *record // of the session
	submits *submits

	// The reader's.
	wants   map[lattice.Region]struct{} // what it is subscribed to, as of the frame being read
	seen    uint64                      // the highest counter
	frames  *rate.Limiter
	edits   *rate.Limiter
	samples *rate.Limiter

	images chan struct{} // holds a token for each snapshot that is asked for and not yet sent

	// The owner's.
	told       worldlog.Seq                // the last entry that was sent
	subscribed map[lattice.Region]struct{} // what it is subscribed to, as of now
}

// guard runs one of the connection's goroutines. A panic ends the connection and nothing else.
func (c *conn) guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			c.s.log.Error("panic in a connection", "client", c.id, "panic", v, "stack", string(debug.Stack()))
			c.refuse(wire.CodeInternal, "the server failed; what happened is in its log")
		}
	}()
	f()
}

// over ends reading and submitting.
func (c *conn) over() { c.once.Do(func() { close(c.done) }) }

// refuse ends the connection; after what is already queued the client is told why. Only the first call counts.
func (c *conn) refuse(code wire.Code, message string) {
	c.out.end(wire.Refused{Code: code, Message: clip(message, wire.MaxMessage)}, code == wire.CodeSlow)
	c.over()
}

// ping closes the connection once the client no longer answers.
func (c *conn) ping() {
	interval := c.s.config.Limits.PingInterval
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-c.done:
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), interval)
		err := c.ws.Ping(ctx)
		cancel()
		if err != nil {
			_ = c.raw.Close() // ends reader and writer
			return
		}
	}
}

// cut leaves the writer of a connection that is over a moment to say so, then cuts the socket off, which ends
// whoever still waits for it.
func (c *conn) cut(written <-chan struct{}) {
	<-c.done
	grace := time.NewTimer(c.s.config.Limits.CloseTimeout)
	defer grace.Stop()
	select {
	case <-written:
	case <-grace.C:
	}
	_ = c.raw.Close()
}
