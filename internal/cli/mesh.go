package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

type meshCmd struct {
	Input   string   `arg:"" help:"A volume or a heightmap; - is standard input (with --name)."`
	Out     string   `short:"o" required:"" help:"File to write; its ending says the format. - is standard output (with --format)." placeholder:"OUT.{glb,stl,obj,ply}"`
	Format  string   `help:"Format of the output, where its name does not say: glb, stl, obj or ply." placeholder:"F"`
	Name    string   `help:"What to take standard input for, like x_256x256x128_uint8.raw." placeholder:"FILE"`
	Iso     string   `default:"auto" help:"Value of a volume's surface, above which it is solid; auto parts the values in two (Otsu) and prints where (default auto)." placeholder:"V"`
	Mesher  string   `default:"marching" help:"For volumes: marching, nets or blocks (default marching)." placeholder:"NAME"`
	Cap     bool     `help:"For volumes: close the surface where it leaves the volume."`
	Threads int      `help:"For volumes: how many threads work on it (default: one for each core)." placeholder:"N"`
	Base    *float64 `help:"For heightmaps: make a solid block down to this height, for printing." placeholder:"Z"`
	Scale   *float64 `help:"For heightmaps: enlarge heights, not distances (default 1)." placeholder:"S"`
	Nodata  string   `default:"hole" help:"For heightmaps: leave samples without a height out (hole), fill them from their neighbors (fill), or give them this height (default hole)." placeholder:"hole|fill|V"`
	Max     int      `name:"max-samples" default:"4194304" help:"For heightmaps: how many samples are read; of larger GeoTIFFs an overview is. Each takes some 80 bytes (default ${default})." placeholder:"N"`
	Up      string   `default:"auto" help:"Axis that points up in the output, y or z (default y in GLB and OBJ, z in STL and PLY)." placeholder:"AXIS"`
	JSON    bool     `name:"json" help:"Print a report as one line of JSON."`
}

// Help is printed by `terrane mesh --help`.
func (meshCmd) Help() string {
	return `A volume becomes the surface between what is above and below a value; a heightmap becomes its ground, every sample
a vertex. What comes out is in the file's own unit and the right way round.

A skull from a scan, closed where the scan ends:
  terrane mesh head.nii.gz --iso 100 --cap -o head.stl

A block of the Alps to print, down to sea level:
  terrane mesh N47E009.hgt --base 0 -o alps.stl

Terrain for a 3-D program, with the holes of the data filled:
  terrane mesh dem.tif --nodata fill -o dem.glb

The output is written under another name first: a run that fails leaves no part of it.`
}

// A meshReport is what --json prints.
type meshReport struct {
	Input     string   `json:"input"`
	Output    string   `json:"output"`
	Format    string   `json:"format"` // of the input
	Dims      []int    `json:"dims"`
	Low       float32  `json:"low"`
	High      float32  `json:"high"`
	Voids     int      `json:"nans"`
	Iso       *float32 `json:"iso,omitempty"`
	Triangles int      `json:"triangles"`
	Vertices  int      `json:"vertices"`
	Closed    bool     `json:"closed"`
	Volume    *float64 `json:"volume,omitempty"` // that it encloses, in the file's unit cubed
	Seconds   float64  `json:"seconds"`
}

// A part is a mesh to be written and where it lies.
type part struct {
	m      *mesh.Mesh
	origin [3]float64 // of m's coordinates
	zUp    bool       // m's third axis points up, else its second
}

// Run makes the mesh.
func (c *meshCmd) Run(p *program) error {
	start := time.Now()
	format, err := c.format()
	if err != nil {
		return err
	}
	f, closeFile, err := c.open()
	if err != nil {
		return err
	}
	defer closeFile()
	report := meshReport{Input: c.Input, Output: c.Out}
	made, err := c.make(p, f, &report)
	if err != nil {
		return err
	}
	facts, err := c.check(made.m)
	if err != nil {
		return fmt.Errorf("the mesh of %s: %w", c.Input, err)
	}
	report.Triangles, report.Vertices, report.Closed = facts.Triangles, made.m.Vertices(), facts.Closed()
	if facts.Open == 0 && facts.Balanced() {
		report.Volume = &facts.Volume
	}
	if err := made.turn(c.Up, format); err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(f.Name), filepath.Ext(f.Name))
	if err := c.write(p, made, format, name); err != nil {
		return err
	}
	report.Seconds = time.Since(start).Seconds()
	return c.report(p, report)
}

// check counts what there is to know about a mesh. The blocks view shares no vertices, so that its edges are sharp:
// whether it is closed shows once equal positions are one vertex.
func (c *meshCmd) check(m *mesh.Mesh) (mesh.Facts, error) {
	if c.Mesher == mesher.Blocks.String() {
		m = &mesh.Mesh{Positions: slices.Clone(m.Positions), Indices: slices.Clone(m.Indices)}
		m.Weld()
	}
	return m.Check()
}

// format returns the format of the output.
func (c *meshCmd) format() (codec.Format, error) {
	name := c.Format
	if name == "" {
		name = strings.TrimPrefix(strings.ToLower(filepath.Ext(c.Out)), ".")
	}
	if c.Out == "-" && c.Format == "" {
		return 0, badInput("-o - needs --format glb, stl, obj or ply")
	}
	format, err := codec.ParseFormat(name)
	if err != nil {
		return 0, badInput("-o %s: %w", c.Out, err)
	}
	return format, nil
}

// open opens the input; standard input is read whole, since formats are read from several places.
func (c *meshCmd) open() (ingest.File, func() error, error) {
	if c.Input != "-" {
		return openFile(c.Input)
	}
	if c.Name == "" {
		return ingest.File{}, nil, badInput("- is standard input; --name says what to take it for, like --name dem.tif")
	}
	data, err := io.ReadAll(io.LimitReader(os.Stdin, maxStdin+1))
	if err != nil {
		return ingest.File{}, nil, badInput("standard input: %w", err)
	}
	if len(data) > maxStdin {
		return ingest.File{}, nil, badInput("standard input is more than %d bytes; name the file instead", maxStdin)
	}
	return ingest.Bytes(c.Name, data), func() error { return nil }, nil
}

// maxStdin bounds what is kept of standard input.
const maxStdin = 1 << 30

// make reads the input, as a volume if it is one, else as a heightmap, and makes its mesh.
func (c *meshCmd) make(p *program, f ingest.File, report *meshReport) (part, error) {
	end := p.stage("reading " + c.Input)
	v, h, err := readEither(f, beside(c.Input), c.Max)
	end()
	defer p.stage("meshing")()
	switch {
	case errors.Is(err, ingest.ErrTooLarge):
		return part{}, badInput("%w; --max-samples allows more", err)
	case err != nil:
		return part{}, badInput("%w", err)
	case v != nil:
		report.Format, report.Dims = v.Format, v.Dims[:]
		report.Low, report.High, report.Voids, _ = v.Range()
		p.notes(v.Notes)
		return c.meshVolume(p, v, report)
	}
	report.Format, report.Dims = h.Format, []int{h.Width, h.Height}
	report.Low, report.High, report.Voids, _ = h.Range()
	p.notes(h.Notes)
	return c.meshHeights(h)
}

func (p *program) notes(notes []string) {
	for _, n := range notes {
		p.log.Info(n)
	}
}

// meshHeights makes the mesh of a heightmap.
func (c *meshCmd) meshHeights(h *ingest.Heightmap) (part, error) {
	low, high, voids, ok := h.Range()
	if !ok {
		return part{}, badInput("%s: all %d samples are void: there is no ground to make a mesh of", c.Input, voids)
	}
	if h.MetersX == 0 {
		h.MetersX, h.MetersZ = 1, 1
	}
	switch c.Nodata {
	case "hole":
	case "fill":
		if _, err := h.Fill(); err != nil {
			return part{}, badInput("%s: %w", c.Input, err)
		}
	default:
		v, err := strconv.ParseFloat(c.Nodata, 32)
		if err != nil || v-v != 0 {
			return part{}, badInput("--nodata %s is neither hole nor fill nor a height", c.Nodata)
		}
		h.Replace(float32(v))
		low = min(low, float32(v))
	}
	if c.Scale != nil {
		if !(*c.Scale > 0 && *c.Scale < 1e6) {
			return part{}, badInput("--scale %v is outside 0 … 1000000", *c.Scale)
		}
		for i := range h.Values {
			h.Values[i] *= float32(*c.Scale)
		}
		low *= float32(*c.Scale)
	}
	base := float32(math.NaN())
	if c.Base != nil {
		base = float32(*c.Base)
		if !(base < low) {
			return part{}, badInput("--base %v is not below the lowest height, %v", *c.Base, low)
		}
	}
	m := reliefMesh(h, base)
	if voids > 0 {
		m.Weld() // which drops heights that stand alone
	}
	if m.Triangles() == 0 {
		return part{}, badInput("%s: no four neighboring samples have heights (%v … %v): there is nothing to make a mesh of", c.Input, low, high)
	}
	return part{m: m}, nil
}

// turn lets the axis asked for point up.
func (g *part) turn(up string, f codec.Format) error {
	zUp := f == codec.STL || f == codec.PLY
	switch up {
	case "auto":
	case "y", "z":
		zUp = up == "z"
	default:
		return badInput("--up %s is neither y nor z", up)
	}
	if zUp == g.zUp {
		return nil
	}
	turnVector := func(v []float32) {
		if zUp { // y up, z south → z up, y north
			v[1], v[2] = 0-v[2], v[1]
		} else {
			v[1], v[2] = v[2], 0-v[1]
		}
	}
	for i := 0; i < len(g.m.Positions); i += 3 {
		turnVector(g.m.Positions[i : i+3])
	}
	for i := 0; i < len(g.m.Normals); i += 3 {
		turnVector(g.m.Normals[i : i+3])
	}
	if o := &g.origin; zUp {
		o[1], o[2] = 0-o[2], o[1]
	} else {
		o[1], o[2] = o[2], 0-o[1]
	}
	g.zUp = zUp
	return nil
}

// write writes the mesh under another name and gives it its own once it is whole.
func (c *meshCmd) write(p *program, g part, f codec.Format, name string) (err error) {
	defer p.stage("writing " + c.Out)()
	o := codec.Options{Name: name, Origin: g.origin}
	if c.Out == "-" {
		return codec.Write(p.stdout, f, g.m, o)
	}
	out, err := os.CreateTemp(filepath.Dir(c.Out), "."+filepath.Base(c.Out)+"-*")
	if err != nil {
		return badInput("cannot write %s: %w", c.Out, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.Close(), os.Remove(out.Name()))
		}
	}()
	if err := codec.Write(out, f, g.m, o); err != nil {
		return fmt.Errorf("writing %s: %w", c.Out, err)
	}
	if err := out.Chmod(0o644); err != nil {
		return fmt.Errorf("writing %s: %w", c.Out, err)
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("writing %s: %w", c.Out, err)
	}
	return os.Rename(out.Name(), c.Out)
}

// report prints what was made.
func (c *meshCmd) report(p *program, r meshReport) error {
	to := p.stdout
	if c.Out == "-" {
		to = p.stderr
	}
	if c.JSON {
		return json.NewEncoder(to).Encode(r)
	}
	closed := "open"
	switch {
	case r.Closed:
		closed = fmt.Sprintf("closed, volume %.6g", *r.Volume)
	case r.Volume != nil:
		closed = fmt.Sprintf("closed but touching itself along edges, volume %.6g", *r.Volume)
	}
	_, err := fmt.Fprintf(to, "%s: %d triangles, %d vertices, %s (%.2f s)\n", c.Out, r.Triangles, r.Vertices, closed, r.Seconds)
	return err
}
