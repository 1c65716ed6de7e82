// Package session is a client's brain: it talks to a world server, decides which chunks to load, build, show
// and drop, shows an own edit at once and reconciles it with the server's order. The browser runs it in a
// WebAssembly worker, load bots run it natively, tests run it against a fake host.
//
// # Events in, orders out
//
// A [Session] has no goroutine and no clock. One owner calls its methods, one at a time, with the time in
// hand; it answers through its [Host], from within those calls. Nothing it does takes more than a few
// milliseconds: work that can be put off is done in slices by [Session.Tick].
//
// # What is where
//
//	tiles     of rasters: fetched for the regions that need them, kept for as long as they do
//	regions   subscribed for the columns in view and their margins; live once every piece is there
//	world     field, confirmed bricks of the subscribed regions, pending edits: world.World
//	columns   wanted by package lod; tracked once the regions that their grids read are live
//	chunks    tracked per column: version, version shown, what is being built
//	groups    chunks that change together and are shown in one frame
//	jobs      what builders are working on, by ticket
//
// All live regions stand at one entry of the log. A region that is being fetched holds its entries back and
// joins the live ones once it has caught up. After a reconnect the live regions are shown as they were until
// all of them have been fetched again, then change together.
//
// # Groups
//
// An edit's group holds the shown chunks whose samples it changes. A group is open until its first job is
// made: newer edits that touch one of its chunks merge with it. Making the first job seals it: the inputs
// of all its jobs (bricks are immutable, the pending edits are copied) are taken at that moment, so what it
// shows is one state of the world however long building takes. An edit that touches a chunk of a sealed group
// opens another one, which waits for the sealed one. So there are at most two groups round a chunk, no state
// is ever shown by halves, and a stream of edits cannot put off what was begun.
//
// A chunk that is dropped leaves its group. A chunk that is not shown yet is loaded on its own, with the newest
// state, unless that would show a group's change before the others do: then it joins the group if that is open,
// and waits for it if it is sealed.
//
// Groups that share no chunk are built side by side and shown in the order in which they are ready; builders
// work on the oldest and on the smallest in turn.
//
// # Own edits
//
// An own edit is pending, laid over the bricks, from the moment it is made until its entry comes, its refusal,
// or a snapshot that holds it. An acknowledgement alone changes nothing on the screen. Edits made while the
// connection is lost are kept and sent again with their counters; the server's high-water mark, in its
// welcome, says which of them it has. The session stays subscribed to the region of an own edit until it knows
// what became of it.
package session
