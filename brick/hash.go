package brick

import "github.com/terrane/terrane/lattice"

// mix hashes an edited sample: its number, its level and the bits of its value. The results are combined with
// xor, so any order of samples gives the same hash and a sample is taken out by mixing it in again.
func mix(s lattice.Sample, level uint8, value uint32) uint64 {
	h := scramble(uint64(uint32(s.X)) | uint64(uint32(s.Y))<<32)
	h = scramble(h + (uint64(uint32(s.Z)) | uint64(level)<<32))
	return scramble(h + uint64(value))
}

// scramble is a bijection of 64 bits in which every bit of v sways every bit of the result: two rounds of
// multiply and fold with odd constants (fractions of the golden ratio and of √3), which TestMix measures.
func scramble(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>32) * 0x9e3779b97f4a7c15
	v = (v ^ v>>29) * 0xbb67ae8584caa73b
	return v ^ v>>32
}

// materialBits returns what mix takes for a material: the bits of a NaN, which is no edited density's, so that paint
// on a sample and an edit of it never cancel out.
func materialBits(material uint8) uint32 { return 0xffffff00 | uint32(material) }
