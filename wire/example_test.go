package wire_test

import (
	"errors"
	"fmt"

	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

// A client asks for a region; a frame is one message.
func ExampleParseClient() {
	frame := wire.AppendClient(nil, wire.Subscribe{Region: lattice.Region{X: 3, Z: -4}})
	m, err := wire.ParseClient(frame)
	fmt.Printf("%d bytes: %T of %v, %v\n", len(frame), m, m.(wire.Subscribe).Region, err)

	_, err = wire.ParseClient(frame[:len(frame)-1])
	fmt.Println(errors.Is(err, wire.ErrCorrupt))
	// Output:
	// 8 bytes: wire.Subscribe of region(3,-4)@0, <nil>
	// true
}

// A server's messages are told apart by type.
func ExampleParseServer() {
	for _, m := range []wire.ServerMessage{
		wire.Ack{Counter: 1, Seq: 7},
		wire.EditRefused{Counter: 2, Code: wire.CodeRate, Message: "too many edits"},
	} {
		got, err := wire.ParseServer(wire.AppendServer(nil, m))
		if err != nil {
			fmt.Println(err)
			return
		}
		switch m := got.(type) {
		case wire.Ack:
			fmt.Println("edit", m.Counter, "is entry", m.Seq)
		case wire.EditRefused:
			fmt.Println("edit", m.Counter, "was refused:", m.Message)
		}
	}
	// Output:
	// edit 1 is entry 7
	// edit 2 was refused: too many edits
}
