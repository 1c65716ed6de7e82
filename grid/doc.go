// Package grid holds the density samples of a chunk: its cells' corners and a margin of one sample around
// them, from which the gradients at the border are taken. x runs fastest, then y, then z.
package grid
