package wire

import (
	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/lattice"
)

// ParseClient reads a frame from a client. The message keeps no part of the frame.
func ParseClient(frame []byte) (ClientMessage, error) {
	num, body, err := outer(frame, MaxClientFrame, numPing)
	if err != nil {
		return nil, err
	}
	m, err := parseClient(num, body)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func parseClient(num uint64, body []byte) (ClientMessage, error) {
	switch num {
	case numHello:
		return parseHello(body)
	case numSubscribe:
		r, err := parseRegionMessage(body)
		return Subscribe{r}, err
	case numUnsubscribe:
		r, err := parseRegionMessage(body)
		return Unsubscribe{r}, err
	case numSubmitEdit:
		return parseSubmitEdit(body)
	case numPresence:
		return parsePresence(body)
	default:
		return parsePing(body)
	}
}

// ParseServer reads a frame from a server. The message keeps no part of the frame.
func ParseServer(frame []byte) (ServerMessage, error) {
	num, body, err := outer(frame, MaxServerFrame, numPong)
	if err != nil {
		return nil, err
	}
	m, err := parseServer(num, body)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func parseServer(num uint64, body []byte) (ServerMessage, error) {
	switch num {
	case numWelcome:
		return parseWelcome(body)
	case numRefused:
		return parseRefused(body)
	case numSnapshot:
		return parseSnapshot(body)
	case numEntry:
		return parseEntry(body)
	case numAck:
		return parseAck(body)
	case numEditRefused:
		return parseEditRefused(body)
	case numPeople:
		return parsePeople(body)
	default:
		return parsePong(body)
	}
}

// outer finds the one message of a frame whose known fields are 1 … last.
func outer(frame []byte, limit int, last uint64) (num uint64, body []byte, err error) {
	if len(frame) > limit {
		return 0, nil, fail(ErrTooLarge, "frame")
	}
	for b := frame; len(b) > 0; {
		var f field
		if f, b, err = next(b); err != nil {
			return 0, nil, err
		}
		if f.num > last {
			continue
		}
		if num != 0 {
			return 0, nil, fail(ErrCorrupt, "more than one message in a frame")
		}
		num = f.num
		if body, err = f.message(); err != nil {
			return 0, nil, err
		}
	}
	if num == 0 {
		return 0, nil, ErrUnknown
	}
	return num, body, nil
}

func parseHello(b []byte) (m Hello, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint32(&m.Protocol)
		case 2:
			err = f.fixed64(&m.Session)
		case 3:
			err = f.string(&m.Name, MaxName)
		case 4:
			err = f.semantics(&m.Semantics)
		}
	}
	return m, err
}

// parseRegionMessage reads Subscribe and Unsubscribe.
func parseRegionMessage(b []byte) (r lattice.Region, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		if f.num == 1 {
			err = f.region(&r)
		}
	}
	return r, err
}

func parseSubmitEdit(b []byte) (m SubmitEdit, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint64(&m.Counter)
		case 2:
			err = f.edit(&m.Edit)
		}
	}
	return m, err
}

func parsePresence(b []byte) (m Presence, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.place(&m.Eye)
		case 2:
			err = f.float(&m.Yaw)
		case 3:
			err = f.float(&m.Pitch)
		}
	}
	if err == nil {
		err = checkView(m.Eye, m.Yaw, m.Pitch)
	}
	return m, err
}

func parsePing(b []byte) (m Ping, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		if f.num == 1 {
			err = f.uint64(&m.Token)
		}
	}
	return m, err
}

func parseWelcome(b []byte) (m Welcome, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint32(&m.Protocol)
		case 2:
			err = f.fixedBytes(m.World[:])
		case 3:
			err = f.fixedBytes(m.Document[:])
		case 4:
			if len(m.Assets) == MaxAssets {
				return m, fail(ErrTooLarge, "assets")
			}
			var h asset.Hash
			err = f.fixedBytes(h[:])
			m.Assets = append(m.Assets, h)
		case 5:
			err = f.semantics(&m.Semantics)
		case 6:
			err = f.uint64(&m.Head)
		case 7:
			err = f.uint64(&m.Counter)
		case 8:
			err = f.uint64(&m.Client)
		case 9:
			err = f.level(&m.MaxLevel)
		case 10:
			err = f.uint32(&m.ViewRadius)
		case 11:
			err = f.string(&m.Name, MaxName)
		}
	}
	return m, err
}

func parseRefused(b []byte) (m Refused, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint32((*uint32)(&m.Code))
		case 2:
			err = f.string(&m.Message, MaxMessage)
		}
	}
	return m, err
}

func parseSnapshot(b []byte) (m Snapshot, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.region(&m.Region)
		case 2:
			err = f.uint64(&m.Seq)
		case 3:
			if len(m.Pieces) == MaxPieces {
				return m, fail(ErrTooLarge, "pieces")
			}
			var p Piece
			p, err = f.piece()
			m.Pieces = append(m.Pieces, p)
		case 4:
			err = f.fixed64(&m.Hash)
		case 5:
			err = f.bool(&m.More)
		}
	}
	return m, err
}

func parseEntry(b []byte) (m Entry, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint64(&m.Seq)
		case 2:
			err = f.uint64(&m.Counter)
		case 3:
			err = f.uint64(&m.Author)
		case 4:
			err = f.sint64(&m.TimeMS)
		case 5:
			err = f.edit(&m.Edit)
		}
	}
	return m, err
}

func parseAck(b []byte) (m Ack, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint64(&m.Counter)
		case 2:
			err = f.uint64(&m.Seq)
		}
	}
	return m, err
}

func parseEditRefused(b []byte) (m EditRefused, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint64(&m.Counter)
		case 2:
			err = f.uint32((*uint32)(&m.Code))
		case 3:
			err = f.string(&m.Message, MaxMessage)
		}
	}
	return m, err
}

func parsePeople(b []byte) (m People, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			if len(m.People) == MaxPeople {
				return m, fail(ErrTooLarge, "people")
			}
			var p Person
			p, err = f.person()
			m.People = append(m.People, p)
		case 2:
			err = f.uint64s(&m.Gone, MaxPeople)
		}
	}
	return m, err
}

func parsePong(b []byte) (m Pong, err error) {
	for len(b) > 0 && err == nil {
		var f field
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint64(&m.Token)
		case 2:
			err = f.uint64(&m.Head)
		}
	}
	return m, err
}
