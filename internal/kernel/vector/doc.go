// Package vector holds what all vector kernels begin and end with.
package vector
