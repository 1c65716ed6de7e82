package meshing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/terrane/terrane/codec"
	"github.com/terrane/terrane/internal/output"
	"github.com/terrane/terrane/internal/progress"
	"github.com/terrane/terrane/internal/usage"
)

// An Output is the destination of a mesh and its format.
type Output struct {
	*output.File
	Format codec.Format
}

// FindOutput returns where a mesh goes: the file out, or standard output for "-". format says in which format if the
// name does not. It returns an error if the file cannot be written or is the input.
func FindOutput(out, format, input string) (o Output, err error) {
	name := format
	switch {
	case name == "" && out == "-":
		return o, usage.Errorf("-o - is standard output; --format says in which format: glb, stl, obj or ply")
	case out == "":
		return o, usage.Errorf("-o needs a name, like out.glb")
	case name == "":
		name = strings.TrimPrefix(filepath.Ext(out), ".")
		if name == "" {
			return o, usage.Errorf("-o %s has no ending that says its format: glb, stl, obj or ply; --format does", out)
		}
	}
	if o.Format, err = codec.ParseFormat(strings.ToLower(name)); err != nil {
		return o, usage.Errorf("-o %s: %w", out, err)
	}
	o.File, err = output.Find(out, input)
	return o, err
}

// Write writes the mesh under another name and gives it its own once it is whole.
func (o Output) Write(ctx context.Context, stdout, stderr io.Writer, g Part, name string) error {
	writing := progress.Start(stderr, "writing "+filepath.Base(o.Name), codec.Size(o.Format, g.Mesh))
	defer writing.End()
	to := func(w io.Writer) error {
		return codec.Write(progress.Watched{Ctx: ctx, Stage: writing, Writer: w}, o.Format, g.Mesh, codec.Options{Name: name, Origin: g.Origin, Palette: g.Palette})
	}
	err := o.Replace(stdout, to)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; nothing of %s was written", o.Name)
	}
	return err
}
