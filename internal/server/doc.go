// Package server serves one world over HTTP and WebSocket: it orders edits through the world's log, applies
// them in that order and tells everyone who is subscribed to a place of them.
//
// One goroutine, the [owner], owns the edited bricks, the subscriptions and who is where. Everything else
// sends it work and it never waits for anybody: a commit, a socket, a disk.
//
// The road of an edit:
//
//	reader     (one a connection)  checks it, before any work is done for it
//	submitter  (one a connection)  appends it to the log, many at once, and waits until they are durable
//	owner                          applies it once every earlier entry is applied, sends the Entry to all
//	                               subscribers of its regions, then the Ack
//	writer     (one a connection)  sends what the owner queued; a queue that overflows ends the connection
//
// The log decides the order, not the owner: appends of different connections share commits and may return in
// any order, so the owner holds entries back until their predecessors are there. Nothing is applied before it
// is durable, so the world in memory never holds what a crash would lose.
//
// A snapshot of a region is taken by the owner as a list of bricks, which never change, in the same turn in
// which the subscription begins: no entry can fall between the two. The writer encodes and names them when
// their turn in the queue comes.
package server
