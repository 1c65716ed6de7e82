// Package meshing makes meshes of what terrane mesh is given: the surface of a volume, the ground of a heightmap, a part
// of a world or of a document. Its messages name the command's flags.
package meshing

import (
	"context"
	"fmt"
	"io"

	"github.com/terrane/terrane/internal/importer"
)

// An Env is the environment that a mesh is made in.
type Env struct {
	importer.Importer
	Ctx    context.Context
	Stderr io.Writer          // for progress and notes
	AtEnd  func(func() error) // has a function called when the mesh is written
}

// note says what had to be decided, on standard error.
func (p Env) note(text string) { fmt.Fprintf(p.Stderr, "note: %s\n", text) }
