package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
)

type newCmd struct {
	World string `arg:"" optional:"" help:"The world's file, which must not be there yet."`
	Print bool   `help:"Make nothing: print the template's document, to start your own from."`

	worldfile.Flags `embed:""`
}

// Help is printed by `terrane new --help`.
func (newCmd) Help() string {
	var b strings.Builder
	b.WriteString(`The world is one file. It keeps the document that it was made from, the files that the document reads, and later
every edit.

  terrane new isles.terrane --template islands --seed 7
  terrane new valley.terrane --document valley.yaml

To write a world of your own, start from a template's document:
  terrane new --print --template canyon > valley.yaml
  terrane check valley.yaml
  terrane preview valley.yaml -o valley.png
  terrane serve valley.yaml

Templates:
`)
	for _, name := range document.TemplateNames() {
		fmt.Fprintf(&b, "  %-9s %s\n", name, document.About(document.Template(name)))
	}
	return strings.TrimRight(b.String(), "\n")
}

// Run makes the world.
func (c *newCmd) Run(p *program) error {
	if err := c.Check(); err != nil {
		return err
	}
	if c.Print {
		return c.print(p)
	}
	if c.World == "" {
		return usage.Errorf("name the world's file, like terrane new valley.terrane (or --print to see a template's document)")
	}
	if importer.IsDocument(c.World) {
		return usage.Errorf("%s is the name of a document; name the world's file, like terrane new valley.terrane --document %s", c.World, c.World)
	}
	if _, err := os.Stat(c.World); err == nil {
		return usage.Errorf("%s is there already; name another file, or serve it: terrane serve %s", c.World, c.World)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return usage.Errorf("cannot make the world: %w", err)
	}
	store, err := p.maker().Create(c.World, c.Flags)
	if err != nil {
		return err
	}
	meta := store.Meta()
	if err := store.Close(); err != nil {
		return err
	}
	made, err := worldfile.ParseSettings(meta.Settings)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "Made %s of %s.\n\n  terrane serve %s\n      serves it to browsers\n  terrane preview %s -o map.png\n      draws a map of it\n",
		c.World, made.Ground(), c.World, c.World)
	return err
}

// seedLine is where a template says its seed, if it has another than 1.
var seedLine = regexp.MustCompile(`(?m)^seed: .*\n`)

// print prints the template's document.
func (c *newCmd) print(p *program) error {
	switch {
	case c.World != "":
		return usage.Errorf("--print makes no world; leave %s out", c.World)
	case c.Document != "" || c.Heightmap != "":
		return usage.Errorf("--print is for templates")
	}
	name := c.Template
	if name == "" {
		name = document.TemplateNames()[0]
	}
	text := string(document.Template(name))
	text = strings.Replace(text, "$schema=../../../docs/terrane.schema.json", "$schema=terrane.schema.json", 1)
	if c.Seed != nil {
		text = seedLine.ReplaceAllString(text, "")
		text = strings.Replace(text, "\nterrane: 1\n", fmt.Sprintf("\nterrane: 1\nseed: %d\n", *c.Seed), 1)
	}
	_, err := fmt.Fprint(p.stdout, text)
	return err
}
