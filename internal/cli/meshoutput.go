package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/mesh"
)

// A part is a mesh to be written and where it lies.
type part struct {
	m      *mesh.Mesh
	origin [3]float64 // of m's coordinates
	zUp    bool       // m's third axis points up, else its second
	step   float64    // the shortest way between two samples, in m's unit
	smooth bool       // vertices are shared, so that those in one place are one
	// palette has the colors of m's materials, if it has some.
	palette [][3]uint8
}

// An output is where a mesh goes, checked before any work is done.
type output struct {
	name   string // as given
	file   string // the file behind it, links followed; empty if it is written to as it stands
	format codec.Format
	mode   fs.FileMode // of the file that is replaced, or of a new one
}

// output checks where the mesh is to go.
func (c *meshCmd) output() (output, error) {
	o := output{name: c.Out, mode: 0o644}
	name := c.Format
	switch {
	case name == "" && c.Out == "-":
		return o, badInput("-o - is standard output; --format says in which format: glb, stl, obj or ply")
	case c.Out == "":
		return o, badInput("-o needs a name, like out.glb")
	case name == "":
		name = strings.TrimPrefix(filepath.Ext(c.Out), ".")
		if name == "" {
			return o, badInput("-o %s has no ending that says its format: glb, stl, obj or ply; --format does", c.Out)
		}
	}
	var err error
	if o.format, err = codec.ParseFormat(strings.ToLower(name)); err != nil {
		return o, badInput("-o %s: %w", c.Out, err)
	}
	return o, o.find(c.Input)
}

// find finds the file behind the output's name and checks that it can be written, and is not the input.
func (o *output) find(input string) error {
	if o.name == "-" {
		return nil
	}
	o.file = o.name
	if target, err := filepath.EvalSymlinks(o.name); err == nil {
		o.file = target
	}
	switch info, err := os.Stat(o.file); {
	case errors.Is(err, fs.ErrNotExist):
		if info, err := os.Stat(filepath.Dir(o.file)); err != nil || !info.IsDir() {
			return badInput("-o %s: there is no folder %s", o.name, filepath.Dir(o.file))
		}
	case err != nil:
		return badInput("-o: %w", err)
	case info.IsDir():
		return badInput("-o %s is a folder; name a file in it", o.name)
	case info.Mode().IsRegular():
		o.mode = info.Mode().Perm()
		if in, err := os.Stat(input); err == nil && os.SameFile(in, info) {
			return badInput("-o %s is the input itself", o.name)
		}
	default: // a device or a pipe cannot be replaced
		o.file = ""
	}
	return nil
}

// write writes the mesh under another name and gives it its own once it is whole.
func (o output) write(p *program, g part, name string) error {
	ctx, stop := signalContext(p.ctx)
	defer stop()
	writing := p.progress("writing "+filepath.Base(o.name), codec.Size(o.format, g.m))
	defer writing.end()
	to := func(w io.Writer) error {
		return codec.Write(watched{ctx: ctx, stage: writing, Writer: w}, o.format, g.m, codec.Options{Name: name, Origin: g.origin, Palette: g.palette})
	}
	err := o.replace(p.stdout, to)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; nothing of %s was written", o.name)
	}
	return err
}

// replace lets f write to where o is: straight to standard output, a device or a pipe, else to a file of another name
// in the same folder, which takes o's name if f succeeds and is removed if it does not.
func (o output) replace(stdout io.Writer, f func(io.Writer) error) (err error) {
	if o.name == "-" {
		return f(stdout)
	}
	failed := func(err error) error {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err // without the name of the file that is gone
		}
		return fmt.Errorf("writing %s: %w", o.name, err)
	}
	if o.file == "" {
		out, err := os.OpenFile(o.name, os.O_WRONLY, 0)
		if err != nil {
			return badInput("cannot write %s: %w", o.name, err)
		}
		if err := errors.Join(f(out), out.Close()); err != nil {
			return failed(err)
		}
		return nil
	}
	out, err := os.CreateTemp(filepath.Dir(o.file), "."+filepath.Base(o.file)+"-*")
	if err != nil {
		return badInput("cannot write %s: %w", o.name, err)
	}
	defer func() {
		if err != nil {
			out.Close() // which may be the second time
			err = errors.Join(failed(err), os.Remove(out.Name()))
		}
	}()
	if err := f(out); err != nil {
		return err
	}
	if err := out.Chmod(o.mode); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), o.file)
}

// fineness is into how many parts of a step a 32-bit coordinate must be able to cut it.
const fineness = 4096

// settle moves the mesh to where it lies, if the format has no other way to say that and 32 bits do for it, and cleans
// up what rounding did. It reports whether the mesh is where it lies.
func (g *part) settle(f codec.Format) bool {
	settled := true
	if (f == codec.STL || f == codec.PLY) && g.origin != [3]float64{} {
		if settled = g.fits(); settled {
			for i, v := range g.m.Positions {
				g.m.Positions[i] = float32(g.origin[i%3] + float64(v))
			}
			g.origin = [3]float64{}
		}
	}
	if g.smooth {
		g.m.Weld()
		g.m.LiftFlat()
	}
	return settled
}

// fits reports whether 32-bit coordinates are fine enough where the mesh lies.
func (g *part) fits() bool {
	most := 0.0
	for i, v := range g.m.Positions {
		most = max(most, math.Abs(g.origin[i%3]+float64(v)))
	}
	return most/(1<<24) <= g.step/fineness
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
