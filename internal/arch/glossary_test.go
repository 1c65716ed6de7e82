package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestGlossary requires the packages that docs/glossary.md names to exist.
func TestGlossary(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| ([^|]+) \\|.*\\| `([^`]+)` \\|$").FindAllSubmatch(text, -1)
	if len(rows) < 40 {
		t.Fatalf("found %d words with a package in docs/glossary.md", len(rows))
	}
	for _, r := range rows {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(string(r[2])))); err != nil || !info.IsDir() {
			t.Errorf("docs/glossary.md: %s is said to be at home in %s, which is no package", r[1], r[2])
		}
	}
}
