package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/document/printer"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/progress"
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
		return p.inspectVolume(v)
	}
	return p.inspectHeightmap(h)
}

// oneLine returns text from a file of other people's so that it stays in its line and its place on a terminal.
func oneLine(s string) string {
	const most = 300
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return document.Visible(strings.NewReplacer("\n", " ", "\t", " ").Replace(s))
}

// facts prints names and values in two columns. It leaves out those without a value.
func (p *program) facts(pairs ...string) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		if _, err := fmt.Fprintf(p.stdout, "%-12s %s\n", pairs[i], document.Visible(pairs[i+1])); err != nil {
			return err
		}
	}
	return nil
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

// printText prints a document byte for byte, but to a terminal without what would control that.
func (p *program) printText(text string) error {
	if progress.Terminal(p.stdout) {
		text = document.Visible(text)
	}
	_, err := io.WriteString(p.stdout, text)
	return err
}

func (p *program) inspectHeightmap(h *ingest.Heightmap) error {
	low, high, voids, ok := h.Range()
	heights, unit := "none: all samples are void", ""
	if h.Meters {
		unit = " m"
	}
	if ok {
		heights = fmt.Sprintf("%v … %v%s", low, high, unit)
	}
	spacing := ""
	if h.MetersX > 0 {
		spacing = fmt.Sprintf("%.5g × %.5g m (east–west × north–south)", h.MetersX, h.MetersZ)
	}
	place := ""
	if h.OriginX != 0 || h.OriginZ != 0 {
		place = fmt.Sprintf("first sample at %.10g m east, %.10g m north", h.OriginX, 0-h.OriginZ)
	}
	return p.facts("file", "a heightmap: "+h.Format, "samples", fmt.Sprintf("%d×%d of %v", h.Width, h.Height, h.Kind),
		"heights", heights, "voids", fmt.Sprint(voids), "spacing", spacing, "place", place, "notes", strings.Join(h.Notes, "\n             "))
}

func (p *program) inspectVolume(v *ingest.Volume) error {
	low, high, nans, ok := v.Range()
	values := "none: all samples are NaN"
	if ok {
		values = fmt.Sprintf("%v … %v", low, high)
	}
	return p.facts("file", "a volume: "+v.Format, "samples", fmt.Sprintf("%d×%d×%d of %v", v.NX, v.NY, v.NZ, v.Kind),
		"values", values, "NaNs", fmt.Sprint(nans), "spacing", spacingText(v), "place", strings.TrimSpace("first sample at "+placeText("%.6g", v.Origin)+" "+v.Unit),
		"mirrored", map[bool]string{true: "yes", false: "no"}[v.Mirrored()], "notes", strings.Join(v.Notes, "\n             "))
}

// spacingText says how far apart samples are along the axes of the lattice, and where those lead if not along x, y and z.
func spacingText(v *ingest.Volume) string {
	var lengths, ways [3]string
	upright := true
	for i, s := range v.Step {
		lengths[i] = fmt.Sprintf("%.5g", math.Sqrt(s[0]*s[0]+s[1]*s[1]+s[2]*s[2]))
		ways[i] = placeText("%.5g", s)
		upright = upright && s[i] > 0 && s[(i+1)%3] == 0 && s[(i+2)%3] == 0
	}
	unit := v.Unit
	if unit == "" {
		unit = "(the file has no unit)"
	}
	text := strings.Join(lengths[:], " × ") + " " + unit
	if !upright {
		text += ", along " + strings.Join(ways[:], " and ")
	}
	return text
}

// placeText writes three numbers.
func placeText(format string, p [3]float64) string {
	var words [3]string
	for i, v := range p {
		words[i] = fmt.Sprintf(format, v+0) // + 0, since −0 is no place
	}
	return "(" + strings.Join(words[:], ", ") + ")"
}
