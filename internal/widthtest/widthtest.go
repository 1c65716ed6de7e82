//go:build goexperiment.simd && amd64

package widthtest

import (
	"fmt"
	"os"
	"os/exec"
	"simd"
	"strings"
	"testing"
)

// Run runs the tests that match the pattern, as of go test -run, once for each width.
func Run(t *testing.T, pattern string) {
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
			cmd := exec.Command(os.Args[0], "-test.run="+pattern)
			cmd.Env = append(os.Environ(), fmt.Sprintf("GODEBUG=simd=%d", width))
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
