//go:build goexperiment.simd && amd64

package samebits

import (
	"testing"

	"github.com/terrane/terrane/internal/widthtest"
)

// TestWidths runs TestSameBits again at every vector width that the machine has and with vectors emulated.
func TestWidths(t *testing.T) { widthtest.Run(t, "^TestSameBits$") }
