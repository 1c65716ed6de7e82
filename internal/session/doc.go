// Package session is a client's brain: it talks to a world server, decides which chunks to load, build, show
// and drop, shows an own edit at once and reconciles it with the server's order. The browser runs it in a
// WebAssembly worker, load bots run it natively, tests run it against a fake host.
//
// # Events in, orders out
//
// A [Session] has no goroutine and no clock. One owner calls its methods, one at a time, with the time in
// hand; it answers through its [Host], from within those calls. Nothing it does takes more than a few
// milliseconds: work that can be put off is done in slices by [Session.Tick]. So tests replay any history, to the
// frame, and a worker that runs a session answers the next event before anybody notices.
//
// # The cast
//
// A session only passes events on. What is done about them is done by its cast, each member a package that is tested
// alone and knows the others by interfaces of two to four methods:
//
//	link       the connection: greets, checks, keeps alive, tries again
//	fetch      contents by their hash, so many at once
//	tile       tiles of rasters: fetched for the regions that need them, kept for as long as they do
//	region     regions: subscribed for the columns in view and their margins; live once every piece is there
//	own        own edits: pending until the log's order is known
//	residency  columns and chunks round the viewer, their versions, and the order of loading
//	group      chunks that change together and are shown in one frame
//	builders   what builders are working on, by ticket
//	budget     what is left of the slice
//
// The first three and builders live as long as the session, the others as long as a world: load.go makes them and tells
// them whom they work with. The world itself, field, confirmed bricks and pending edits, is a world.World. Its level is
// the level of all of them.
//
// An own edit goes one way through the cast: Session.Edit checks it; own holds its tiles and its region, lays it over the
// world and tells the view what changed; residency gives the chunks there a new version; group gathers them. Everything
// else happens at the end of the event, when each member has its turn of the slice, in this order: regions advance, own
// edits are sent, columns are discovered, frames and jobs go out.
package session
