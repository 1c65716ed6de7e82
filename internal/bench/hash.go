package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"github.com/terrane/terrane/mesh"
)

// hashMesh returns the SHA-256 of all numbers of a mesh.
func hashMesh(m *mesh.Mesh) string {
	sum := sha256.New()
	var word [4]byte
	for _, list := range [][]float32{m.Positions, m.Normals} {
		for _, v := range list {
			binary.LittleEndian.PutUint32(word[:], math.Float32bits(v))
			sum.Write(word[:])
		}
	}
	for _, v := range m.Indices {
		binary.LittleEndian.PutUint32(word[:], v)
		sum.Write(word[:])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// median returns the middle of the numbers, the greater one of two.
func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// hashFloats returns the SHA-256 of numbers as little-endian float32.
func hashFloats(v []float32) string {
	sum := sha256.New()
	for part := range slices.Chunk(v, 1<<14) {
		buf := make([]byte, 0, 4<<14)
		for _, f := range part {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(f))
		}
		sum.Write(buf)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
