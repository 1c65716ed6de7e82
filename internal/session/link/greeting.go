package link

import (
	"strconv"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/wire"
)

// Receive parses a frame from the server and returns its message, nil if it is none for the session: the frame is
// from a socket that was given up, or it ended the connection. A Welcome is returned once it has been checked.
func (l *Link) Receive(frame []byte) wire.ServerMessage {
	if !l.open {
		return nil
	}
	l.heard = l.now
	m, err := wire.ParseServer(frame)
	if err != nil {
		l.Drop("the server sent what is no message: " + err.Error())
		return nil
	}
	switch m := m.(type) {
	case wire.Welcome:
		if !l.accepts(m) {
			return nil
		}
		l.head = max(l.head, m.Head)
	case wire.Refused:
		l.refused(m)
		return nil
	default:
		// Before its welcome the server has not said which world it speaks of.
		if !l.greeted {
			l.Drop("the server spoke before its welcome")
			return nil
		}
		l.head = max(l.head, headOf(m))
	}
	return m
}

// accepts checks who the server is and reports whether this client can work with it.
func (l *Link) accepts(w wire.Welcome) bool {
	if l.greeted {
		l.Drop("the server greeted twice")
		return false
	}
	if w.Protocol != wire.Protocol {
		l.Reject("the server speaks version " + strconv.Itoa(int(w.Protocol)) + " of the protocol, this client version " +
			strconv.Itoa(wire.Protocol) + ": reload the page")
		return false
	}
	if text := mismatch(w.Semantics); text != "" {
		l.Reject(text)
		return false
	}
	l.greeted, l.greetedAt = true, l.now
	l.presence.sent = false // the new connection knows nothing of it
	return true
}

// mismatch names a kind of node in which this engine and the world differ, and returns "" if there is none. An engine
// that computes a kind otherwise would show, and dig in, ground that the server does not have.
func mismatch(world []graph.Semantics) string {
	d, ok := graph.SemanticsDiff(world, graph.EngineSemantics())
	if ok {
		return ""
	}
	const advice = ": reload the page, or run a client and a server of the same version"
	kind, want := strconv.Itoa(int(d.Kind)), strconv.Itoa(int(d.Want))
	if d.Unknown {
		return "the world uses field node kind " + kind + " (version " + want + "), which this client does not know" + advice
	}
	return "the world uses field node kind " + kind + " in version " + want + ", this client computes version " +
		strconv.Itoa(int(d.Have)) + advice
}

// refused takes the server's farewell. A refusal instead of a welcome is for good, unless it says that the server is
// busy or going down; after a welcome the client was good enough once and may come again.
func (l *Link) refused(r wire.Refused) {
	text := r.Message
	if text == "" {
		text = "the server refused this client (code " + strconv.Itoa(int(r.Code)) + ")"
	}
	switch r.Code {
	case wire.CodeClosing, wire.CodeSlow, wire.CodeRate, wire.CodeInternal:
		l.Drop(text)
	default:
		if l.greeted {
			l.Drop(text)
		} else {
			l.Reject(text)
		}
	}
}

// headOf returns the entry of the log that m speaks of, 0 if it speaks of none.
func headOf(m wire.ServerMessage) uint64 {
	switch m := m.(type) {
	case wire.Snapshot:
		return m.Seq
	case wire.Entry:
		return m.Seq
	case wire.Pong:
		return m.Head
	}
	return 0
}
