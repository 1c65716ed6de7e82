//go:build goexperiment.simd && amd64

package noise

import (
	"testing"

	"github.com/terrane/terrane/internal/widthtest"
)

// TestWidths runs the tests that compare kernels at every vector width.
func TestWidths(t *testing.T) {
	widthtest.Run(t, "^(TestRowsEqualAt|TestShifts|TestKernels|TestCracksRows|TestCracksGolden)$")
}
