package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/usage"
)

// worldFlags say what a new world is made from. Those not given are nil or empty.
type worldFlags struct {
	Template     string   `help:"What the ground is: ${templates} (default hills)." placeholder:"NAME"`
	Document     string   `help:"Ground from a document instead (docs/fields.md teaches to write them)." placeholder:"DOC.yaml"`
	Set          params   `help:"Give a parameter of the document another value." placeholder:"NAME=V"`
	Seed         *int64   `help:"Which world of the kind: every number makes another (default: the document's, which is 1 as a rule)." placeholder:"N"`
	Heightmap    string   `help:"Ground from a file instead: PNG (16-bit best), SRTM .hgt, GeoTIFF, Esri .asc, raw .r16 or .r32." placeholder:"FILE"`
	SampleMeters numbers  `help:"Meters between the heightmap's samples east to west and, if another, north to south (default: as the file says, else 1)." placeholder:"X[,Z]"`
	HeightRange  numbers  `help:"Heights in meters of the lowest and highest number an image can hold (default: 1 m a step)." placeholder:"MIN,MAX"`
	Scale        *float64 `help:"Shrinks or enlarges the heightmap's landscape in all directions: 0.1 makes 10 km one (default 1)." placeholder:"S"`
}

// numbers are one number or more, with commas between them.
type numbers []float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *numbers) UnmarshalText(text []byte) error {
	for word := range strings.SplitSeq(string(text), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return fmt.Errorf("%q is no number", word)
		}
		*n = append(*n, v)
	}
	return nil
}

// params are parameters of a document with their values.
type params map[string]string

// UnmarshalText implements encoding.TextUnmarshaler. It is called for each --set.
func (p *params) UnmarshalText(text []byte) error {
	name, value, ok := strings.Cut(string(text), "=")
	if !ok {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	if *p == nil {
		*p = params{}
	}
	(*p)[name] = value
	return nil
}

// check refuses flags that are wrong whether or not the world is there.
func (f worldFlags) check() error {
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

// settings are what a world was made from, kept in its file as JSON.
type settings struct {
	Template  string           `json:"template,omitempty"`
	Seed      *int64           `json:"seed,omitempty"`
	Heightmap *heightmapSource `json:"heightmap,omitempty"`
	Document  *documentSource  `json:"document,omitempty"`
}

func parseSettings(data []byte) (s settings, err error) {
	err = json.Unmarshal(data, &s)
	return s, err
}

// String names the settings as flags would.
func (s settings) String() string {
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

func (s settings) seedFlag() string {
	if s.Seed == nil {
		return ""
	}
	return fmt.Sprintf(" --seed %d", *s.Seed)
}

// contradictions lists the flags that ask for another world than the one with these settings, each with
// both values.
func (s settings) contradictions(f worldFlags) ([]string, error) {
	var list []string
	differ := func(flag string, asked, has any) {
		list = append(list, fmt.Sprintf("%s %v was asked for; the world has %v", flag, asked, has))
	}
	if f.Template != "" && f.Template != s.Template {
		differ("--template", f.Template, s.ground())
	}
	if f.Seed != nil && (s.Seed == nil || *f.Seed != *s.Seed) {
		differ("--seed", *f.Seed, s.seed())
	}
	h := s.Heightmap
	if h == nil {
		if f.Heightmap != "" {
			differ("--heightmap", filepath.Base(f.Heightmap), s.ground())
		} else if f.SampleMeters != nil || f.HeightRange != nil || f.Scale != nil {
			list = append(list, "--sample-meters, --height-range and --scale are for a heightmap; the world has "+s.ground())
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

// ground says what the world's ground is.
func (s settings) ground() string {
	switch {
	case s.Heightmap != nil:
		return "the heightmap " + s.Heightmap.File
	case s.Template == "" && s.Document != nil:
		return "the document " + s.Document.File
	}
	return s.Template
}

func (s settings) seed() string {
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
