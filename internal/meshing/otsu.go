package meshing

// otsuBins is the number of bins that the values are counted in.
const otsuBins = 256

// otsu returns the value that parts the others into two kinds whose variances add up to the least (Otsu 1979).
// It lies between two bins, so that none of a file's whole numbers falls on it.
func otsu(values []float32, low, high float32) float32 {
	var count [otsuBins]float64
	width := (float64(high) - float64(low)) / otsuBins
	if !(width > 0) {
		return low
	}
	total, sum := 0.0, 0.0
	for _, d := range values {
		if d != d {
			continue
		}
		bin := min(int((float64(d)-float64(low))/width), otsuBins-1)
		count[bin]++
		total++
		sum += float64(bin)
	}
	// Of equally good places, as in a gap between two kinds, the middle one is taken.
	best, first, last := -1.0, 0, 0
	below, sumBelow := 0.0, 0.0
	for bin := range otsuBins - 1 {
		below += count[bin]
		sumBelow += float64(bin) * count[bin]
		if below == 0 || below == total {
			continue
		}
		d := sumBelow/below - (sum-sumBelow)/(total-below)
		switch between := below * (total - below) * d * d; {
		case between > best:
			best, first, last = between, bin, bin
		case between == best:
			last = bin
		}
	}
	return float32(float64(low) + width*(float64(first+last)/2+1))
}
