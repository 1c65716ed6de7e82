package noise

// Multipliers that spread lattice numbers over the hash: 2³² over the first powers of the root of x⁴ = x + 1
// (the golden ratio's counterpart in three dimensions), made odd, so that no short lattice vector maps to 0.
const (
	spreadX = 0xd1b54a33
	spreadY = 0xabc98389
	spreadZ = 0x8cb92ba7
)

// mix is the finalizer of MurmurHash3 (Appleby 2011): every bit of h reaches every bit of the result.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// rowHash returns the part of a lattice point's hash that a row along x shares; hash completes it. In two
// dimensions y is 0.
func rowHash(seed, y, z uint32) uint32 { return mix(seed+z*spreadZ) + y*spreadY }

// hash returns the hash of the lattice point x of a row.
func hash(row, x uint32) uint32 { return mix(row + x*spreadX) }

// splitMix advances state and returns the next number of its sequence (Steele, Lea, Flood 2014). It derives
// the seeds and offsets of octaves from a noise's seed.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// signed returns the hash as a number in [−1, 1), exact.
func signed(h uint32) float32 { return float32(float32(int32(h)>>8) * (1.0 / (1 << 23))) }

// fade is 6t⁵ − 15t⁴ + 10t³.
func fade(t float32) float32 {
	p := float32(t*(float32(t*6)-15)) + 10
	return float32(float32(float32(t*t)*t) * p)
}
