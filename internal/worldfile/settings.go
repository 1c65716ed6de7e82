package worldfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/usage"
)

// Flags say what a new world is made from. Those not given are nil or empty.
type Flags struct {
	Template     string        `help:"What the ground is: ${templates} (default hills)." placeholder:"NAME"`
	Document     string        `help:"Ground from a document instead (docs/fields.md teaches to write them)." placeholder:"DOC.yaml"`
	Set          usage.Params  `help:"Give a parameter of the document another value." placeholder:"NAME=V"`
	Seed         *int64        `help:"Which world of the kind: every number makes another (default: the document's, which is 1 as a rule)." placeholder:"N"`
	Heightmap    string        `help:"Ground from a file instead: PNG (16-bit best), SRTM .hgt, GeoTIFF, Esri .asc, raw .r16 or .r32." placeholder:"FILE"`
	SampleMeters usage.Numbers `help:"Meters between the heightmap's samples east to west and, if another, north to south (default: as the file says, else 1)." placeholder:"X[,Z]"`
	HeightRange  usage.Numbers `help:"Heights in meters of the lowest and highest number an image can hold (default: 1 m a step)." placeholder:"MIN,MAX"`
	Scale        *float64      `help:"Shrinks or enlarges the heightmap's landscape in all directions: 0.1 makes 10 km one (default 1)." placeholder:"S"`
}

// Check refuses flags that are wrong whether or not the world is there.
func (f Flags) Check() error {
	templates := document.TemplateNames()
	known := slices.Contains(templates, f.Template)
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	switch {
	case f.Template != "" && !known:
		return usage.Errorf("--template %s is unknown; there are %s", f.Template, strings.Join(templates, ", "))
	case f.Template != "" && f.Heightmap != "":
		return usage.Errorf("--template %s and --heightmap %s are two kinds of ground; give one", f.Template, f.Heightmap)
	case f.Template != "" && f.Document != "":
		return usage.Errorf("--template %s and the document %s are two kinds of ground; give one", f.Template, f.Document)
	case f.Document != "" && f.Heightmap != "":
		return usage.Errorf("the document %s and --heightmap %s are two kinds of ground; give one (a document names heightmaps under assets)", f.Document, f.Heightmap)
	case f.Set != nil && f.Document == "":
		return usage.Errorf("--set is for the parameters of a document; give one with --document FILE")
	case f.Seed != nil && f.Template != "" && !seeded(f.Template):
		return usage.Errorf("--seed is for ground made of noise; %s has none", f.Template)
	case f.Seed != nil && f.Heightmap != "":
		return usage.Errorf("--seed is for ground made of noise; a heightmap has none")
	case f.Scale != nil && !(*f.Scale >= 1e-4 && *f.Scale <= 1e4):
		return usage.Errorf("--scale %v is outside 0.0001 … 10000", *f.Scale)
	}
	for _, v := range f.SampleMeters {
		if !(v >= 1e-3 && v <= 1e6) {
			return usage.Errorf("--sample-meters %v is outside 0.001 … 1000000", v)
		}
	}
	for _, v := range f.HeightRange {
		if !finite(v) || math.Abs(v) > 1e6 {
			return usage.Errorf("--height-range %v is outside −1000000 … 1000000", v)
		}
	}
	return nil
}

// seeded reports whether a template has noise.
func seeded(template string) bool {
	d, err := document.Parse(template, document.Template(template), document.Options{})
	return err == nil && d.Seeded
}

// Settings describe what a world was made from; its file keeps them as JSON.
type Settings struct {
	Template  string                    `json:"template,omitempty"`
	Seed      *int64                    `json:"seed,omitempty"`
	Heightmap *importer.HeightmapSource `json:"heightmap,omitempty"`
	Document  *DocumentSource           `json:"document,omitempty"`
}

// ParseSettings reads settings as a world keeps them.
func ParseSettings(data []byte) (s Settings, err error) {
	err = json.Unmarshal(data, &s)
	return s, err
}

// String names the settings as flags would.
func (s Settings) String() string {
	switch {
	case s.Heightmap != nil:
		return fmt.Sprintf("--heightmap %s --scale %v", s.Heightmap.File, s.Heightmap.Scale)
	case s.Template == "" && s.Document != nil:
		var flags strings.Builder
		flags.WriteString("--document " + s.Document.File)
		for _, name := range slices.Sorted(maps.Keys(s.Document.Set)) {
			flags.WriteString(fmt.Sprintf(" --set %s=%s", name, s.Document.Set[name]))
		}
		return flags.String() + s.seedFlag()
	}
	return "--template " + s.Template + s.seedFlag()
}

func (s Settings) seedFlag() string {
	if s.Seed == nil {
		return ""
	}
	return fmt.Sprintf(" --seed %d", *s.Seed)
}

// A DocumentSource says which document a world was made from. It is kept with the world.
type DocumentSource struct {
	File   string            `json:"file,omitempty"` // its name, without the folder; empty for a template
	SHA256 string            `json:"sha256"`         // of the text
	Set    map[string]string `json:"set,omitempty"`  // parameters that were given other values
	Text   string            `json:"text"`
}

// contradictions lists the flags that ask for another world than the one with these settings, each with
// both values.
func (s Settings) contradictions(f Flags) ([]string, error) {
	var list []string
	differ := func(flag string, asked, has any) {
		list = append(list, fmt.Sprintf("%s %v was asked for; the world has %v", flag, asked, has))
	}
	if f.Template != "" && f.Template != s.Template {
		differ("--template", f.Template, s.Ground())
	}
	if f.Seed != nil && (s.Seed == nil || *f.Seed != *s.Seed) {
		differ("--seed", *f.Seed, s.seed())
	}
	h := s.Heightmap
	if h == nil {
		if f.Heightmap != "" {
			differ("--heightmap", filepath.Base(f.Heightmap), s.Ground())
		} else if f.SampleMeters != nil || f.HeightRange != nil || f.Scale != nil {
			list = append(list, "--sample-meters, --height-range and --scale are for a heightmap; the world has "+s.Ground())
		}
		return list, nil
	}
	if f.Heightmap != "" {
		sum, err := hashFile(f.Heightmap)
		if err != nil {
			return nil, err
		}
		if sum != h.SHA256 {
			differ("--heightmap", fmt.Sprintf("%s (SHA-256 %.12s…)", filepath.Base(f.Heightmap), sum), fmt.Sprintf("%s (SHA-256 %.12s…)", h.File, h.SHA256))
		}
	}
	if asked, ok := pair(f.SampleMeters); ok && asked != h.SampleMeters {
		differ("--sample-meters", asked, h.SampleMeters)
	}
	if asked, ok := pair(f.HeightRange); ok && (h.HeightRange == nil || asked != *h.HeightRange) {
		if h.HeightRange == nil {
			differ("--height-range", asked, "none")
		} else {
			differ("--height-range", asked, *h.HeightRange)
		}
	}
	if f.Scale != nil && *f.Scale != h.Scale {
		differ("--scale", *f.Scale, h.Scale)
	}
	return list, nil
}

// Ground says what the world's ground is.
func (s Settings) Ground() string {
	switch {
	case s.Heightmap != nil:
		return "the heightmap " + s.Heightmap.File
	case s.Template == "" && s.Document != nil:
		return "the document " + s.Document.File
	}
	return s.Template
}

func (s Settings) seed() string {
	if s.Seed == nil {
		return "none"
	}
	return fmt.Sprint(*s.Seed)
}

// pair returns a flag of one or two numbers, the one standing for both. ok is false for a flag not given.
func pair(v []float64) (p [2]float64, ok bool) {
	switch len(v) {
	case 1:
		return [2]float64{v[0], v[0]}, true
	case 2:
		return [2]float64{v[0], v[1]}, true
	}
	return p, false
}
