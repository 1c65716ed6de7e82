package server

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/wire"
)

// readHello greets the client, or refuses it.
func (c *conn) readHello() (ok bool) {
	m, ok := c.next()
	if !ok {
		return false
	}
	hello, ok := m.(wire.Hello)
	if !ok {
		c.refuse(wire.CodeOrder, "the first message must be a hello")
		return false
	}
	if code, problem := c.s.checkHello(hello); problem != "" {
		c.refuse(code, problem)
		return false
	}
	c.session, c.name = hello.Session, printable(hello.Name)

	// The high-water mark is read before the head: what it counts is applied when the head is, so the client
	// never hears that an edit is durable before it can see it.
	ctx := context.Background()
	counter, err := c.s.store.HighWater(ctx, c.session)
	if err != nil {
		c.s.log.Error("cannot read a session's high-water mark", "err", err)
		c.refuse(wire.CodeInternal, "the world's log cannot be read")
		return false
	}
	c.s.mu.Lock()
	c.record = c.s.records.of(c.session, counter)
	c.s.mu.Unlock()
	o, head, welcomed := c.s.owner, c.s.store.Head(), make(chan struct{})
	o.do(func() {
		o.whenApplied(head, func() {
			o.welcome(c, c.s.welcome(c, counter))
			close(welcomed)
		})
	})
	select {
	case <-welcomed:
		c.s.log.Info("hello", "client", c.id, "name", c.name)
		return true
	case <-c.done: // also when the hello's time is over
		return false
	}
}

// checkHello returns why a client is kept out; problem is empty for one that is welcome.
func (s *Server) checkHello(m wire.Hello) (code wire.Code, problem string) {
	if m.Protocol != wire.Protocol {
		return wire.CodeProtocol, fmt.Sprintf("protocol %d is not spoken here; this server speaks %d", m.Protocol, wire.Protocol)
	}
	if m.Session == 0 {
		return wire.CodeInvalid, "session 0; it must be a random number"
	}
	switch d, ok := graph.SemanticsDiff(s.meta.Semantics, m.Semantics); {
	case ok:
	case d.Unknown:
		return wire.CodeSemantics, fmt.Sprintf("the world is made with node kind %d (%v) in version %d, which the client does not know; reload the page",
			uint16(d.Kind), d.Kind, d.Want)
	default:
		return wire.CodeSemantics, fmt.Sprintf("the world is made with version %d of node kind %d (%v), the client computes version %d; reload the page",
			d.Want, uint16(d.Kind), d.Kind, d.Have)
	}
	return 0, ""
}

// welcome returns the answer to c's hello without the head, which the owner adds.
func (s *Server) welcome(c *conn, counter uint64) wire.Welcome {
	return wire.Welcome{
		Protocol:   wire.Protocol,
		World:      s.meta.World,
		Document:   s.meta.Document,
		Semantics:  s.meta.Semantics,
		Assets:     s.named, // tiles are for when they are needed
		Counter:    counter,
		Client:     c.id,
		ViewRadius: uint32(s.config.ViewRadius),
		Name:       clip(s.meta.Name, wire.MaxName),
	}
}

// printable returns a name without what would break a line of text.
func printable(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, name))
}

// clip cuts s to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
