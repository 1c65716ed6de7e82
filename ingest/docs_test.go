package ingest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of refused files in docs/meshing.md")

// The tables of docs/meshing.md are true: every example reads as what its row says, and every kind of file that is
// refused by name is named.
func TestDocumented(t *testing.T) {
	name := filepath.Join("..", "docs", "meshing.md")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	_, table, _ := strings.Cut(text, "| format | endings |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")[2:]
	if len(rows) != 9 {
		t.Errorf("%d formats are documented", len(rows))
	}
	for _, row := range rows {
		cells := strings.Split(row, "|")
		format, example := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[4])
		f := example
		got := ""
		switch h, v := tryBoth(t, f); {
		case h != nil:
			got = h.Format
		case v != nil:
			got = v.Format
		}
		if !strings.HasPrefix(got, format) {
			t.Errorf("%s reads as %q, not as %s", example, got, format)
		}
	}

	const from, to = "-update -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(text, from)
	_, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatal("the table of refused files has no marks round it")
	}
	if want := before + from + refusedTable() + to + after; text != want {
		if !*update {
			t.Fatal("the table of refused files is not that of foreign and foreignEndings: run with -update")
		}
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tryBoth reads a file of testdata as whatever it is.
func tryBoth(t *testing.T, name string) (*Heightmap, *Volume) {
	t.Helper()
	f := open(t, name)
	if v, err := ReadVolume(f, beside(t)); err == nil {
		return nil, v
	}
	h, err := ReadHeightmap(f, Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return h, nil
}

// refusedTable lists the files that are refused by name.
func refusedTable() string {
	var b strings.Builder
	b.WriteString("| a file that | is refused as |\n|---|---|\n")
	for _, k := range foreign {
		fmt.Fprintf(&b, "| begins with `%s` | %s |\n", strings.Trim(fmt.Sprintf("%q", k.magic), `"`), k.what)
	}
	var endings []string
	for ending := range foreignEndings {
		endings = append(endings, ending)
	}
	slices.Sort(endings)
	for _, ending := range endings {
		fmt.Fprintf(&b, "| ends in `%s` | %s |\n", ending, foreignEndings[ending])
	}
	return b.String()
}
