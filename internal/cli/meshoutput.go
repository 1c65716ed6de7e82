package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/internal/output"
	"github.com/terrane/terrane/internal/progress"
	"github.com/terrane/terrane/internal/usage"
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

// A meshOutput is where a mesh goes and in which format.
type meshOutput struct {
	*output.File
	format codec.Format
}

// output checks where the mesh is to go.
func (c *meshCmd) output() (o meshOutput, err error) {
	name := c.Format
	switch {
	case name == "" && c.Out == "-":
		return o, usage.Errorf("-o - is standard output; --format says in which format: glb, stl, obj or ply")
	case c.Out == "":
		return o, usage.Errorf("-o needs a name, like out.glb")
	case name == "":
		name = strings.TrimPrefix(filepath.Ext(c.Out), ".")
		if name == "" {
			return o, usage.Errorf("-o %s has no ending that says its format: glb, stl, obj or ply; --format does", c.Out)
		}
	}
	if o.format, err = codec.ParseFormat(strings.ToLower(name)); err != nil {
		return o, usage.Errorf("-o %s: %w", c.Out, err)
	}
	o.File, err = output.Find(c.Out, c.Input)
	return o, err
}

// write writes the mesh under another name and gives it its own once it is whole.
func (o meshOutput) write(p *program, g part, name string) error {
	ctx, stop := signalContext(p.ctx)
	defer stop()
	writing := progress.Start(p.stderr, "writing "+filepath.Base(o.Name), codec.Size(o.format, g.m))
	defer writing.End()
	to := func(w io.Writer) error {
		return codec.Write(progress.Watched{Ctx: ctx, Stage: writing, Writer: w}, o.format, g.m, codec.Options{Name: name, Origin: g.origin, Palette: g.palette})
	}
	err := o.Replace(p.stdout, to)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; nothing of %s was written", o.Name)
	}
	return err
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
		return usage.Errorf("--up %s is neither y nor z", up)
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
