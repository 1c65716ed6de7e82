package asset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terrane/terrane/asset"
)

func ExampleOf() {
	h := asset.Of([]byte("terrane"))
	fmt.Println(h == asset.Of([]byte("terrane")), h == asset.Hash{})
	// Output: true false
}

func TestParse(t *testing.T) {
	h := asset.Of([]byte("abc"))
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if h.String() != want {
		t.Errorf("%v, want %s", h, want)
	}
	if back, err := asset.Parse(want); err != nil || back != h {
		t.Errorf("%v, %v", back, err)
	}
	if back, err := asset.Parse(strings.ToUpper(want)); err != nil || back != h {
		t.Errorf("upper case: %v, %v", back, err)
	}
	for name, s := range map[string]string{
		"empty": "", "short": want[1:], "long": want + "0", "no digits": strings.Repeat("g", 64),
	} {
		if back, err := asset.Parse(s); err == nil || back != (asset.Hash{}) {
			t.Errorf("%s: %v, %v", name, back, err)
		}
	}
}
