package server

import (
	"context"
	"sync"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/brick"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// An item is something to send: a frame, or a region's snapshot that becomes frames when its turn comes.
type item struct {
	frame []byte
	image *regionImage
}

// A regionImage is a region as of an entry.
type regionImage struct {
	region lattice.Region
	seq    worldlog.Seq
	hash   uint64
	bricks []*brick.Brick
}

// size returns the bytes that the item counts in the queue. Images count nothing: there are at most maxImages, and a client
// that asks for regions full of bricks is not slow for that.
func (i item) size() int { return len(i.frame) }

// A queue holds what a connection has to send. Putting never waits.
type queue struct {
	maxItems, maxBytes int
	ready              chan struct{} // holds a token when there is something to take

	mu    sync.Mutex // guards the rest
	items []item
	bytes int           // of items
	last  *wire.Refused // sent after all items; nothing is taken in once it is set
}

func newQueue(maxItems, maxBytes int) *queue {
	return &queue{maxItems: maxItems, maxBytes: maxBytes, ready: make(chan struct{}, 1)}
}

// put adds an item; ok is false if there is no room. After the last word items are dropped.
func (q *queue) put(i item) (ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last != nil {
		return true
	}
	if len(q.items) >= q.maxItems || q.bytes+i.size() > q.maxBytes {
		return false
	}
	q.items = append(q.items, i)
	q.bytes += i.size()
	q.wake()
	return true
}

// end says the last word, once. With drop, what waits is not sent.
func (q *queue) end(last wire.Refused, drop bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last != nil {
		return
	}
	q.last = &last
	if drop {
		q.items, q.bytes = nil, 0
	}
	q.wake()
}

func (q *queue) wake() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// take returns what is to be sent now: the next item, or the last word, or neither.
func (q *queue) take() (i item, last *wire.Refused, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.items = nil // frees what grew in a rush
		return item{}, q.last, q.last != nil
	}
	i = q.items[0]
	q.items[0] = item{}
	q.items = q.items[1:]
	q.bytes -= i.size()
	return i, nil, true
}

// ending reports whether the last word is said.
func (q *queue) ending() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last != nil
}

// send queues a message; sendFrame and sendImage are its brothers. They never wait: a client that does not
// keep up is dropped.
func (c *conn) send(m wire.ServerMessage) { c.sendFrame(wire.AppendServer(nil, m)) }

func (c *conn) sendFrame(frame []byte) { c.put(item{frame: frame}) }

func (c *conn) sendImage(image *regionImage) { c.put(item{image: image}) }

func (c *conn) put(i item) {
	if !c.out.put(i) {
		c.s.log.Warn("dropping a slow client", "client", c.id, "name", c.name)
		c.refuse(wire.CodeSlow, "this connection does not take what it asked for fast enough")
	}
}

// write sends what is queued until the last word is said or the socket fails.
func (c *conn) write() {
	for {
		i, last, ok := c.out.take()
		switch {
		case !ok:
			select {
			case <-c.out.ready:
			case <-c.done:
				if !c.out.ending() {
					return // the reader is gone, and with it the socket
				}
			}
		case last != nil:
			c.farewell(*last)
			return
		case i.image != nil:
			err := c.writeImage(i.image)
			<-c.images
			if err != nil {
				return
			}
		default:
			if c.writeFrame(i.frame) != nil {
				return
			}
		}
	}
}

func (c *conn) writeFrame(frame []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), c.s.config.Limits.WriteTimeout)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageBinary, frame) // on error the socket is closed
}

// writeImage sends a region's snapshot, in parts if it has many pieces.
func (c *conn) writeImage(image *regionImage) error {
	bricks := image.bricks
	for {
		part := bricks[:min(len(bricks), wire.MaxPieces)]
		bricks = bricks[len(part):]
		m := wire.Snapshot{Region: image.region, Seq: uint64(image.seq), Hash: image.hash, More: len(bricks) > 0}
		m.Pieces = make([]wire.Piece, len(part))
		for i, b := range part {
			id := b.ID()
			m.Pieces[i] = wire.Piece{X: id.X, Y: id.Y, Z: id.Z, Content: c.s.pieces.name(b)}
		}
		if err := c.writeFrame(wire.AppendServer(nil, m)); err != nil || !m.More {
			return err
		}
	}
}

// farewell sends the last word and closes the socket; cut ends the connection of a client that does not take it.
func (c *conn) farewell(last wire.Refused) {
	if c.writeFrame(wire.AppendServer(nil, last)) != nil {
		return
	}
	_ = c.ws.Close(closeStatus(last.Code), clip(last.Message, 120)) // a close frame has room for 123 bytes
}

// closeStatus returns the WebSocket status that says about the same as a code.
func closeStatus(code wire.Code) websocket.StatusCode {
	switch code {
	case wire.CodeMalformed:
		return websocket.StatusInvalidFramePayloadData
	case wire.CodeTooLarge:
		return websocket.StatusMessageTooBig
	case wire.CodeInternal:
		return websocket.StatusInternalError
	case wire.CodeClosing:
		return websocket.StatusGoingAway
	}
	return websocket.StatusPolicyViolation
}
