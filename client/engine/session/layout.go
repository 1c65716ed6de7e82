package session

// Reach is how far the tool reaches from the eye, in meters.
const Reach = 80

// The numbers of a chunk's result in the host's show, by their place in its row. client/protocolgen hands these
// layouts to the page; they need no browser, unlike the rest of the package.
const (
	ResultTicket = iota // names the builder's result, 0 for none
	ResultX
	ResultY
	ResultZ
	ResultLevel
	ResultVersion
	ResultEmpty // 1 if there is nothing to draw, else 0

	ResultStride
)

// The numbers of a dropped chunk in the host's show.
const (
	ChunkX = iota
	ChunkY
	ChunkZ
	ChunkLevel

	ChunkStride
)
