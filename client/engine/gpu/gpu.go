//go:build js && wasm

// Package gpu is what the program runs for pages that work on the GPU: it writes their shaders, and does
// the same work on the processor, to compare and where there is no WebGPU. client/src/workers/gpu.ts calls it:
//
//	shaders(): {name: text}                              of every pass, "signs u8" and so on
//	table(): Uint32Array                                 the table of cases
//	template(name, seed): Uint8Array | Error             a graph: hills, shape, flat, island
//	field(graph, assets): program | Error                sets the field and returns its shader:
//	    {code: string, numbers: Uint32Array, columns: number, rasters: Float32Array}
//	fill(x, y, z, side, level, edits): Float32Array | Error
//	    side³ samples from the sample x, y, z on, with edits in their binary form (package edit)
//	edits(edits: Uint8Array): Uint32Array | Error        the same edits as the shader takes them
//	build(x, y, z, cells, edits): mesh | Error           fills and meshes such a grid, whose field is kept
//	chunk(samples, cells): mesh | Error                  marching cubes of a grid with a margin
//	volume(samples, nx, ny, nz, iso): mesh | Error       of a volume without
//
// A mesh is {positions: Float32Array, normals: Float32Array, indices: Uint32Array}, in cells from the low corner.
package gpu

import (
	"errors"
	"fmt"
	"syscall/js"
	"unsafe"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/edit"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/gpu"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
	"github.com/terrane/terrane/raster"
	"github.com/terrane/terrane/template"
)

// An engine holds the state that the functions share.
type engine struct {
	terrain field.Terrain
	cubes   mesher.Mesher
	mesh    mesh.Mesh
	grid    grid.Grid
	fields  map[lattice.Sample][]float32 // of the grids that were built, without edits
}

// Methods returns the functions.
func Methods() map[string]any {
	e := &engine{cubes: mesher.New(mesher.Marching)}
	return map[string]any{
		"shaders":  export(func([]js.Value) (any, error) { return shaders(), nil }),
		"table":    export(func([]js.Value) (any, error) { return words(gpu.Table()), nil }),
		"template": export(readyMade),
		"field":    export(e.field),
		"fill":     export(e.fill),
		"build":    export(e.build),
		"edits":    export(edits),
		"chunk":    export(e.chunk),
		"volume":   export(e.volume),
	}
}

// export returns f as a JavaScript function. An error is returned as an Error object, since a Go function cannot
// throw.
func export(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		v, err := f(args)
		if err != nil {
			return js.Global().Get("Error").New(err.Error())
		}
		return v
	})
}

func shaders() map[string]any {
	texts := map[string]any{}
	for _, p := range gpu.Passes() {
		for _, k := range []gpu.SampleKind{gpu.Float32, gpu.Uint8, gpu.Uint16} {
			texts[string(p)+" "+string(k)] = gpu.Shader(p, k)
		}
	}
	return texts
}

func readyMade(a []js.Value) (any, error) {
	var g *graph.Graph
	switch name := a[0].String(); name {
	case "hills":
		g = template.Hills(int64(a[1].Int()))
	case "shape":
		g = template.Shape()
	case "flat":
		g = template.Flat()
	case "island":
		g = island(int64(a[1].Int()))
	default:
		return nil, fmt.Errorf("gpu: no template is named %s: want hills, shape, flat or island", name)
	}
	return array("Uint8Array", g.AppendBinary(nil)), nil
}

// field sets the field. The program's code is empty, with the reason in its place, where only the processor
// computes the graph.
func (e *engine) field(a []js.Value) (any, error) {
	g, err := graph.Parse(bytesOf(a[0]))
	if err != nil {
		return nil, err
	}
	files := assetsOf(a[1])
	if e.terrain, err = field.Compile(g, files); err != nil {
		return nil, err
	}
	program, err := graph.Compile(g)
	if err != nil {
		return nil, err
	}
	e.fields = map[lattice.Sample][]float32{}
	var heights []float32
	p, err := gpu.Generate(program, func(hash asset.Hash) (*raster.Raster, error) {
		data, err := files(hash)
		if err != nil {
			return nil, err
		}
		if _, err := raster.ParseTiled(data); err == nil {
			return nil, fmt.Errorf("%w: it reads a raster in tiles", gpu.ErrUnsupported)
		}
		r, err := raster.Parse(data)
		if err == nil {
			heights = gpu.RasterValues(heights, r)
		}
		return r, err
	})
	if errors.Is(err, gpu.ErrUnsupported) {
		return map[string]any{"code": "", "reason": err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"code": p.Shader(), "numbers": words(p.Numbers), "columns": p.Columns, "rasters": floats(heights)}, nil
}

func (e *engine) fill(a []js.Value) (any, error) {
	if e.terrain == nil {
		return nil, errors.New("gpu: samples were asked for before a field was set")
	}
	first := lattice.Sample{X: int32(a[0].Int()), Y: int32(a[1].Int()), Z: int32(a[2].Int())}
	side, level := a[3].Int(), uint8(a[4].Int())
	list, err := parseEdits(bytesOf(a[5]))
	if err != nil {
		return nil, err
	}
	if side < 1 || side > 1<<10 || level > lattice.MaxLevel {
		return nil, fmt.Errorf("gpu: %d samples a side at level %d, want 1 … 1024 at a level up to %d", side, level, lattice.MaxLevel)
	}
	samples := make([]float32, side*side*side)
	e.fillRows(samples, first, side, level, list)
	return floats(samples), nil
}

// fillRows fills samples: the field as a grid where they are one, else sample by sample.
func (e *engine) fillRows(samples []float32, first lattice.Sample, side int, level uint8, list []edit.Checked) {
	if g := gridAt(first, side, level); g != nil {
		g.Samples = samples
		e.terrain.Fill(g)
	} else {
		for i := range samples {
			s := first.Add(int32(i%side)<<level, int32(i/side%side)<<level, int32(i/(side*side))<<level)
			samples[i] = e.terrain.At(s)
		}
	}
	applyEdits(samples, first, side, level, list)
}

// gridAt returns the grid whose first sample and side are those given, or nil if they are no grid's.
func gridAt(first lattice.Sample, side int, level uint8) *grid.Grid {
	if side < 4 {
		return nil
	}
	g := grid.New(side - 3)
	n := int32(side-3) << level
	one := int32(1) << level
	g.Chunk = lattice.Chunk{X: (first.X + one) / n, Y: (first.Y + one) / n, Z: (first.Z + one) / n, Level: level}
	if g.Corner() != first {
		return nil
	}
	return g
}

// maxKept bounds the grids whose fields are kept.
const maxKept = 16

func (e *engine) build(a []js.Value) (any, error) {
	if e.terrain == nil {
		return nil, errors.New("gpu: a mesh was asked for before a field was set")
	}
	first := lattice.Sample{X: int32(a[0].Int()), Y: int32(a[1].Int()), Z: int32(a[2].Int())}
	cells := a[3].Int()
	list, err := parseEdits(bytesOf(a[4]))
	if err != nil {
		return nil, err
	}
	if cells < 1 || cells > 256 {
		return nil, fmt.Errorf("gpu: a grid of %d cells a side, want 1 … 256", cells)
	}
	side := cells + 3
	base := e.fields[first]
	if len(base) != side*side*side {
		base = make([]float32, side*side*side)
		e.fillRows(base, first, side, 0, nil)
		if len(e.fields) < maxKept {
			e.fields[first] = base
		}
	}
	g := &e.grid
	g.Cells, g.Samples = cells, append(g.Samples[:0], base...)
	if len(g.Ground) != side*side {
		g.Ground = make([]float32, side*side)
	}
	applyEdits(g.Samples, first, side, 0, list)
	e.mesh.Reset()
	e.cubes.Mesh(&e.mesh, g, 0)
	return e.result(), nil
}

// applyEdits lays edits over samples, each only over the rows that it reaches. The samples may lie between those of
// the level, where edit.Checked.Rows does not look: a shader is tested there.
func applyEdits(samples []float32, first lattice.Sample, side int, level uint8, list []edit.Checked) {
	for _, d := range list {
		b := d.Box(level)
		for i := 0; i < len(samples); i += side {
			s := first.Add(0, int32(i/side%side)<<level, int32(i/(side*side))<<level)
			if s.Y >= b.Min.Y && s.Y < b.Max.Y && s.Z >= b.Min.Z && s.Z < b.Max.Z {
				d.Row(samples[i:i+side], s, level)
			}
		}
	}
}

func edits(a []js.Value) (any, error) {
	list, err := parseEdits(bytesOf(a[0]))
	if err != nil {
		return nil, err
	}
	return words(gpu.AppendEdits(nil, list...)), nil
}

func parseEdits(data []byte) (list []edit.Checked, err error) {
	for len(data) > 0 {
		var e edit.Checked
		if e, data, err = edit.Parse(data); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

func (e *engine) chunk(a []js.Value) (any, error) {
	g := &grid.Grid{Cells: a[1].Int(), Samples: floatsOf(a[0])}
	if n := g.Side(); g.Cells < 1 || len(g.Samples) != n*n*n {
		return nil, fmt.Errorf("gpu: a grid of %d cells a side has %d samples", g.Cells, len(g.Samples))
	}
	g.Ground = make([]float32, g.Side()*g.Side())
	if at := a[2]; at.Truthy() {
		g.Chunk.Y, g.Chunk.Level = int32(at.Get("y").Int()), uint8(at.Get("level").Int())
		ground := floatsOf(at.Get("ground"))
		if materials := at.Get("materials"); materials.Truthy() {
			g.Materials = bytesOf(materials)
		}
		if g.Chunk.Level > lattice.MaxLevel || len(ground) != len(g.Ground) || len(g.Materials) != 0 && len(g.Materials) != len(g.Samples) {
			return nil, fmt.Errorf("gpu: a grid of %d cells a side has %d heights and %d materials", g.Cells, len(ground), len(g.Materials))
		}
		g.Ground = ground
	}
	e.mesh.Reset()
	e.cubes.Mesh(&e.mesh, g, 0)
	return e.result(), nil
}

func (e *engine) volume(a []js.Value) (any, error) {
	v := &grid.Volume{NX: a[1].Int(), NY: a[2].Int(), NZ: a[3].Int(), Samples: floatsOf(a[0])}
	if v.NX < 2 || v.NY < 2 || v.NZ < 2 || len(v.Samples) != v.NX*v.NY*v.NZ {
		return nil, fmt.Errorf("gpu: a volume of %d×%d×%d has %d samples", v.NX, v.NY, v.NZ, len(v.Samples))
	}
	e.mesh.Reset()
	x := mesher.Extractor{Iso: float32(a[4].Float())}
	if _, err := x.Extract(&e.mesh, v); err != nil {
		return nil, err
	}
	return e.result(), nil
}

// result returns the mesh.
func (e *engine) result() any {
	m := &e.mesh
	materials := js.Null()
	if len(m.Materials) != 0 {
		materials = array("Uint8Array", m.Materials)
	}
	return map[string]any{
		"positions": floats(m.Positions), "normals": floats(m.Normals), "depths": floats(m.Depths), "materials": materials,
		"indices": words(m.Indices),
	}
}

// assetsOf returns a lookup in an object of files by the hexadecimal form of their hash.
func assetsOf(files js.Value) func(hash asset.Hash) ([]byte, error) {
	return func(hash asset.Hash) ([]byte, error) {
		name := hash.String()
		if !files.Truthy() || files.Get(name).IsUndefined() {
			return nil, fmt.Errorf("gpu: the file %s is missing", name)
		}
		return bytesOf(files.Get(name)), nil
	}
}

// array returns a typed array of the given kind with the bytes of data.
func array(kind string, data []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(out, data)
	if kind == "Uint8Array" {
		return out
	}
	return js.Global().Get(kind).New(out.Get("buffer"))
}

func words(v []uint32) js.Value {
	return array("Uint32Array", unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v)))
}

func floats(v []float32) js.Value {
	return array("Float32Array", unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v)))
}

// floatsOf copies a Float32Array.
func floatsOf(v js.Value) []float32 {
	out := make([]float32, v.Length())
	bytes := js.Global().Get("Uint8Array").New(v.Get("buffer"), v.Get("byteOffset"), v.Get("byteLength"))
	js.CopyBytesToGo(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(out))), 4*len(out)), bytes)
	return out
}

// bytesOf copies a Uint8Array.
func bytesOf(v js.Value) []byte {
	data := make([]byte, v.Length())
	js.CopyBytesToGo(data, v)
	return data
}
