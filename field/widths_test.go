//go:build goexperiment.simd && amd64

package field

import (
	"testing"

	"github.com/terrane/terrane/internal/widthtest"
)

// TestWidths runs the tests that compare kernels at every vector width.
func TestWidths(t *testing.T) {
	widthtest.Run(t, "^(TestFused|TestGolden|TestManyGraphs)$")
}
