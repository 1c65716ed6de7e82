package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/lattice"
)

// A Graph is the compact form of a world's field: nodes in order, inputs before users. The last node is the
// density. A Graph says nothing about whether it makes sense; [Compile] does.
type Graph struct {
	Nodes     []Node
	Materials []Material // the palette of a KindPaintedWorld, at most MaxMaterials; else empty

	err error // of the builder that made it
}

// A Sampler is a density function of the program's own, the Field of a KindField node. Its values are the same for
// the same sample whenever they are asked for, and it is safe for concurrent use if readers of the compiled graph run
// beside each other.
type Sampler interface {
	At(s lattice.Sample) float32
}

// A Node is one step of a graph: what it computes, from which earlier nodes, with which parameters. The
// documentation of each [Kind] says how many inputs, integers and floats it takes and what they mean.
type Node struct {
	Kind    Kind
	Version uint16     // semantics version: a changed kernel is a new version
	Inputs  []uint32   // numbers of earlier nodes
	Ints    []int64    // seeds, anchors (sample numbers), fixed-point steps, octaves
	Floats  []float32  // meters and factors
	Asset   asset.Hash // SHA-256 of the file it reads, zero if it reads none
	Field   Sampler    // of KindField, else nil; it has no binary form
}

// Limits of a graph's binary form. They bound what a hostile graph can cost to compile: at every limit some tenths of
// a second and 64 MB. What its samples cost they do not bound: 2,000 noises of 16 octaves take milliseconds each.
const (
	MaxNodes      = 4096
	MaxBytes      = 1 << 20
	MaxNodeInputs = 4
	maxNodeInts   = 64
	maxNodeFloats = 1024
)

// The errors of Parse, wrapped with what was found.
var (
	ErrCorrupt  = errors.New("graph: corrupt")
	ErrVersion  = errors.New("graph: unknown version")
	ErrTooLarge = errors.New("graph: too large")
)

const (
	graphMagic      = "TRGR"
	graphVersion    = 1
	paintedVersion  = 2 // with materials
	graphHeader     = 16
	graphNodeHeader = 12
	checksumBytes   = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBinary appends the binary form of g, drawn in doc.go, to dst. It panics if a node exceeds a limit of
// the format, which a graph that compiles never does; or if it has too many materials or one with too long a name;
// or if [Graph.Portable] answers an error.
func (g *Graph) AppendBinary(dst []byte) []byte {
	le := binary.LittleEndian
	start := len(dst)
	dst = append(dst, graphMagic...)
	version := uint16(graphVersion) // so that a graph without materials keeps its hash
	if len(g.Materials) != 0 {
		version = paintedVersion
	}
	dst = le.AppendUint16(dst, version)
	dst = le.AppendUint16(dst, uint16(len(g.Materials)))
	dst = le.AppendUint32(dst, 0) // length, below
	dst = le.AppendUint32(dst, uint32(len(g.Nodes)))
	dst = appendMaterials(dst, g.Materials)
	for i := range g.Nodes {
		dst = g.Nodes[i].appendBinary(dst)
	}
	le.PutUint32(dst[start+8:], uint32(len(dst)-start+checksumBytes))
	return le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

func (n *Node) appendBinary(dst []byte) []byte {
	if len(n.Inputs) > MaxNodeInputs || len(n.Ints) > maxNodeInts || len(n.Floats) > maxNodeFloats {
		panic(fmt.Sprintf("graph: node of kind %v has %d inputs, %d ints, %d floats, more than its binary form holds",
			n.Kind, len(n.Inputs), len(n.Ints), len(n.Floats)))
	}
	if n.Field != nil {
		panic(fmt.Sprintf("graph: a field of the program's own (%T) has no binary form", n.Field))
	}
	le := binary.LittleEndian
	hasAsset := byte(0)
	if n.Asset != (asset.Hash{}) {
		hasAsset = 1
	}
	dst = le.AppendUint16(dst, uint16(n.Kind))
	dst = le.AppendUint16(dst, n.Version)
	dst = append(dst, byte(len(n.Inputs)), hasAsset)
	dst = le.AppendUint16(dst, uint16(len(n.Ints)))
	dst = le.AppendUint16(dst, uint16(len(n.Floats)))
	dst = le.AppendUint16(dst, 0)
	for _, v := range n.Inputs {
		dst = le.AppendUint32(dst, v)
	}
	for _, v := range n.Ints {
		dst = le.AppendUint64(dst, uint64(v))
	}
	for _, v := range n.Floats {
		dst = le.AppendUint32(dst, math.Float32bits(v))
	}
	if hasAsset == 1 {
		dst = append(dst, n.Asset[:]...)
	}
	return dst
}

// Parse reads the binary form of a graph. It checks the form only: whether the nodes make a field is
// for [Compile] to say. The graph shares no memory with data.
func Parse(data []byte) (*Graph, error) {
	le := binary.LittleEndian
	switch {
	case len(data) > MaxBytes:
		return nil, fmt.Errorf("%w: graph of %d bytes, at most %d", ErrTooLarge, len(data), MaxBytes)
	case len(data) < graphHeader+checksumBytes:
		return nil, fmt.Errorf("%w: graph of %d bytes, at least %d", ErrCorrupt, len(data), graphHeader+checksumBytes)
	case string(data[:4]) != graphMagic:
		return nil, fmt.Errorf("%w: graph starts with %q, want %q", ErrCorrupt, data[:4], graphMagic)
	case le.Uint16(data[4:]) != graphVersion && le.Uint16(data[4:]) != paintedVersion:
		return nil, fmt.Errorf("%w: graph of version %d, this engine reads %d and %d", ErrVersion, le.Uint16(data[4:]),
			graphVersion, paintedVersion)
	case le.Uint16(data[4:]) == graphVersion && le.Uint16(data[6:]) != 0:
		return nil, fmt.Errorf("%w: graph has %d in its reserved bytes, want 0", ErrCorrupt, le.Uint16(data[6:]))
	case uint64(le.Uint32(data[8:])) != uint64(len(data)):
		return nil, fmt.Errorf("%w: graph says it has %d bytes, has %d", ErrCorrupt, le.Uint32(data[8:]), len(data))
	}
	body := data[:len(data)-checksumBytes]
	if want, got := le.Uint32(data[len(body):]), crc32.Checksum(body, castagnoli); want != got {
		return nil, fmt.Errorf("%w: graph's checksum is %08x, its bytes give %08x", ErrCorrupt, want, got)
	}
	count := le.Uint32(data[12:])
	if count > MaxNodes {
		return nil, fmt.Errorf("%w: graph of %d nodes, at most %d", ErrTooLarge, count, MaxNodes)
	}
	materials, rest, err := parseMaterials(body)
	if err != nil {
		return nil, err
	}
	if int(count)*graphNodeHeader > len(rest) {
		return nil, fmt.Errorf("%w: graph of %d nodes in %d bytes", ErrCorrupt, count, len(data))
	}
	g := &Graph{Nodes: make([]Node, count), Materials: materials}
	for i := range g.Nodes {
		if rest, err = g.Nodes[i].parse(rest, i); err != nil {
			return nil, err
		}
	}
	if len(rest) != 0 {
		return nil, fmt.Errorf("%w: graph has %d bytes after its last node", ErrCorrupt, len(rest))
	}
	return g, nil
}

// parse reads node i from the front of data and returns the rest.
func (n *Node) parse(data []byte, i int) (rest []byte, err error) {
	le := binary.LittleEndian
	if len(data) < graphNodeHeader {
		return nil, fmt.Errorf("%w: graph ends in node %d", ErrCorrupt, i)
	}
	n.Kind, n.Version = Kind(le.Uint16(data)), le.Uint16(data[2:])
	inputs, named := int(data[4]), data[5]
	ints, floats := int(le.Uint16(data[6:])), int(le.Uint16(data[8:]))
	if inputs > MaxNodeInputs || ints > maxNodeInts || floats > maxNodeFloats {
		return nil, fmt.Errorf("%w: node %d has %d inputs, %d ints, %d floats, at most %d, %d, %d", ErrTooLarge,
			i, inputs, ints, floats, MaxNodeInputs, maxNodeInts, maxNodeFloats)
	}
	if named > 1 || le.Uint16(data[10:]) != 0 {
		return nil, fmt.Errorf("%w: node %d has unknown flags", ErrCorrupt, i)
	}
	data = data[graphNodeHeader:]
	if need := 4*inputs + 8*ints + 4*floats + 32*int(named); len(data) < need {
		return nil, fmt.Errorf("%w: node %d needs %d bytes, graph has %d left", ErrCorrupt, i, need, len(data))
	}
	for range inputs {
		n.Inputs = append(n.Inputs, le.Uint32(data))
		data = data[4:]
	}
	for range ints {
		n.Ints = append(n.Ints, int64(le.Uint64(data)))
		data = data[8:]
	}
	for range floats {
		n.Floats = append(n.Floats, math.Float32frombits(le.Uint32(data)))
		data = data[4:]
	}
	if named == 1 {
		copy(n.Asset[:], data)
		data = data[32:]
		if n.Asset == (asset.Hash{}) {
			return nil, fmt.Errorf("%w: node %d says it reads an asset and names none", ErrCorrupt, i)
		}
	}
	return data, nil
}

// Portable returns an error if g has no binary form: a field of the program's own is in it, or its builder failed. It is
// for the program that made it; it cannot be stored or sent to browsers.
func (g *Graph) Portable() error {
	if g.err != nil {
		return fmt.Errorf("graph: %w", g.err)
	}
	for i := range g.Nodes {
		if f := g.Nodes[i].Field; f != nil {
			return fmt.Errorf("graph: node %d is a field of the program's own (%T), which has no binary form", i, f)
		}
	}
	return nil
}

// Assets returns the hashes of the files that g reads, each once, in order of use.
func (g *Graph) Assets() []asset.Hash {
	var hashes []asset.Hash
	for i := range g.Nodes {
		if a := g.Nodes[i].Asset; a != (asset.Hash{}) && !slices.Contains(hashes, a) {
			hashes = append(hashes, a)
		}
	}
	return hashes
}
