package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

// Run prints the version, the toolchain and the platform.
func (versionCmd) Run(p *program) error {
	_, err := fmt.Fprintf(p.stdout, "terrane %s, %s, %s/%s\n", versionName(p.version), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// versionName returns what the linker was told, else what the go command stamped (`go install …@v1.2.3`,
// or a build in a checkout), else that nobody knows.
func versionName(stamped string) string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "of no known version"
}
