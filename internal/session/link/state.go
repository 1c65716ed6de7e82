package link

// A State says how far a connection has come.
type State uint8

// The states.
const (
	Offline    State = iota // not started, or closed
	Connecting              // the socket or the greeting is under way
	Loading                 // the document and its assets are being fetched
	Live                    // entries flow
	Waiting                 // the connection was lost; a new try is due
	Rejected                // the server refused this client; there will be no other try
)

// String returns the word for the state that the head-up display shows.
func (s State) String() string {
	switch s {
	case Connecting:
		return "connecting"
	case Loading:
		return "loading"
	case Live:
		return "live"
	case Waiting:
		return "reconnecting"
	case Rejected:
		return "refused"
	}
	return "offline"
}
