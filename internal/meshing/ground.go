package meshing

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/internal/worldlog/open"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/world"
)

// DefaultBox is the part of a world that is made if none is named.
const DefaultBox = "-128:128,-128:128"

// A Ground is a world or a document, and the part of it to be made a mesh of.
type Ground struct {
	world   *world.World
	palette [][3]uint8
	format  string
	chunks  [2]lattice.Chunk // the first, and the one behind the last
}

// ofWorld reports whether the input is a world or a document by its name.
func (c *Options) ofWorld() bool {
	return importer.IsDocument(c.Input) || strings.EqualFold(filepath.Ext(c.Input), ".terrane")
}

// ground opens a world with its edits, or compiles a document.
func (c *Options) ground(p Env) (*Ground, error) {
	if c.Crop != "" || c.Cap || c.Dims != "" || c.Type != "" || c.Base != nil || c.Scale != nil || c.Iso != "auto" {
		return nil, usage.Errorf("%s is a world; of the flags for its extent it takes --box", c.Input)
	}
	g := &Ground{}
	var err error
	if g.chunks, err = parseBox(c.Box); err != nil {
		return nil, usage.Errorf("--box %q: %w", c.Box, err)
	}
	var ground field.Terrain
	if importer.IsDocument(c.Input) {
		src, err := importer.ReadDocument(c.Input)
		if err != nil {
			return nil, err
		}
		d, err := p.Importer.Compile(c.Input, filepath.Dir(c.Input), src, document.Options{})
		if err != nil {
			return nil, err
		}
		if err := d.RefuseEndless(c.Input); err != nil {
			return nil, err
		}
		ground, g.format = d.Ground, "a document"
		g.world = world.New(ground)
	} else {
		store, err := open.World(c.Input, true)
		if err != nil {
			return nil, worldfile.OpenError(err)
		}
		p.AtEnd(store.Close) // tiles are read as the mesh is made
		if ground, err = replica.Terrain(p.Ctx, store); err != nil {
			return nil, usage.Errorf("cannot read %s: %w", c.Input, err)
		}
		g.world, g.format = world.New(ground), fmt.Sprintf("a world of %d edits", store.Head())
		r := replica.Replica{Layer: g.world.Layer()}
		err = r.Load(p.Ctx, store, func(err error) {
			p.note(fmt.Sprintf("the newest snapshot cannot be read (%v); replaying the whole log", err))
		})
		if err != nil {
			return nil, usage.Errorf("cannot read %s: %w", c.Input, err)
		}
	}
	if materials, ok := ground.(field.MaterialSource); ok {
		for _, m := range materials.Palette() {
			g.palette = append(g.palette, m.Color)
		}
	}
	return g, nil
}

// maxColumns bounds the chunk columns of a mesh of a world.
const maxColumns = 1 << 12

// parseBox reads two ranges of meters, along x and z, or three, along x, y and z, and returns the chunks that they
// touch.
func parseBox(text string) (chunks [2]lattice.Chunk, err error) {
	words := strings.Split(text, ",")
	if len(words) != 2 && len(words) != 3 {
		return chunks, errors.New("want ranges of meters along x and z, or along x, y and z, like -64:64,-64:64")
	}
	var ends [3][2]int32
	for i, word := range words {
		axis := i
		if len(words) == 2 && i == 1 {
			axis = 2
		}
		from, to, ok := strings.Cut(strings.TrimSpace(word), ":")
		a, err1 := strconv.ParseInt(from, 10, 32)
		b, err2 := strconv.ParseInt(to, 10, 32)
		if !ok || err1 != nil || err2 != nil {
			return chunks, fmt.Errorf("%q is no range of whole meters, like -64:64", word)
		}
		if a >= b || a <= -lattice.Limit || b >= lattice.Limit {
			return chunks, fmt.Errorf("%q is empty, or ends beyond ±2³⁰", word)
		}
		ends[axis] = [2]int32{int32(a) >> lattice.ChunkShift, int32(b-1)>>lattice.ChunkShift + 1}
	}
	if len(words) == 2 {
		ends[1] = [2]int32{-lattice.Limit >> lattice.ChunkShift, lattice.Limit >> lattice.ChunkShift}
	}
	nx, nz := int64(ends[0][1])-int64(ends[0][0]), int64(ends[2][1])-int64(ends[2][0])
	if nx > maxColumns || nz > maxColumns || nx*nz > maxColumns {
		return chunks, fmt.Errorf("it touches %d × %d columns of chunks of 32 m; at most %d are made at once", nx, nz, maxColumns)
	}
	for i := range 2 {
		chunks[i] = lattice.Chunk{X: ends[0][i], Y: ends[1][i], Z: ends[2][i]}
	}
	return chunks, nil
}

// What a vertex and a triangle of a mesh take.
const (
	vertexBytes   = 32
	triangleBytes = 12
)

// meshGround makes one mesh of the chunks of a world.
func (c *Options) meshGround(p Env, g *Ground, report *Report) (Part, error) {
	kind, err := mesher.ParseKind(c.Mesher)
	if err != nil {
		return Part{}, usage.Errorf("--mesher %s is none of %s", c.Mesher, mesher.KindNames("and"))
	}
	first, end := g.chunks[0], g.chunks[1]
	report.Format, report.Unit = g.format, "m"
	all, chunk, samples := &mesh.Mesh{}, &mesh.Mesh{}, grid.New(lattice.ChunkCells)
	made := mesher.New(kind)
	most := memory.Available() / 8 // while it grows a mesh is there twice and more, and then it is welded
	var spans []lattice.Span
	for x := first.X; x < end.X; x++ {
		for z := first.Z; z < end.Z; z++ {
			if err := p.Ctx.Err(); err != nil {
				return Part{}, err
			}
			spans = g.world.Columns(spans[:0], x, z)
			for _, s := range spans {
				for y := max(s.Lo, first.Y); y < min(s.Hi, end.Y); y++ {
					at := lattice.Chunk{X: x, Y: y, Z: z}
					chunk.Reset()
					if g.world.HasSurface(at) && g.world.Build(chunk, samples, at, made, 0) {
						appendChunk(all, chunk, at, first)
					}
					if n := int64(all.Vertices()); n*vertexBytes+int64(all.Triangles())*triangleBytes > most {
						return Part{}, usage.Errorf("%s: the mesh of --box %s has more than %d triangles, too many for this machine's memory; name a smaller box, with heights as well", c.Input, c.Box, all.Triangles())
					}
				}
			}
		}
	}
	if all.Triangles() == 0 {
		return Part{}, usage.Errorf("%s: there is no surface in --box %s: all of it is solid, or all is air", c.Input, c.Box)
	}
	if kind.SharesVertices() {
		all.Weld() // chunks share the positions along their borders bit for bit
	}
	o := lattice.Chunk{X: first.X, Z: first.Z}.Origin()
	return Part{Mesh: all, Origin: [3]float64{float64(o.X), 0, float64(o.Z)}, step: 1, smooth: kind.SharesVertices(), Palette: g.palette}, nil
}

// appendChunk appends a chunk's mesh, moved to where the chunk lies from the first one's corner, and from height 0.
func appendChunk(all, chunk *mesh.Mesh, at, first lattice.Chunk) {
	all.AppendMesh(chunk, geom.Vec3{
		X: float32(at.X-first.X) * lattice.ChunkCells, Y: float32(at.Y) * lattice.ChunkCells, Z: float32(at.Z-first.Z) * lattice.ChunkCells,
	})
}
