// Package wire holds the messages between a world server and its clients and their binary form. terrane.proto
// is the contract and says what each field means; this package reads and writes the same bytes as
// protobuf-go, which its tests prove, at a fraction of the size in WebAssembly.
//
// One frame is one message: a [ClientMessage] or a [ServerMessage]. The parsers take frames from anybody:
// they never panic, allocate in proportion to the frame, and answer errors that wrap [ErrCorrupt],
// [ErrTooLarge], [ErrInvalid] or [ErrUnknown].
//
// They are stricter than protobuf-go in four ways: a frame holds exactly one message, a known field must have
// its declared type, a number must fit the field (protobuf cuts it short), and the places of presences and
// people must lie in the world. An edit travels as the bytes that the log keeps; whoever takes the message parses
// them (package edit), so that a refusal can name the edit's counter, and this package knows nothing of edits.
package wire
