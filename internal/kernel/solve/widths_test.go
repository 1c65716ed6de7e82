//go:build goexperiment.simd && amd64

package solve

import (
	"testing"

	"github.com/terrane/terrane/internal/widthtest"
)

// TestWidths runs the comparisons with the plain versions at every vector width.
func TestWidths(t *testing.T) { widthtest.Run(t, "^(TestSolveTwins|TestWideWrites)$") }
