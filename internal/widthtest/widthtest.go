//go:build goexperiment.simd && amd64

package widthtest

import (
	"fmt"
	"os"
	"os/exec"
	"simd/archsimd"
	"strings"
	"testing"
)

// Widths returns the vector widths in bits that the machine has, ascending; 0 stands for vectors emulated. The simd
// package by itself uses narrower ones where the machine lacks wide carry-less multiplication, which the engine does
// not need: what it needs all of AVX2 has.
func Widths() []int {
	widths := []int{0}
	for _, w := range []struct {
		bits int
		has  bool
	}{{128, archsimd.X86.AVX()}, {256, archsimd.X86.AVX2()}, {512, archsimd.X86.AVX512()}} {
		if w.has {
			widths = append(widths, w.bits)
		}
	}
	return widths
}

// Setting returns the environment variable that makes a program that starts with it use vectors of a width.
func Setting(width int) string { return fmt.Sprintf("GODEBUG=simd=+%d", width) }

// Run runs the tests that match the pattern, as of go test -run, once for each width.
func Run(t *testing.T, pattern string) {
	if strings.Contains(os.Getenv("GODEBUG"), "simd=") {
		t.Skip("this process is one of them")
	}
	for _, width := range Widths() {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run="+pattern)
			cmd.Env = append(os.Environ(), Setting(width))
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
