package cli

import (
	"errors"
	"path/filepath"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/groundcheck"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/usage"
)

type checkCmd struct {
	Document string       `arg:"" help:"The document: YAML or JSON."`
	Seed     *int64       `help:"Instead of the document's." placeholder:"N"`
	Set      usage.Params `help:"Give a parameter another value." placeholder:"NAME=V"`
	Radius   int          `default:"8" help:"How far from the middle bounds are taken, in chunks of 32 m (default ${default})." placeholder:"N"`
	Cost     bool         `default:"true" negatable:"" help:"Measure what each node costs (on by default)."`
	JSON     bool         `name:"json" help:"Print one JSON object: what is wrong, or the nodes."`
}

// Help is printed by `terrane check --help`.
func (checkCmd) Help() string {
	return `Says all that is wrong with a document, each mistake by line and column with what would be right, and exits with
status 2. Of a document that is right it prints the graph: what each node is, what it reads, between which values
it lies within --radius of the middle, and how long it takes, by the sample or, where it is the same at all
heights, by the column. (Nanoseconds are this machine's, for one thread.)

  terrane check valley.yaml
  terrane check valley.yaml --set depth=90
  terrane check valley.yaml --json

A node marked "far" is a coordinate in a 32-bit number that is still seen over 2²⁰ m from where it is measured from,
where its steps are larger than ⅛ m. One that a clamp or a curve holds still that far out is exact. Noise, shapes and heightmaps are exact everywhere.`
}

// Run checks the document.
func (c *checkCmd) Run(p *program) error {
	if c.Radius < 1 || c.Radius > 64 {
		return usage.Errorf("--radius %d is outside 1 … 64", c.Radius)
	}
	src, err := importer.ReadDocument(c.Document)
	if err != nil {
		return err
	}
	d, err := p.importer().Compile(c.Document, filepath.Dir(c.Document), src, document.Options{Seed: c.Seed, Set: c.Set})
	if err != nil {
		if c.JSON {
			return errors.Join(p.printJSON(groundcheck.Bad(c.Document, err)), err)
		}
		return err
	}
	o := groundcheck.Options{File: c.Document, Radius: c.Radius, Cost: c.Cost}
	end := p.stage("checking " + c.Document)
	report, err := groundcheck.New(p.ctx, d, o)
	end()
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(report)
	}
	return report.Print(p.stdout, d, o)
}
