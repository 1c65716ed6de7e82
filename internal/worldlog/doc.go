// Package worldlog is the durable, ordered log of a world: its entries, the high-water mark of each client
// session, snapshots, and the document and assets the world is made from. The interface stands apart from its
// stores; worldlogtest.Test holds every store to it.
package worldlog
