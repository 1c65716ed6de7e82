package gpu

import (
	"embed"
	"slices"
	"strings"

	"github.com/terrane/terrane/internal/kernel/cube"
)

//go:embed shaders/*.wgsl
var files embed.FS

// A Pass names a shader of the pipeline and, as entry points, its functions.
type Pass string

// The passes, in the order in which they run.
const (
	Apply     Pass = "edits"     // find_edits, then apply: lays edits over samples
	Signs     Pass = "signs"     // pack_signs
	Count     Pass = "count"     // count_words
	Scan      Pass = "scan"      // scan_words, then scan_blocks
	Vertices  Pass = "vertices"  // write_vertices
	Triangles Pass = "triangles" // write_triangles
	Append    Pass = "append"    // append_triangles, then finish_append: in place of all from Signs on
)

// Passes returns all passes.
func Passes() []Pass { return []Pass{Apply, Signs, Count, Scan, Vertices, Triangles, Append} }

// passParts holds what each pass consists of, besides the part of its own name.
var passParts = map[Pass][]string{
	Apply:     {"batch"},
	Signs:     {"batch", "samples"},
	Count:     {"batch", "bits", "table", "words"},
	Scan:      {"batch", "words"},
	Vertices:  {"batch", "bits", "counted", "samples", "solve"},
	Triangles: {"batch", "bits", "table", "counted"},
	Append:    {"batch", "table", "samples", "solve"},
}

// A SampleKind says how samples are stored.
type SampleKind string

// The ways of storing samples.
const (
	Float32 SampleKind = "f32"
	Uint8   SampleKind = "u8"  // four to a word
	Uint16  SampleKind = "u16" // two to a word
)

// Shader returns the text of a pass over samples of a kind.
func Shader(p Pass, samples SampleKind) string {
	parts := slices.Clone(passParts[p])
	if i := slices.Index(parts, "samples"); i >= 0 {
		parts[i] = "samples_" + string(samples)
	}
	text := assemble(append(parts, string(p)))
	if p == Apply {
		text += editShapes()
	}
	return text
}

// Shader returns the text of the passes that evaluate the graph: columns, then fill.
func (p *Program) Shader() string { return assemble(p.parts) + "\n" + p.Code }

// order is that in which parts stand in a shader. WGSL does not mind; people do.
var order = []string{"batch", "wide", "number", "noise", "value", "gradient", "simplex", "cellular", "cracks", "shapes", "combine",
	"curves", "raster", "bits", "table", "words", "counted", "samples_f32", "samples_u8", "samples_u16", "solve"}

// assemble puts parts together, each once.
func assemble(parts []string) string {
	rank := func(s string) int {
		if i := slices.Index(order, s); i >= 0 {
			return i
		}
		return len(order)
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b string) int { return rank(a) - rank(b) })
	var t []string
	for _, name := range slices.Compact(parts) {
		t = append(t, part(name))
	}
	return strings.Join(t, "\n")
}

// part returns the text of a part.
func part(name string) string {
	text, err := files.ReadFile("shaders/" + name + ".wgsl")
	if err != nil {
		panic("gpu: no part is named " + name)
	}
	return string(text)
}

// TableWords is the length of Table's result.
const TableWords = 2 * cube.Cases

// Table returns the table of cases as the part table.wgsl describes it: the one that package mesher uses, packed.
func Table() []uint32 {
	t := make([]uint32, 0, TableWords)
	for c := range cube.Cases {
		edges := cube.Triangles(uint8(c))
		v := uint64(len(edges) / 3)
		for i := 0; i < len(edges); i += 3 {
			// The other way round: the table's triangles face into the solid.
			v |= uint64(edges[i])<<(4*i+4) | uint64(edges[i+2])<<(4*i+8) | uint64(edges[i+1])<<(4*i+12)
		}
		t = append(t, uint32(v), uint32(v>>32))
	}
	return t
}
