package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

type meshCmd struct {
	Input   string   `arg:"" help:"A volume, a heightmap, a world or a document; - is standard input."`
	Out     string   `short:"o" required:"" help:"File to write; its ending says the format. - is standard output (with --format)." placeholder:"OUT.{glb,stl,obj,ply}"`
	Format  string   `help:"Format of the output, where its name does not say: glb, stl, obj or ply." placeholder:"F"`
	Name    string   `help:"What to take standard input for, where its content does not say, like x_256x256x128_uint8.raw." placeholder:"FILE"`
	Iso     string   `default:"auto" help:"Value of a volume's surface, above which it is solid; auto parts the values in two (Otsu) and prints where (default auto)." placeholder:"V"`
	Mesher  string   `default:"marching" help:"For volumes: ${meshers} (default marching)." placeholder:"NAME"`
	Cap     bool     `help:"For volumes: close the surface where it leaves the volume, as though the lowest value lay all around."`
	Base    *float64 `help:"For heightmaps: make a solid block down to this height, for printing." placeholder:"Z"`
	Scale   *float64 `help:"For heightmaps: enlarge heights, not distances (default 1)." placeholder:"S"`
	Nodata  string   `default:"hole" help:"For heightmaps: leave samples without a height out (hole), fill them from their neighbors (fill), or give them this height (default hole)." placeholder:"hole|fill|V"`
	Crop    string   `help:"Part to read, in samples as inspect counts them, ends not included: columns and rows of a heightmap from its northwest corner, like 100:300,0:200, or the three axes of a volume, like 10:90,:,40:." placeholder:"X0:X1,Y0:Y1[,Z0:Z1]"`
	Box     string   `default:"${box}" help:"For worlds and documents: the part to make, in meters along x and z, or along x, y and z; every chunk of 32 m that it touches is made (default ${default})." placeholder:"X0:X1[,Y0:Y1],Z0:Z1"`
	Max     int      `name:"max-samples" help:"How many samples are read (default: as the memory allows, of heightmaps at most 16777216). Of a larger GeoTIFF an overview is." placeholder:"N"`
	Dims    string   `help:"Size of a file without a header, where its name does not say: columns and rows of a heightmap, or the three axes of a volume, the fastest first." placeholder:"X,Y[,Z]"`
	Type    string   `help:"Kind of its samples: int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32 or float64." placeholder:"KIND"`
	Endian  string   `default:"auto" help:"Its byte order: little, big, or auto, which is the one that looks more like measurements (default auto)." placeholder:"ORDER"`
	Threads int      `help:"Threads that march through a volume (default: one for each core)." placeholder:"N"`
	Up      string   `default:"auto" help:"Axis that points up in the output, y or z (default y in GLB and OBJ, z in STL and PLY)." placeholder:"AXIS"`
	Local   bool     `help:"Put the first sample at 0, 0, 0 instead of where the file says that it lies."`
	JSON    bool     `name:"json" help:"Print a report as one line of JSON."`
}

// Help is printed by `terrane mesh --help`.
func (meshCmd) Help() string {
	return `A volume becomes the surface between what is above and below a value; a heightmap becomes its ground, every sample
a vertex. What comes out is in the file's own unit, where it lies and the right way round.

A skull from a scan, closed where the scan ends:
  terrane mesh head.nii.gz --iso 100 --cap -o head.stl

A block of the Alps to print, down to sea level:
  terrane mesh N47E009.hgt --base 0 -o alps.stl

Terrain for a 3-D program, with the holes of the data filled:
  terrane mesh dem.tif --nodata fill -o dem.glb

A raw volume that is not named like x_256x256x128_uint8.raw:
  terrane mesh scan.img --dims 256,256,128 --type int16 --endian big -o scan.glb

A piece of a raster that is larger than memory; inspect tells its size:
  terrane inspect world.tif
  terrane mesh world.tif --crop 9000:11000,4000:5500 -o piece.glb

The middle of a world, with what was dug there and its colors; a document is a world that nobody has dug in yet:
  terrane mesh world.terrane --box -64:64,-64:64 -o middle.glb

In a pipe, with what there is to know about the mesh on standard error:
  curl -s https://example.com/dem.tif | terrane mesh - -o - --format ply --json > dem.ply

Heightmaps: PNG, GeoTIFF, SRTM .hgt, Esri .asc, raw .r16 and .r32. Volumes: NRRD, NIfTI-1, MRC/CCP4, raw. Any of
them gzipped. docs/meshing.md has the details.

The output is written under another name first: a run that fails leaves no part of it, and what was there before.`
}

// A meshReport is what --json prints.
type meshReport struct {
	Input       string   `json:"input"`
	Output      string   `json:"output"`
	Format      string   `json:"format"` // of the input
	Dims        []int    `json:"dims"`
	Low         float32  `json:"low"`
	High        float32  `json:"high"`
	Voids       int      `json:"nans"`
	Iso         *float32 `json:"iso,omitempty"`
	Unit        string   `json:"unit,omitempty"` // of lengths
	Triangles   int      `json:"triangles"`
	Vertices    int      `json:"vertices"`
	Closed      bool     `json:"closed"`             // every edge borders two triangles
	Open        int      `json:"open_edges"`         // those that border one
	NonManifold int      `json:"non_manifold_edges"` // those that border more than two
	Volume      *float64 `json:"volume,omitempty"`   // that it encloses, in the unit cubed
	Seconds     float64  `json:"seconds"`
	Notes       []string `json:"notes,omitempty"` // what had to be decided
}

// Run makes the mesh.
func (c *meshCmd) Run(p *program) error {
	start := time.Now()
	defer memory.Bound()()
	out, err := c.output()
	if err != nil {
		return err
	}
	if err := c.checkFlags(); err != nil {
		return err
	}
	from, err := c.source(p)
	if err != nil {
		return err
	}
	report := meshReport{Input: c.Input, Output: c.Out}
	made, err := c.make(p, from, &report)
	if err != nil {
		return err
	}
	if c.Local {
		made.origin = [3]float64{}
	}
	if err := made.turn(c.Up, out.format); err != nil {
		return err
	}
	if !made.settle(out.format) {
		report.Notes = append(report.Notes, fmt.Sprintf("the coordinates of %v have too few digits for where the mesh lies: they count from %v, which its header says",
			out.format, made.origin))
	}
	if !c.JSON {
		p.notes(report.Notes)
	}
	if err := c.measure(made.m, &report); err != nil {
		return err
	}
	if err := out.write(p, made, from.name); err != nil {
		return err
	}
	report.Seconds = time.Since(start).Seconds()
	return c.report(p, report)
}

// checkFlags refuses what is wrong whatever the input is, before it is read.
func (c *meshCmd) checkFlags() error {
	if c.Threads < 0 || c.Threads > maxThreads {
		return usage.Errorf("--threads %d is outside 0 … %d", c.Threads, maxThreads)
	}
	if _, err := mesher.ParseKind(c.Mesher); err != nil {
		return usage.Errorf("--mesher %s is none of %s", c.Mesher, mesher.KindNames("and"))
	}
	if c.Up != "auto" && c.Up != "y" && c.Up != "z" {
		return usage.Errorf("--up %s is neither y nor z", c.Up)
	}
	return nil
}

// make makes the mesh of what was read.
func (c *meshCmd) make(p *program, from source, report *meshReport) (part, error) {
	defer p.stage("meshing " + from.name)()
	made, err := part{}, error(nil)
	if g := from.ground; g != nil {
		made, err = c.meshGround(p, g, report)
	} else if v := from.volume; v != nil {
		report.Format, report.Dims, report.Unit, report.Notes = v.Format, slices.Clone(v.Dims[:]), v.Unit, v.Notes
		report.Low, report.High, report.Voids, _ = v.Range()
		if report.Voids > 0 {
			report.Notes = append(report.Notes, fmt.Sprintf("%d of %d samples are NaN, which counts as air", report.Voids, len(v.Values)))
		}
		made, err = c.meshVolume(p, v, report)
	} else {
		h := from.heights
		report.Format, report.Dims, report.Notes = h.Format, []int{h.Width, h.Height}, h.Notes
		report.Low, report.High, report.Voids, _ = h.Range()
		if h.MetersX > 0 {
			report.Unit = "m"
		}
		if report.Voids > 0 {
			does := map[string]string{"hole": "are left out", "fill": "get one from their neighbors"}[c.Nodata]
			if does == "" {
				does = "get " + c.Nodata
			}
			report.Notes = append(report.Notes, fmt.Sprintf("%d of %d samples have no height and %s", report.Voids, len(h.Values), does))
		}
		made, err = c.meshHeights(h)
	}
	return made, err
}

// measure reports what there is to know about a mesh.
func (c *meshCmd) measure(m *mesh.Mesh, report *meshReport) error {
	facts, err := c.check(m)
	if err != nil {
		return fmt.Errorf("the mesh of %s: %w", c.Input, err)
	}
	report.Triangles, report.Vertices, report.Closed = facts.Triangles, m.Vertices(), facts.Closed()
	report.Open, report.NonManifold = facts.Open, facts.NonManifold
	if facts.Open == 0 && facts.Balanced() {
		report.Volume = &facts.Volume
	}
	return nil
}

// check returns the statistics of a mesh. Where a mesher shares no vertices, so that edges are sharp,
// whether it is closed shows once equal positions are one vertex.
func (c *meshCmd) check(m *mesh.Mesh) (mesh.Stats, error) {
	if kind, err := mesher.ParseKind(c.Mesher); err == nil && !kind.SharesVertices() {
		m = &mesh.Mesh{Positions: slices.Clone(m.Positions), Indices: slices.Clone(m.Indices)}
		m.Weld()
	}
	return m.Check()
}

// notes says what a reader had to decide, on standard error: a log's times and levels are for what goes on running.
func (p *program) notes(notes []string) {
	for _, n := range notes {
		fmt.Fprintf(p.stderr, "note: %s\n", n)
	}
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
	closed := fmt.Sprintf("open (%d edges border one triangle)", r.Open)
	unit := ""
	if r.Unit != "" {
		unit = " " + r.Unit + "³"
	}
	switch {
	case r.Closed:
		closed = fmt.Sprintf("closed, volume %.6g%s", *r.Volume, unit)
	case r.Volume != nil:
		closed = fmt.Sprintf("closed but touching itself along %d edges, volume %.6g%s", r.NonManifold, *r.Volume, unit)
	}
	_, err := fmt.Fprintf(to, "%s: %d triangles, %d vertices, %s (%.2f s)\n", c.Out, r.Triangles, r.Vertices, closed, r.Seconds)
	return err
}
