package groundcheck

import (
	"strings"
	"testing"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
)

// Looking for surface ends when it takes too long, and says so.
func TestViewIsCut(t *testing.T) {
	d, err := importer.Importer{}.Compile("flat", "", []byte("terrane: 1\ndensity: {below: 0}\n"), document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	if v := viewBox(d.Ground, 4, func() bool { calls++; return calls > 10 }); !v.cut || calls > 11 {
		t.Errorf("%+v after %d calls", v, calls)
	}
	if v := viewBox(d.Ground, 1, func() bool { return false }); v.cut || v.chunks == 0 {
		t.Errorf("%+v", v)
	}
	if s := Heavy(HeavyChunk - 1); s != "" {
		t.Error(s)
	}
	if s := Heavy(2e9); !strings.Contains(s, "heavy") || !strings.Contains(s, "1000 s") {
		t.Error(s)
	}
}
