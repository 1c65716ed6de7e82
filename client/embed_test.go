package client

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// TestDist holds that the page which is embedded is whole: every file that one names is there, with its
// compressed forms. Unbuilt, there is nothing to hold.
func TestDist(t *testing.T) {
	dist := Dist()
	if dist == nil {
		t.Skip("client/dist has not been built")
	}
	named := regexp.MustCompile(`[a-zA-Z]+-[A-Za-z0-9]{8,10}\.(?:js|css|wasm)`)
	seen := map[string]bool{}
	for todo := []string{"index.html"}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		for _, form := range []string{"", ".br", ".gz"} {
			if _, err := fs.Stat(dist, name+form); err != nil {
				t.Errorf("%s is missing: %v", name+form, err)
			}
		}
		data, err := fs.ReadFile(dist, name)
		if err != nil || strings.HasSuffix(name, ".wasm") {
			continue
		}
		todo = append(todo, named.FindAllString(string(data), -1)...)
	}
	for _, what := range []string{"main-", "app-", "session-", "builder-", "engine-", "style-"} {
		found := false
		for name := range seen {
			found = found || strings.HasPrefix(name, what)
		}
		if !found {
			t.Errorf("nothing in the page names a file %s…; seen: %v", what, seen)
		}
	}
}
