// Package bot is a client without a screen: a session over a real WebSocket and real HTTP. Tests use it, and
// so does `terrane bot`, which puts a server under load.
//
// A [Bot] owns its session in one goroutine, which waits for events; a goroutine for each socket, fetch and
// builder sends it some. [Bot.Close] waits for all of them.
package bot
