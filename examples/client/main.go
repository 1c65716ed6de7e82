// Command client joins a world server without a screen: it digs one hole and prints what the server says until the
// hole is in the world's log. The messages are those of package wire; a server is `terrane serve WORLD`.
//
//	go run ./examples/client [ws://127.0.0.1:8080/v1/ws]
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"

	"github.com/coder/websocket"

	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/wire"
)

func main() {
	url := "ws://127.0.0.1:8080/v1/ws"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx, url); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	socket, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return err
	}
	defer socket.CloseNow()
	socket.SetReadLimit(wire.MaxServerFrame)
	send := func(m wire.ClientMessage) error {
		return socket.Write(ctx, websocket.MessageBinary, wire.AppendClient(nil, m))
	}

	// The server takes clients whose engine computes the same world.
	hello := wire.Hello{Protocol: wire.Protocol, Session: rand.Uint64() | 1, Name: "example", Semantics: graph.EngineSemantics()}
	if err := send(hello); err != nil {
		return err
	}
	place, _ := lattice.PlaceAt(0, 10, 0)
	hole := edit.Must(edit.Edit{Op: edit.Dig, Shape: edit.Ball, Radius: 4, Place: place})
	for {
		_, frame, err := socket.Read(ctx)
		if err != nil {
			return err
		}
		message, err := wire.ParseServer(frame)
		if err != nil {
			return err
		}
		switch m := message.(type) {
		case wire.Welcome:
			fmt.Printf("welcome: the log has %d entries\n", m.Head)
			if err := send(wire.Subscribe{Region: lattice.RegionOf(place.Sample, 0)}); err != nil {
				return err
			}
			err = send(wire.SubmitEdit{Counter: m.Counter + 1, Edit: hole.AppendBinary(nil)})
			if err != nil {
				return err
			}
		case wire.Snapshot:
			fmt.Printf("%v: %d edited bricks at entry %d\n", m.Region, len(m.Pieces), m.Seq)
		case wire.Entry: // anybody's edit in the region
			fmt.Printf("entry %d by client %d\n", m.Seq, m.Author)
		case wire.Ack: // the own edit is durable
			fmt.Printf("acknowledged as entry %d\n", m.Seq)
			return socket.Close(websocket.StatusNormalClosure, "")
		case wire.EditRefused:
			return fmt.Errorf("the edit was refused: %s", m.Message)
		case wire.Refused:
			return fmt.Errorf("the client was refused: %s", m.Message)
		}
	}
}
