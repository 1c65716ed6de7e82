package bits

// addGeneric sets dst to src, each number raised by n. It is what every other version must equal.
func addGeneric(dst, src []uint32, n uint32) {
	for i, v := range src {
		dst[i] = v + n
	}
}

// spanGeneric returns the least and the greatest of numbers, or 1<<32−1 and 0 if there are none. It is what
// every other version must equal.
func spanGeneric(src []uint32) (least, most uint32) {
	least = 1<<32 - 1
	for _, v := range src {
		least, most = min(least, v), max(most, v)
	}
	return least, most
}
