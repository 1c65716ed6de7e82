package wire

import (
	"errors"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
)

// Protocol is the version of the protocol that this package speaks.
const Protocol = 2

// Limits of the protocol. The parsers hold to them.
const (
	MaxClientFrame = 4 << 10 // bytes of a frame from a client
	MaxServerFrame = 1 << 20 // bytes of a frame from a server
	MaxName        = 64      // bytes of a person's or a world's name
	MaxMessage     = 1024    // bytes of a text for people
	MaxSemantics   = 256     // node kinds in a Hello or a Welcome
	MaxAssets      = 1024    // assets of a world
	MaxPieces      = 8192    // pieces in one Snapshot message; a region with more comes in parts
	MaxPeople      = 4096    // people, and gone, in one People message
	MaxEdit        = 256     // bytes of an encoded edit
)

// The errors of the parsers, wrapped with where and what.
var (
	ErrCorrupt  = errors.New("wire: not a message")
	ErrTooLarge = errors.New("wire: too large")
	ErrInvalid  = errors.New("wire: value out of range")
	ErrUnknown  = errors.New("wire: no message known here")
)

// A ClientMessage is a message from a client: Hello, Subscribe, Unsubscribe, SubmitEdit, Presence or Ping.
type ClientMessage interface {
	clientMessage() uint64 // the number of its field in the outer message
}

// A ServerMessage is a message from a server: Welcome, Refused, Snapshot, Entry, Ack, EditRefused, People or
// Pong.
type ServerMessage interface {
	serverMessage() uint64 // the number of its field in the outer message
}

// A Code says why something was refused.
type Code uint32

// The codes; terrane.proto says more of each.
const (
	CodeUnknown   Code = 0
	CodeProtocol  Code = 1  // a protocol version that is not spoken
	CodeSemantics Code = 2  // the engines compute different worlds
	CodeMalformed Code = 3  // a frame that cannot be read
	CodeInvalid   Code = 4  // a value out of range
	CodeTooLarge  Code = 5  // a frame or a request over its limit
	CodeRate      Code = 6  // too many requests
	CodeOrder     Code = 7  // a message out of turn, or a counter used before
	CodeInternal  Code = 8  // the server's fault
	CodeClosing   Code = 9  // the server stops; come back
	CodeSlow      Code = 10 // the client did not keep up
)

// Hello is a client's first message.
type Hello struct {
	Protocol  uint32
	Session   uint64 // random, kept over reconnects, never shown to others
	Name      string
	Semantics []graph.Semantics // what the client's engine computes
}

// Subscribe asks for a region's snapshot and its entries from then on.
type Subscribe struct{ Region lattice.Region }

// Unsubscribe ends a subscription.
type Unsubscribe struct{ Region lattice.Region }

// SubmitEdit asks for an edit.
type SubmitEdit struct {
	Counter uint64 // 1, 2, 3, … within the session
	Edit    []byte // as package edit encodes it, not checked; at most MaxEdit bytes
}

// Presence says where the client's eye is and where it looks.
type Presence struct {
	Eye        lattice.Place // always in the world
	Yaw, Pitch float32       // radians, always finite
}

// Ping asks for a Pong.
type Ping struct{ Token uint64 }

// Welcome answers Hello.
type Welcome struct {
	Protocol   uint32
	World      [16]byte
	Document   asset.Hash
	Assets     []asset.Hash
	Semantics  []graph.Semantics // what the world was made with
	Head       uint64            // the last entry of the world
	Counter    uint64            // the highest edit counter of the session that is durable
	Client     uint64            // the connection's public number
	MaxLevel   uint8
	ViewRadius uint32 // chunks
	Name       string // the world's
}

// Refused says why the connection is about to be closed.
type Refused struct {
	Code    Code
	Message string
}

// A Piece is one brick by the hash of its encoded form.
type Piece struct {
	X, Y, Z int32
	Content asset.Hash
}

// Snapshot lists the edited bricks of a region as of Seq.
type Snapshot struct {
	Region lattice.Region
	Seq    uint64
	Pieces []Piece
	Hash   uint64 // the region's at Seq
	More   bool   // further pieces of the same snapshot follow
}

// Entry is one operation of the world's log.
type Entry struct {
	Seq     uint64
	Counter uint64 // the edit's counter if this session submitted it, else 0
	Author  uint64 // the public number of the connection that submitted it, 0 if it is gone
	TimeMS  int64  // when it was ordered, milliseconds since 1970
	Edit    []byte // as package edit encodes it, not checked; at most MaxEdit bytes
}

// Ack says that an edit is durable as the entry Seq; Seq is 0 if that is no longer at hand.
type Ack struct{ Counter, Seq uint64 }

// EditRefused says that an edit is not in the log and never will be.
type EditRefused struct {
	Counter uint64
	Code    Code
	Message string
}

// A Person is somebody near, as their last Presence said.
type Person struct {
	Client     uint64
	Name       string
	Eye        lattice.Place // always in the world
	Yaw, Pitch float32       // radians, always finite
}

// People says who moved, came or left.
type People struct {
	People []Person
	Gone   []uint64
}

// Pong answers Ping.
type Pong struct{ Token, Head uint64 }

func (Hello) clientMessage() uint64       { return numHello }
func (Subscribe) clientMessage() uint64   { return numSubscribe }
func (Unsubscribe) clientMessage() uint64 { return numUnsubscribe }
func (SubmitEdit) clientMessage() uint64  { return numSubmitEdit }
func (Presence) clientMessage() uint64    { return numPresence }
func (Ping) clientMessage() uint64        { return numPing }

func (Welcome) serverMessage() uint64     { return numWelcome }
func (Refused) serverMessage() uint64     { return numRefused }
func (Snapshot) serverMessage() uint64    { return numSnapshot }
func (Entry) serverMessage() uint64       { return numEntry }
func (Ack) serverMessage() uint64         { return numAck }
func (EditRefused) serverMessage() uint64 { return numEditRefused }
func (People) serverMessage() uint64      { return numPeople }
func (Pong) serverMessage() uint64        { return numPong }
