package document

import (
	"embed"
	"strings"
)

//go:embed templates/*.yaml
var templates embed.FS

// TemplateNames returns the names of the documents that come with the engine; the first is the default world.
func TemplateNames() []string {
	return []string{"hills", "islands", "caverns", "canyon", "floating", "shape", "rough", "flat"}
}

// Template returns the document of a template, nil if there is none of the name.
func Template(name string) []byte {
	src, err := templates.ReadFile("templates/" + name + ".yaml")
	if err != nil {
		return nil
	}
	return src
}

// About returns the sentence that a document says about itself, without checking the document.
func About(src []byte) string {
	for line := range strings.SplitSeq(string(src), "\n") {
		if about, ok := strings.CutPrefix(line, "about: "); ok {
			return strings.Trim(about, `"`)
		}
	}
	return ""
}
