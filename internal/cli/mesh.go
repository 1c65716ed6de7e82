package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/meshing"
	"github.com/terrane/terrane/internal/usage"
)

type meshCmd struct {
	meshing.Options `embed:""`

	Out    string `short:"o" required:"" help:"File to write; its ending says the format. - is standard output (with --format)." placeholder:"OUT.{glb,stl,obj,ply}"`
	Format string `help:"Format of the output, where its name does not say: glb, stl, obj or ply." placeholder:"F"`
	Up     string `default:"auto" help:"Axis that points up in the output, y or z (default y in GLB and OBJ, z in STL and PLY)." placeholder:"AXIS"`
	Local  bool   `help:"Put the first sample at 0, 0, 0 instead of where the file says that it lies."`
	JSON   bool   `name:"json" help:"Print a report as one line of JSON."`
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

// Run makes the mesh.
func (c *meshCmd) Run(p *program) error {
	start := time.Now()
	defer memory.Bound()()
	out, err := meshing.FindOutput(c.Out, c.Format, c.Input)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	env := meshing.Env{Importer: p.importer(), Ctx: p.ctx, Stderr: p.stderr, AtEnd: p.atEnd}
	from, err := c.Source(env)
	if err != nil {
		return err
	}
	report := meshing.Report{Input: c.Input, Output: c.Out}
	made, err := c.Make(env, from, &report)
	if err != nil {
		return err
	}
	if c.Local {
		made.Origin = [3]float64{}
	}
	if err := made.Turn(c.Up, out.Format); err != nil {
		return err
	}
	if !made.Settle(out.Format) {
		report.Notes = append(report.Notes, fmt.Sprintf("the coordinates of %v have too few digits for where the mesh lies: they count from %v, which its header says",
			out.Format, made.Origin))
	}
	if !c.JSON {
		p.notes(report.Notes)
	}
	if err := c.Measure(made.Mesh, &report); err != nil {
		return err
	}
	ctx, stop := signalContext(p.ctx)
	defer stop()
	if err := out.Write(ctx, p.stdout, p.stderr, made, from.Name); err != nil {
		return err
	}
	report.Seconds = time.Since(start).Seconds()
	return c.report(p, report)
}

// check refuses what is wrong whatever the input is, before it is read.
func (c *meshCmd) check() error {
	if c.Up != "auto" && c.Up != "y" && c.Up != "z" {
		return usage.Errorf("--up %s is neither y nor z", c.Up)
	}
	return c.Check()
}

// report prints what was made.
func (c *meshCmd) report(p *program, r meshing.Report) error {
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
