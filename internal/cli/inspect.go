package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/document/printer"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/open"
)

type inspectCmd struct {
	File     string `arg:"" help:"A world, a heightmap or a volume."`
	Document bool   `help:"Print the document that a world was made from, and nothing else."`
}

// Help is printed by `terrane inspect --help`.
func (inspectCmd) Help() string {
	return `Prints what a file is, and changes nothing:

  terrane inspect world.terrane
  terrane inspect world.terrane --document > world.yaml
  terrane inspect N47E009.hgt`
}

// Run prints what the file is.
func (c inspectCmd) Run(p *program) error {
	store, err := open.World(c.File, true)
	if err == nil {
		show := p.inspectWorld
		if c.Document {
			show = p.printDocument
		}
		return errors.Join(show(store), store.Close())
	}
	if !errors.Is(err, worldlog.ErrNotWorld) {
		return worldfile.OpenError(err)
	}
	defer memory.Bound()()
	if c.Document {
		return usage.Errorf("%s is no world, and --document prints that of a world", c.File)
	}
	f, closeFile, err := importer.Open(c.File)
	if err != nil {
		return err
	}
	defer closeFile()
	v, h, err := importer.Read(f, ingest.Options{Beside: importer.Beside(c.File)}, 0)
	switch {
	case err != nil:
		return usage.Errorf("%w", err)
	case v != nil:
		return p.facts(importer.DescribeVolume(v)...)
	}
	return p.facts(importer.DescribeHeightmap(h)...)
}

func (p *program) inspectWorld(store worldlog.Store) error {
	m := store.Meta()
	made, err := worldfile.ParseSettings(m.Settings)
	if err != nil {
		return usage.Errorf("its settings cannot be read: %w", err)
	}
	snapshot := ""
	if s, err := store.LatestSnapshot(p.ctx, 0); err == nil {
		snapshot = fmt.Sprintf("as of entry %d, %d bricks", s.Seq, len(s.Pieces))
	}
	return p.facts("file", "a world", "name", oneLine(m.Name), "identity", fmt.Sprintf("%x", m.World), "made", m.Created.Format(time.RFC3339),
		"ground", oneLine(made.String()), "entries", fmt.Sprint(store.Head()), "snapshot", snapshot,
		"document", m.Document.String(), "assets", fmt.Sprint(len(m.Assets)))
}

// printDocument prints the document of a world: the one that it was made from, else one that gives the same graph.
func (p *program) printDocument(store worldlog.Store) error {
	m := store.Meta()
	made, err := worldfile.ParseSettings(m.Settings)
	if err != nil {
		return usage.Errorf("its settings cannot be read: %w", err)
	}
	if made.Document != nil {
		return p.printText(made.Document.Text)
	}
	data, err := store.Content(p.ctx, m.Document)
	if err != nil {
		return err
	}
	graph, err := graph.Parse(data)
	if err != nil {
		return usage.Errorf("its graph cannot be read: %w", err)
	}
	text, err := printer.Print(graph, printer.Options{Name: m.Name, Comment: "Printed from the graph of a world that was made of " + oneLine(made.String())})
	if err != nil {
		return err
	}
	return p.printText(string(text))
}
