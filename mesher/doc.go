// Package mesher turns grids of density samples into triangle meshes: marching cubes, surface nets and the
// blocks view.
package mesher
