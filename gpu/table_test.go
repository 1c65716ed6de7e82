package gpu

import (
	"slices"
	"testing"

	"github.com/terrane/terrane/internal/kernel/cube"
)

// TestTable unpacks the table as the shaders do and compares it with the computed one.
func TestTable(t *testing.T) {
	table := Table()
	if len(table) != TableWords {
		t.Fatalf("the table has %d words, want %d", len(table), TableWords)
	}
	triangles := 0
	for c := range cube.Cases {
		x, y := table[2*c], table[2*c+1]
		var got []uint8
		for i := range 3 * int(x&15) {
			shift := 4 * (i + 1)
			w := x
			if shift >= 32 {
				w, shift = y, shift-32
			}
			got = append(got, uint8(w>>shift&15))
		}
		triangles += len(got) / 3
		want := cube.Triangles(uint8(c))
		for i := 0; i < len(want); i += 3 {
			want[i+1], want[i+2] = want[i+2], want[i+1] // counter-clockwise seen from the air
		}
		if !slices.Equal(got, want) {
			t.Errorf("case %d: edges %v, want %v", c, got, want)
		}
	}
	if triangles != 820 {
		t.Errorf("%d triangles over all cases, want 820", triangles)
	}
}
