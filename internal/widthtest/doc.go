// Package widthtest runs a test binary's own tests again in processes of every vector width that the machine
// has, and without vectors. Elsewhere than on amd64 there is one width, and an emulated machine cannot start
// its own programs, so the package is empty there.
package widthtest
