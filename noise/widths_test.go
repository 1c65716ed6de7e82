//go:build goexperiment.simd && amd64

package noise

import (
	"fmt"
	"os"
	"os/exec"
	"simd"
	"strings"
	"testing"
)

// TestWidths runs the tests that compare kernels in processes of every vector width that this machine has,
// and without vectors. Elsewhere there is one width, and an emulated machine cannot start its own programs.
func TestWidths(t *testing.T) {
	if strings.Contains(os.Getenv("GODEBUG"), "simd=") {
		t.Skip("this process is one of them")
	}
	most := simd.VectorBitSize()
	if simd.Emulated() {
		most = 0
	}
	for _, width := range []int{0, 128, 256, 512} {
		if width > most {
			continue
		}
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^(TestRowsEqualAt|TestShifts|TestKernels)$")
			cmd.Env = append(os.Environ(), fmt.Sprintf("GODEBUG=simd=%d", width))
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
