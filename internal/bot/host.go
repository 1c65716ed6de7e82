package bot

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/internal/session"
	"github.com/terrane/terrane/wire"
)

var down = geom.Vec3{Y: -1}

// maxContent bounds a content that a server sends, in bytes.
const maxContent = 256 << 20

// A host is a bot in its role as its session's host.
type host struct{ bot *Bot }

var _ session.Host = host{}

// A network is the socket and the fetches.
type network struct {
	bot     *Bot
	running sync.WaitGroup
	socket  *socket // nil while there is none
}

// A socket is one connection, or the attempt at one.
type socket struct {
	cancel context.CancelFunc
	out    chan []byte
}

// queued is the number of frames that may wait for the socket. A session sends a few dozen a second; when so
// many wait the connection is as good as dead.
const queued = 1024

// Connect implements session.Host.
func (h host) Connect(after time.Duration) {
	b := h.bot
	ctx, cancel := context.WithCancel(b.life)
	s := &socket{cancel: cancel, out: make(chan []byte, queued)}
	if b.net.socket = s; after > 0 {
		b.update(func() { b.stats.Retries++ })
	}
	b.net.running.Go(func() {
		defer cancel()
		err := b.net.serve(ctx, s, after)
		b.post(func() {
			if b.net.socket != s {
				return // given up here
			}
			b.net.socket = nil
			b.config.Log.Info("connection lost", "name", b.config.Name, "err", err)
			b.session.Closed(b.now(), err.Error())
		})
	})
}

// serve waits, connects and reads until the socket ends.
func (n *network) serve(ctx context.Context, s *socket, after time.Duration) error {
	wait := time.NewTimer(after)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	b := n.bot
	address := *b.base
	address.Scheme = map[string]string{"http": "ws", "https": "wss"}[address.Scheme]
	address.Path += "/v1/ws"
	dial, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	ws, _, err := websocket.Dial(dial, address.String(), &websocket.DialOptions{HTTPClient: b.client})
	if err != nil {
		return err
	}
	defer func() { _ = ws.CloseNow() }()
	ws.SetReadLimit(wire.MaxServerFrame + 1)
	b.post(func() {
		if b.net.socket == s {
			b.update(func() { b.stats.Connects++ })
			b.session.Opened(b.now())
		}
	})
	n.running.Go(func() { n.write(ctx, ws, s) })
	for {
		_, frame, err := ws.Read(ctx)
		if err != nil {
			return err
		}
		if !b.post(func() {
			if b.net.socket != s {
				return
			}
			if m, err := wire.ParseServer(frame); err == nil {
				b.measure(m)
			}
			b.session.Receive(b.now(), frame)
		}) {
			return nil
		}
	}
}

// write sends what the session sends until the socket ends.
func (n *network) write(ctx context.Context, ws *websocket.Conn, s *socket) {
	for {
		select {
		case frame := <-s.out:
			if ws.Write(ctx, websocket.MessageBinary, frame) != nil {
				s.cancel()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// Disconnect implements session.Host.
func (h host) Disconnect() {
	b := h.bot
	if s := b.net.socket; s != nil {
		b.net.socket = nil
		s.cancel()
	}
}

// Send implements session.Host.
func (h host) Send(frame []byte) {
	b := h.bot
	s := b.net.socket
	if s == nil {
		return
	}
	frame = bytes.Clone(frame)
	if m, err := wire.ParseClient(frame); err == nil {
		if e, ok := m.(wire.SubmitEdit); ok {
			b.sent[e.Counter] = time.Now()
			if f := b.config.Trace.Sent; f != nil {
				f(e.Counter)
			}
		}
	}
	select {
	case s.out <- frame:
	default:
		s.cancel() // its end is reported as a loss
	}
}

// Fetch implements session.Host.
func (h host) Fetch(hash asset.Hash) {
	b := h.bot
	b.net.running.Go(func() {
		data, err := b.net.fetch(hash)
		b.post(func() {
			if err != nil {
				b.session.FetchFailed(b.now(), hash, err.Error())
				return
			}
			b.update(func() { b.stats.Fetched++ })
			b.session.Fetched(b.now(), hash, data)
		})
	})
}

// fetch gets a content.
func (n *network) fetch(hash asset.Hash) ([]byte, error) {
	b := n.bot
	ctx, cancel := context.WithTimeout(b.life, time.Minute)
	defer cancel()
	address := b.base.JoinPath("v1", "content", hash.String())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, answer.Status)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxContent+1))
	if err == nil && len(data) > maxContent {
		err = fmt.Errorf("%s: more than %d bytes", address, maxContent)
	}
	return data, err
}

// Show implements session.Host: there is no screen, a group is shown when its turn comes.
func (h host) Show(g session.Group) {
	b := h.bot
	g.Results, g.Drop = slices.Clone(g.Results), slices.Clone(g.Drop)
	b.deferred = append(b.deferred, func() {
		b.update(func() { b.stats.Shown++ })
		for _, r := range g.Results {
			delete(b.build.kept, r.Ticket)
		}
		if f := b.config.Trace.Shown; f != nil {
			f(g)
		}
		b.session.Shown(b.now(), g.ID)
	})
}

// People implements session.Host.
func (host) People([]session.Person, []uint64) {}

// Status implements session.Host.
func (h host) Status(s session.Status) {
	b := h.bot
	b.update(func() { b.status = s })
}
