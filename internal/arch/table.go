package arch

// Groups of packages that rows below name together.
const (
	nouns  = "asset geom lattice grid mesh edit"
	verbs  = nouns + " internal/kernel/cube noise graph template raster field brick mesher"
	engine = verbs + " world"
	cast   = "internal/session/budget internal/session/link internal/session/fetch internal/session/tile internal/session/builders internal/session/residency internal/session/group internal/session/region internal/session/own"
)

// A row names a package and the packages of this module that it may import. In both, a name that ends in
// /… stands for every package under it; the first row that fits a package counts.
type row struct{ pkg, may string }

// table is the import table, lowest layer first: an arrow only ever points to a line above.
var table = []row{
	// Nouns hold data and know no verb.
	{"asset", ""},
	{"internal/kernel/scalar", ""}, // below the nouns: geom bounds what it computes
	{"geom", "internal/kernel/scalar"},
	{"lattice", "geom"},
	{"grid", "geom lattice"},
	{"mesh", "geom"},
	{"edit", "geom lattice internal/kernel/scalar"},
	// Kernels.
	{"internal/kernel/cube", ""},
	{"internal/kernel/bits", "internal/kernel/cube"},
	{"internal/kernel/solve", "geom internal/kernel/cube internal/kernel/bits"},
	{"internal/kernel/join", "mesh internal/kernel/bits"},
	{"internal/kernel/pool", ""},
	{"internal/kernel/kerneltest", ""},
	{"internal/lru", ""},
	{"internal/kernel/vector", ""},
	{"internal/kernel/fdlibm", ""},
	{"internal/kernel/rows", "internal/kernel/scalar internal/kernel/vector"},
	{"internal/kernel/rows/gen", ""}, // writes kernels
	// Verbs import the nouns they read and write; noise ← graph ← field ← brick is the one chain among them.
	{"noise", "geom lattice internal/kernel/scalar internal/kernel/vector"},
	{"graph", nouns + " internal/kernel/fdlibm noise"},
	{"template", nouns + " noise graph"},
	{"raster", nouns + " internal/kernel/scalar"},
	{"internal/eval/sdf", nouns + " internal/kernel/scalar graph raster"},
	{"internal/eval/ops", nouns + " internal/kernel/rows internal/kernel/scalar internal/kernel/fdlibm noise graph raster internal/eval/sdf"},
	{"internal/eval", nouns + " internal/kernel/rows internal/kernel/scalar internal/kernel/bits graph raster internal/eval/sdf internal/eval/ops"},
	{"field", nouns + " internal/kernel/scalar graph internal/eval internal/eval/ops"},
	{"field/fieldtest", nouns + " graph field"},
	{"brick", nouns + " field"},
	{"mesher", nouns + " internal/kernel/cube internal/kernel/bits internal/kernel/solve internal/kernel/join internal/kernel/pool"},
	{"gpu", nouns + " internal/kernel/cube noise graph raster field"},
	{"internal/meshtest", nouns + " internal/kernel/cube"},
	{"internal/testground", nouns + " edit field"},
	{"internal/widthtest", ""},
	{"codec", "geom mesh"},
	{"ingest/internal/fault", ""},
	{"ingest/internal/tiff", "ingest/internal/fault"},
	{"ingest", "grid ingest/internal/fault ingest/internal/tiff"},
	{"wire", "asset geom lattice graph"},
	{"wire/wirepb", ""},
	{"internal/relief", "mesh ingest"},
	// Only world joins verbs.
	{"world", verbs},
	{"lod", "geom lattice"},
	// What has time, disk or network.
	{"internal/builder", engine + " internal/lru"},
	{"internal/samebits", engine + " internal/builder"},
	// The cast of the session: its members meet through interfaces of their own, and only the session knows them all.
	{"internal/session/budget", "lattice edit"},
	{"internal/session/link", "graph wire"},
	{"internal/session/fetch", "asset internal/session/budget"},
	{"internal/session/tile", nouns + " raster field world internal/builder internal/session/fetch"},
	{"internal/session/builders", nouns + " brick mesher internal/builder internal/session/budget"},
	{"internal/session/residency", "lattice lod internal/session/budget"},
	{"internal/session/group", "lattice internal/session/budget internal/session/builders internal/session/residency"},
	{"internal/session/region", nouns + " brick wire internal/session/budget internal/session/fetch"},
	{"internal/session/own", nouns + " brick wire internal/session/budget"},
	{"internal/session", engine + " lod wire internal/builder " + cast},
	{"internal/heightview", "field"},
	{"internal/bot", engine + " lod wire internal/builder internal/session"},
	{"internal/document/syntax", "graph"},
	{"internal/document/printer", "asset lattice noise graph template field internal/document/syntax"},
	{"internal/document", "asset geom lattice noise graph template field internal/document/syntax"},
	{"internal/usage", ""},
	{"internal/progress", ""},
	{"internal/memory", ""},
	{"internal/output", "internal/usage"},
	{"internal/importer", "asset geom lattice graph field raster template ingest internal/document internal/memory internal/usage"},
	{"internal/preview", "grid lattice field"},
	{"internal/worldlog", "asset lattice graph"},
	{"internal/worldlog/…", "asset lattice graph internal/worldlog internal/worldlog/…"},
	{"internal/replica", "asset brick edit graph field raster internal/worldlog"},
	{"internal/server/static", ""},
	{"internal/server", engine + " lod wire internal/lru internal/replica internal/server/static internal/worldlog"},
	{"internal/server/servertest", "asset graph internal/worldlog internal/worldlog/…"},
	{"client", ""}, // the built page as files
	{"internal/worldfile", "asset graph field lattice internal/document internal/importer internal/usage internal/worldlog internal/worldlog/…"},
	{"internal/meshing", engine + " ingest codec internal/document internal/importer internal/memory internal/output internal/progress internal/relief internal/replica internal/usage internal/worldfile internal/worldlog internal/worldlog/…"},
	{"internal/groundcheck", "field graph grid lattice internal/document internal/importer"},
	{"internal/bench", engine + " lod internal/meshing internal/memory internal/usage"},
	{"internal/cli", engine + " lod codec ingest client internal/document internal/document/printer internal/usage internal/progress internal/memory internal/output internal/importer internal/worldfile internal/meshing internal/groundcheck internal/bench internal/replica internal/preview internal/relief internal/worldlog internal/worldlog/… internal/server internal/bot"},
	{"internal/arch", ""},
	// Programs.
	{"cmd/terrane", "internal/cli"},
	{"client/build", ""},
	{"client/engine/session", engine + " lod wire internal/session"},
	{"client/engine/builder", "asset internal/builder internal/heightview"},
	{"client/engine/gpu", verbs + " gpu"},
	{"client/engine", "client/engine/session client/engine/builder client/engine/gpu"},
	{"client/protocolgen", engine + " gpu internal/builder internal/heightview client/engine/session"},
	{"client/…", "client"},
	{"examples", ""}, // runs the programs
	{"examples/…", engine + " lod codec ingest wire"},
}

// A ban forbids packages from outside the module. In banned, a name that ends in / stands for every package
// under it.
type ban struct {
	in     string // the packages it binds, as in a row, or "public": see public in arch_test.go
	banned string
	deep   bool // it also binds what the package comes to import through others
	reason string
}

// wasm names the packages that the browser runs, in one program.
const wasm = "internal/session internal/session/… internal/builder internal/heightview client/engine client/engine/session client/engine/builder client/engine/gpu"

var bans = []ban{
	{in: "public", banned: "os os/ io/ioutil net net/ log log/ syscall path/filepath",
		reason: "public packages are pure: what has disk, network or a log lies in internal/"},
	{in: "public", banned: "time context",
		reason: "public packages know no clock and wait for nothing"},
	{in: "public", banned: "math/rand math/rand/ crypto/rand",
		reason: "public packages draw no lots: what they compute depends on their arguments alone"},
	{in: "internal/session internal/session/… internal/builder", banned: "net net/ os os/ syscall",
		reason: "the client's brain and its builders are handed frames and jobs, so that tests can replay them"},
	{in: wasm, deep: true, banned: "google.golang.org/protobuf/proto google.golang.org/protobuf/reflect/ encoding/json net/http database/ github.com/ncruces/ github.com/coder/",
		reason: "the WebAssembly stays under 1.25 MB: protobuf-go alone is 700 kB, JSON 300 kB"},
	{in: wasm, deep: true, banned: "github.com/goccy/",
		reason: "documents are compiled by the server and the command line; browsers get the graph"},
	{in: "wire", banned: "google.golang.org/protobuf/proto google.golang.org/protobuf/reflect/",
		reason: "messages are written with protowire, for the WebAssembly's sake; protobuf-go is for tests"},
	{in: "cmd/terrane", banned: "net net/ database/ github.com/ncruces/ log/slog",
		reason: "main hands its arguments to internal/cli and does nothing else"},
}
