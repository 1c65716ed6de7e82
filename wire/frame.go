package wire

import "google.golang.org/protobuf/encoding/protowire"

// Field numbers of the outer messages.
const (
	numHello       = 1
	numSubscribe   = 2
	numUnsubscribe = 3
	numSubmitEdit  = 4
	numPresence    = 5
	numPing        = 6

	numWelcome     = 1
	numRefused     = 2
	numSnapshot    = 3
	numEntry       = 4
	numAck         = 5
	numEditRefused = 6
	numPeople      = 7
	numPong        = 8
)

// AppendClient appends the frame of m to dst. Strings must be valid UTF-8; what exceeds the limits is written
// as it is and refused by the reader.
func AppendClient(dst []byte, m ClientMessage) []byte {
	c := coder{writing: true, dst: dst}
	o, _ := c.enter(m.clientMessage())
	switch m := m.(type) {
	case Hello:
		codeHello(&c, m)
	case Subscribe:
		codeSubscribe(&c, m)
	case Unsubscribe:
		codeUnsubscribe(&c, m)
	case SubmitEdit:
		codeSubmitEdit(&c, m)
	case Presence:
		codePresence(&c, m)
	case Ping:
		codePing(&c, m)
	default:
		panic("wire: no such client message")
	}
	c.leave(o)
	return c.dst
}

// AppendServer appends the frame of m to dst. Strings must be valid UTF-8; what exceeds the limits is written
// as it is and refused by the reader.
func AppendServer(dst []byte, m ServerMessage) []byte {
	c := coder{writing: true, dst: dst}
	o, _ := c.enter(m.serverMessage())
	switch m := m.(type) {
	case Welcome:
		codeWelcome(&c, m)
	case Refused:
		codeRefused(&c, m)
	case Snapshot:
		codeSnapshot(&c, m)
	case Entry:
		codeEntry(&c, m)
	case Ack:
		codeAck(&c, m)
	case EditRefused:
		codeEditRefused(&c, m)
	case People:
		codePeople(&c, m)
	case Pong:
		codePong(&c, m)
	default:
		panic("wire: no such server message")
	}
	c.leave(o)
	return c.dst
}

// ParseClient reads a frame from a client. The message keeps no part of the frame.
func ParseClient(frame []byte) (ClientMessage, error) {
	num, c := open(frame, MaxClientFrame, numPing)
	m := c.client(num)
	if c.err != nil {
		return nil, c.err
	}
	return m, nil
}

// client reads the client message whose field number is num.
func (c *coder) client(num uint64) ClientMessage {
	switch num {
	case numHello:
		return codeHello(c, Hello{})
	case numSubscribe:
		return codeSubscribe(c, Subscribe{})
	case numUnsubscribe:
		return codeUnsubscribe(c, Unsubscribe{})
	case numSubmitEdit:
		return codeSubmitEdit(c, SubmitEdit{})
	case numPresence:
		return codePresence(c, Presence{})
	case numPing:
		return codePing(c, Ping{})
	}
	return nil
}

// ParseServer reads a frame from a server. The message keeps no part of the frame.
func ParseServer(frame []byte) (ServerMessage, error) {
	num, c := open(frame, MaxServerFrame, numPong)
	m := c.server(num)
	if c.err != nil {
		return nil, c.err
	}
	return m, nil
}

// server reads the server message whose field number is num.
func (c *coder) server(num uint64) ServerMessage {
	switch num {
	case numWelcome:
		return codeWelcome(c, Welcome{})
	case numRefused:
		return codeRefused(c, Refused{})
	case numSnapshot:
		return codeSnapshot(c, Snapshot{})
	case numEntry:
		return codeEntry(c, Entry{})
	case numAck:
		return codeAck(c, Ack{})
	case numEditRefused:
		return codeEditRefused(c, EditRefused{})
	case numPeople:
		return codePeople(c, People{})
	case numPong:
		return codePong(c, Pong{})
	}
	return nil
}

// open finds the one message of a frame whose known fields are 1 … last, and returns its number and a coder that
// reads it. On an error, which the coder holds, the number is 0.
func open(frame []byte, limit int, last uint64) (num uint64, c coder) {
	c.rest = frame
	if len(frame) > limit {
		c.err = fail(ErrTooLarge, "frame")
	}
	var body []byte
	for c.step() {
		switch {
		case c.f.num > last:
		case num != 0:
			c.err = fail(ErrCorrupt, "more than one message in a frame")
		case c.is(c.f.num, protowire.BytesType):
			num, body = c.f.num, c.f.bytes
		}
	}
	if c.err == nil && num == 0 {
		c.err = ErrUnknown
	}
	if c.err != nil {
		return 0, c
	}
	c.rest = body
	return num, c
}
