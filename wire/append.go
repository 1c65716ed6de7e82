package wire

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/terrane/terrane/lattice"
)

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
	var mark int
	switch m := m.(type) {
	case Hello:
		dst, mark = begin(dst, numHello)
		dst = appendUint(dst, 1, uint64(m.Protocol))
		dst = appendFixed64(dst, 2, m.Session)
		dst = appendString(dst, 3, m.Name)
		dst = appendSemantics(dst, 4, m.Semantics)
	case Subscribe:
		dst, mark = begin(dst, numSubscribe)
		dst = appendRegion(dst, 1, m.Region)
	case Unsubscribe:
		dst, mark = begin(dst, numUnsubscribe)
		dst = appendRegion(dst, 1, m.Region)
	case SubmitEdit:
		dst, mark = begin(dst, numSubmitEdit)
		dst = appendUint(dst, 1, m.Counter)
		dst = appendEdit(dst, 2, m.Edit)
	case Presence:
		dst, mark = begin(dst, numPresence)
		dst = appendPlace(dst, 1, m.Eye)
		dst = appendFloat(dst, 2, m.Yaw)
		dst = appendFloat(dst, 3, m.Pitch)
	case Ping:
		dst, mark = begin(dst, numPing)
		dst = appendUint(dst, 1, m.Token)
	default:
		panic("wire: no such client message")
	}
	return end(dst, mark)
}

// AppendServer appends the frame of m to dst. Strings must be valid UTF-8; what exceeds the limits is written
// as it is and refused by the reader.
func AppendServer(dst []byte, m ServerMessage) []byte {
	var mark int
	switch m := m.(type) {
	case Welcome:
		dst, mark = begin(dst, numWelcome)
		dst = m.appendFields(dst)
	case Refused:
		dst, mark = begin(dst, numRefused)
		dst = appendUint(dst, 1, uint64(m.Code))
		dst = appendString(dst, 2, m.Message)
	case Snapshot:
		dst, mark = begin(dst, numSnapshot)
		dst = m.appendFields(dst)
	case Entry:
		dst, mark = begin(dst, numEntry)
		dst = appendUint(dst, 1, m.Seq)
		dst = appendUint(dst, 2, m.Counter)
		dst = appendUint(dst, 3, m.Author)
		dst = appendSint(dst, 4, m.TimeMS)
		dst = appendEdit(dst, 5, m.Edit)
	case Ack:
		dst, mark = begin(dst, numAck)
		dst = appendUint(dst, 1, m.Counter)
		dst = appendUint(dst, 2, m.Seq)
	case EditRefused:
		dst, mark = begin(dst, numEditRefused)
		dst = appendUint(dst, 1, m.Counter)
		dst = appendUint(dst, 2, uint64(m.Code))
		dst = appendString(dst, 3, m.Message)
	case People:
		dst, mark = begin(dst, numPeople)
		dst = m.appendFields(dst)
	case Pong:
		dst, mark = begin(dst, numPong)
		dst = appendUint(dst, 1, m.Token)
		dst = appendUint(dst, 2, m.Head)
	default:
		panic("wire: no such server message")
	}
	return end(dst, mark)
}

func (m Welcome) appendFields(dst []byte) []byte {
	dst = appendUint(dst, 1, uint64(m.Protocol))
	dst = appendBytes(dst, 2, m.World[:])
	dst = appendBytes(dst, 3, m.Document[:])
	for i := range m.Assets {
		dst = appendBytes(dst, 4, m.Assets[i][:])
	}
	dst = appendSemantics(dst, 5, m.Semantics)
	dst = appendUint(dst, 6, m.Head)
	dst = appendUint(dst, 7, m.Counter)
	dst = appendUint(dst, 8, m.Client)
	dst = appendUint(dst, 9, uint64(m.MaxLevel))
	dst = appendUint(dst, 10, uint64(m.ViewRadius))
	return appendString(dst, 11, m.Name)
}

func (m Snapshot) appendFields(dst []byte) []byte {
	dst = appendRegion(dst, 1, m.Region)
	dst = appendUint(dst, 2, m.Seq)
	for i := range m.Pieces {
		p := &m.Pieces[i]
		var mark int
		dst, mark = begin(dst, 3)
		dst = appendSint(dst, 1, int64(p.X))
		dst = appendSint(dst, 2, int64(p.Y))
		dst = appendSint(dst, 3, int64(p.Z))
		dst = appendBytes(dst, 4, p.Content[:])
		dst = end(dst, mark)
	}
	dst = appendFixed64(dst, 4, m.Hash)
	if m.More {
		dst = appendUint(dst, 5, 1)
	}
	return dst
}

func (m People) appendFields(dst []byte) []byte {
	for i := range m.People {
		p := &m.People[i]
		var mark int
		dst, mark = begin(dst, 1)
		dst = appendUint(dst, 1, p.Client)
		dst = appendString(dst, 2, p.Name)
		dst = appendPlace(dst, 3, p.Eye)
		dst = appendFloat(dst, 4, p.Yaw)
		dst = appendFloat(dst, 5, p.Pitch)
		dst = end(dst, mark)
	}
	if len(m.Gone) > 0 { // packed
		var mark int
		dst, mark = begin(dst, 2)
		for _, c := range m.Gone {
			dst = protowire.AppendVarint(dst, c)
		}
		dst = end(dst, mark)
	}
	return dst
}

func appendPlace(dst []byte, num protowire.Number, p lattice.Place) []byte {
	dst, mark := begin(dst, num)
	dst = appendSint(dst, 1, int64(p.Sample.X))
	dst = appendSint(dst, 2, int64(p.Sample.Y))
	dst = appendSint(dst, 3, int64(p.Sample.Z))
	dst = appendFloat(dst, 4, p.Offset.X)
	dst = appendFloat(dst, 5, p.Offset.Y)
	dst = appendFloat(dst, 6, p.Offset.Z)
	return end(dst, mark)
}

func appendRegion(dst []byte, num protowire.Number, r lattice.Region) []byte {
	dst, mark := begin(dst, num)
	dst = appendUint(dst, 1, uint64(r.Level))
	dst = appendSint(dst, 2, int64(r.X))
	dst = appendSint(dst, 3, int64(r.Z))
	return end(dst, mark)
}

func appendSemantics(dst []byte, num protowire.Number, list []Semantics) []byte {
	for _, s := range list {
		var mark int
		dst, mark = begin(dst, num)
		dst = appendUint(dst, 1, uint64(s.Kind))
		dst = appendUint(dst, 2, uint64(s.Version))
		dst = end(dst, mark)
	}
	return dst
}

// begin opens a message in the field num; end closes it at mark.
func begin(dst []byte, num protowire.Number) (_ []byte, mark int) {
	dst = protowire.AppendTag(dst, num, protowire.BytesType)
	return dst, len(dst)
}

// end puts the length of what was appended since mark before it.
func end(dst []byte, mark int) []byte {
	n := len(dst) - mark
	var size [10]byte
	s := protowire.AppendVarint(size[:0], uint64(n))
	dst = append(dst, s...)
	copy(dst[mark+len(s):], dst[mark:mark+n])
	copy(dst[mark:], s)
	return dst
}

// The append functions of single values leave out zero values, as proto3 does.

func appendUint(dst []byte, num protowire.Number, v uint64) []byte {
	if v == 0 {
		return dst
	}
	return protowire.AppendVarint(protowire.AppendTag(dst, num, protowire.VarintType), v)
}

func appendSint(dst []byte, num protowire.Number, v int64) []byte {
	return appendUint(dst, num, protowire.EncodeZigZag(v))
}

func appendFixed64(dst []byte, num protowire.Number, v uint64) []byte {
	if v == 0 {
		return dst
	}
	return protowire.AppendFixed64(protowire.AppendTag(dst, num, protowire.Fixed64Type), v)
}

func appendFloat(dst []byte, num protowire.Number, v float32) []byte {
	bits := math.Float32bits(v)
	if bits == 0 {
		return dst
	}
	return protowire.AppendFixed32(protowire.AppendTag(dst, num, protowire.Fixed32Type), bits)
}

func appendBytes(dst []byte, num protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, num, protowire.BytesType), v)
}

func appendEdit(dst []byte, num protowire.Number, v []byte) []byte {
	if len(v) == 0 {
		return dst
	}
	return appendBytes(dst, num, v)
}

func appendString(dst []byte, num protowire.Number, v string) []byte {
	if v == "" {
		return dst
	}
	return protowire.AppendString(protowire.AppendTag(dst, num, protowire.BytesType), v)
}
