package document

import (
	"os"
	"strings"
	"testing"
)

// The manual holds the reference that the table of operations makes.
func TestReference(t *testing.T) {
	const file, begin, end = "../../docs/fields.md", "<!-- reference begins -->\n", "<!-- reference ends -->\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the reference: %q … %q", file, begin, end)
	}
	want := "\n" + Reference() + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != want {
		t.Errorf("the reference in %s is not what the table of operations says; write it with -update", file)
	}
}

// The manual's examples are right, and its pictures are there.
func TestManual(t *testing.T) {
	data, err := os.ReadFile("../../docs/fields.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for block := range strings.SplitSeq(string(data), "```yaml\n") {
		src, _, ok := strings.Cut(block, "```")
		if !ok || !strings.HasPrefix(src, "terrane: 1\n") {
			continue
		}
		blocks++
		if err := compile("fields.md", []byte(src)); err != nil {
			t.Error(err)
		}
	}
	if blocks < 8 {
		t.Errorf("%d examples found", blocks)
	}
	for _, part := range strings.Split(string(data), "](fields/")[1:] {
		name, _, _ := strings.Cut(part, ")")
		info, err := os.Stat("../../docs/fields/" + name)
		if err != nil || info.Size() > 150_000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
