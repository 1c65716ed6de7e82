package cli

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/output"
	"github.com/terrane/terrane/internal/preview"
	"github.com/terrane/terrane/internal/replica"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldfile"
	"github.com/terrane/terrane/internal/worldlog/open"
	"github.com/terrane/terrane/lattice"
)

type previewCmd struct {
	World    string        `arg:"" optional:"" help:"A document or a world; leave it out with --template."`
	Template string        `help:"A template instead: ${templates}." placeholder:"NAME"`
	Out      string        `short:"o" default:"map.png" help:"Picture to write (default ${default})." placeholder:"MAP.png"`
	Seed     *int64        `help:"Instead of the document's." placeholder:"N"`
	Set      usage.Params  `help:"Give a parameter of the document another value." placeholder:"NAME=V"`
	Size     string        `default:"900x600" help:"Size of the map in pixels (default ${default}); margins and slices come on top." placeholder:"WxH"`
	Center   usage.Numbers `help:"Middle of the map: x and z in meters (default 0,0)." placeholder:"X,Z"`
	Meters   float64       `default:"1" help:"Meters in a pixel (default ${default})." placeholder:"M"`
	Plain    bool          `help:"The map alone, without slices and legend."`
	Heights  bool          `help:"Color by height even where there are materials."`
}

// Help is printed by `terrane preview --help`.
func (previewCmd) Help() string {
	return `A map as seen from above, lit from the northwest, with contours and, below and beside it, slices down into the ground
along the two dashed lines: caves show there. Colors are those of the materials, or of heights. Edits that were made
in a world are not on it.

  terrane preview valley.yaml -o valley.png
  terrane preview --template islands --seed 7 --meters 4 -o isles.png
  terrane preview world.terrane --center 1200,-300 --size 1200x800 -o map.png`
}

// Limits of a preview.
const (
	maxPreviewSide   = 4096
	maxPreviewMeters = 512
)

// Run draws the picture.
func (c *previewCmd) Run(p *program) error {
	s, err := c.config()
	if err != nil {
		return err
	}
	out, err := output.Find(c.Out, c.World)
	if err != nil {
		return err
	}
	if s.Ground, s.Title, s.About, err = c.open(p); err != nil {
		return err
	}
	end := p.stage("drawing " + c.Out)
	img, summary := preview.Draw(s)
	end()
	var data bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&data, img); err != nil {
		return err
	}
	err = out.Replace(p.stdout, func(w io.Writer) error { _, err := w.Write(data.Bytes()); return err })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s: %d×%d pixels, %s\n", c.Out, img.Rect.Dx(), img.Rect.Dy(), summary)
	return err
}

// config checks the flags.
func (c *previewCmd) config() (s preview.Config, err error) {
	s = preview.Config{Meters: c.Meters, Plain: c.Plain, ByHeight: c.Heights}
	width, height, _ := strings.Cut(strings.ToLower(c.Size), "x")
	var err1, err2 error
	s.Width, err1 = strconv.Atoi(width)
	s.Height, err2 = strconv.Atoi(height)
	if err1 != nil || err2 != nil || min(s.Width, s.Height) < 64 || max(s.Width, s.Height) > maxPreviewSide {
		return s, usage.Errorf("--size %s is not WIDTHxHEIGHT in pixels, 64 … %d each, like 900x600", c.Size, maxPreviewSide)
	}
	if !(c.Meters >= 0.05 && c.Meters <= maxPreviewMeters) {
		return s, usage.Errorf("--meters %v is outside 0.05 … %d meters in a pixel", c.Meters, maxPreviewMeters)
	}
	reach := lattice.Limit - maxPreviewMeters*float64(maxPreviewSide)
	switch len(c.Center) {
	case 0:
	case 2:
		s.X, s.Z = c.Center[0], c.Center[1]
		if !(math.Abs(s.X) <= reach && math.Abs(s.Z) <= reach) {
			return s, usage.Errorf("--center %v,%v is outside ±%.0f m", s.X, s.Z, reach)
		}
	default:
		return s, usage.Errorf("--center is x and z in meters, like 1200,-300")
	}
	if ext := strings.ToLower(filepath.Ext(c.Out)); ext != ".png" {
		return s, usage.Errorf("-o %s: pictures are PNG; name it like map.png", c.Out)
	}
	return s, nil
}

// open returns the ground to draw, its name and what it says about itself.
func (c *previewCmd) open(p *program) (ground field.Terrain, title, about string, err error) {
	opt := document.Options{Seed: c.Seed, Set: c.Set}
	var src []byte
	switch {
	case (c.World == "") == (c.Template == ""):
		return nil, "", "", usage.Errorf("name a document or a world, or a template with --template")
	case c.Template != "":
		if !slices.Contains(document.TemplateNames(), c.Template) {
			return nil, "", "", usage.Errorf("--template %s is unknown; there are %s", c.Template, strings.Join(document.TemplateNames(), ", "))
		}
		src = document.Template(c.Template)
		c.World = c.Template
	case importer.IsDocument(c.World):
		if src, err = importer.ReadDocument(c.World); err != nil {
			return nil, "", "", err
		}
	default:
		if c.Seed != nil || c.Set != nil {
			return nil, "", "", usage.Errorf("--seed and --set are for documents; %s is a world, which is what it is", c.World)
		}
		return openGround(p, c.World)
	}
	d, err := p.importer().Compile(c.World, filepath.Dir(c.World), src, opt)
	if err != nil {
		return nil, "", "", err
	}
	title = d.Doc.Name
	if title == "" {
		title = strings.TrimSuffix(filepath.Base(c.World), filepath.Ext(c.World))
	}
	if d.Doc.Seeded && c.Seed != nil {
		title += fmt.Sprintf(" · seed %d", d.Doc.Seed)
	}
	return d.Ground, title, d.Doc.About, nil
}

// openGround compiles the graph of a world.
func openGround(p *program, name string) (ground field.Terrain, title, about string, err error) {
	store, err := open.World(name, true)
	if err != nil {
		return nil, "", "", worldfile.OpenError(err)
	}
	p.atEnd(store.Close) // tiles are read as the map is drawn
	m := store.Meta()
	if ground, err = replica.Terrain(p.ctx, store); err != nil {
		return nil, "", "", usage.Errorf("cannot read %s: %w", name, err)
	}
	made, err := worldfile.ParseSettings(m.Settings)
	if err != nil {
		return nil, "", "", usage.Errorf("the settings kept in %s cannot be read: %w", name, err)
	}
	return ground, m.Name, made.String(), nil
}
