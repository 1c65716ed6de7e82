package signs

// addGeneric sets dst to src, each number raised by n. It is what every other version must equal.
func addGeneric(dst, src []uint32, n uint32) {
	for i, v := range src {
		dst[i] = v + n
	}
}
