//go:build goexperiment.simd && !js

package samebits

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"simd"
	"testing"
)

// TestWidths runs TestSameBits again at every vector width up to the machine's own, and with vectors emulated,
// each in a child process: a width is chosen when a program starts.
func TestWidths(t *testing.T) {
	if os.Getenv("TERRANE_SAMEBITS_CHILD") != "" {
		t.Skip("in a child process")
	}
	if runtime.GOARCH != "amd64" {
		t.Skipf("%s has one width", runtime.GOARCH)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{512, 256, 128, 0} {
		if width > simd.VectorBitSize() || testing.Short() && width == 0 {
			continue // a width that the machine lacks stops the program
		}
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			cmd := exec.Command(exe, "-test.run=^TestSameBits$", "-test.v")
			cmd.Env = append(os.Environ(), "TERRANE_SAMEBITS_CHILD=1", fmt.Sprintf("GODEBUG=simd=%d", width))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
