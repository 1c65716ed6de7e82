// Package mesh holds indexed triangle meshes in reusable buffers, and checks them.
package mesh
