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
