package ingest

import (
	"bytes"
	"fmt"
	"math"
	"path"

	"github.com/terrane/terrane/ingest/internal/tiff"
)

// A Heightmap holds the heights of a piece of ground on a lattice of columns and rows.
type Heightmap struct {
	Width, Height int
	// Values holds Width·Height samples as the file has them, row by row from the northwest corner, NaN
	// where the file has none.
	Values []float32
	// Kind is how the file holds a sample. Every value is a whole number of that kind, except that the gray
	// of colors may lie between two.
	Kind Kind
	// Meters is set when the file says that a unit is a meter.
	Meters bool
	// MetersX and MetersZ are the distances between columns and between rows, 0 where the file does not say.
	MetersX, MetersZ float64
	// OriginX and OriginZ are where the first sample lies in the file's own projection: meters east, and meters south
	// (so OriginZ is minus the northing). Both are 0 where the file does not say, or says it in degrees.
	OriginX, OriginZ float64
	// Format says what the file is and Notes what had to be decided for it, in words for people.
	Format string
	Notes  []string
}

// At returns the sample in column x of row z.
func (h *Heightmap) At(x, z int) float32 { return h.Values[z*h.Width+x] }

// Range returns the lowest and the highest sample and the number of voids. ok is false if all are void.
func (h *Heightmap) Range() (low, high float32, voids int, ok bool) { return valueRange(h.Values) }

// valueRange returns the least and the greatest value and the number of NaNs.
func valueRange(values []float32) (low, high float32, nans int, ok bool) {
	low, high = float32(math.Inf(1)), float32(math.Inf(-1))
	for _, v := range values {
		if v != v {
			nans++
			continue
		}
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high, nans, low <= high
}

// note adds a sentence to h.Notes.
func (h *Heightmap) note(format string, args ...any) {
	h.Notes = append(h.Notes, fmt.Sprintf(format, args...))
}

// KnownHeightmaps lists what ReadHeightmap takes, for messages.
const KnownHeightmaps = "16-bit and 8-bit PNG, GeoTIFF, Esri ASCII grids, raw .r16 and .r32, SRTM .hgt"

// ReadHeightmap reads the heightmap in f: by its content where that tells, else by its name.
func ReadHeightmap(f File, o Options) (*Heightmap, error) {
	f, err := f.unzip(o.maxSamples() * 4) // no reader but that of text takes more bytes for a sample
	if err != nil {
		return nil, err
	}
	read := readPart
	if tiff.Is(f.head(64)) {
		read = readGeoTIFF // which reads no more than the part asked for
	}
	h, err := read(f, o)
	if err != nil {
		return nil, err
	}
	if h.MetersX != 0 && !(placed(h.MetersX, h.OriginX) && placed(h.MetersZ, h.OriginZ)) {
		return nil, fmt.Errorf("%s: %w: its samples lie %.4g × %.4g m apart, at %.6g, %.6g", f.Name, ErrCorrupt, h.MetersX, h.MetersZ, h.OriginX, -h.OriginZ)
	}
	return h, nil
}

// readPart reads all of a heightmap and then takes the part that is asked for.
func readPart(f File, o Options) (*Heightmap, error) {
	h, err := readWhole(f, o)
	if err != nil {
		return nil, err
	}
	if err := h.crop(f.Name, o); err != nil {
		return nil, err
	}
	return h, nil
}

// readWhole reads a heightmap of a format that has no parts.
func readWhole(f File, o Options) (*Heightmap, error) {
	switch head := f.head(64); {
	case bytes.HasPrefix(head, []byte(pngMagic)):
		return readPNG(f, o)
	case isASC(head):
		return readASC(f, o)
	}
	if o.Width > 0 && o.Height > 0 && o.Kind.valid() && !tiff.Is(f.head(64)) {
		return readRaw(f, o, o.Kind)
	}
	switch f.ext() {
	case ".png":
		return nil, notWhatItSays(f, "PNG")
	case ".tif", ".tiff":
		return nil, notWhatItSays(f, "TIFF")
	case ".asc":
		return nil, notWhatItSays(f, "ASCII grid")
	case ".hgt":
		return readHGT(f, o)
	case ".r16", ".raw":
		kind := o.Kind
		if kind == 0 && f.ext() == ".raw" {
			kind = parseKind(kindInName.FindString(path.Base(f.Name)))
			volume := dims3InName.MatchString(path.Base(f.Name)) || kind != 0 && !dimsInName.MatchString(path.Base(f.Name))
			if o.Width == 0 && volume { // so its name says; a square that fits is none then
				return nil, f.refusal(KnownHeightmaps)
			}
		}
		if !kind.valid() {
			kind = Uint16
		}
		return readRaw(f, o, kind)
	case ".r32":
		return readRaw(f, o, Float32)
	}
	return nil, f.refusal(KnownHeightmaps)
}

// notWhatItSays returns the error for a file whose name states a format that its content is not in.
func notWhatItSays(f File, format string) error {
	return fmt.Errorf("%w (the name says %s)", f.refusal(KnownHeightmaps), format)
}

// Fill gives every void of h a height from its neighbors and returns how many there were. A void grows shut
// from its rim: ring by ring, each sample takes the mean of those of its eight neighbors that have a height,
// the diagonal ones counting 1/√2. So no filled sample leaves the range of the rim, and samples that had a
// height keep it. A heightmap without any height is an error.
func (h *Heightmap) Fill() (int, error) {
	_, _, voids, ok := h.Range()
	if !ok {
		return 0, fmt.Errorf("%w: all %d samples are void: there are no heights to read", ErrUnsupported, voids)
	}
	if voids == 0 {
		return 0, nil
	}
	rim, queued := h.firstRing()
	heights := make([]float32, 0, len(rim))
	for len(rim) > 0 {
		heights = heights[:0]
		for _, i := range rim { // all of a ring see only what was there before it
			heights = append(heights, h.around(i))
		}
		for k, i := range rim {
			h.Values[i] = heights[k]
		}
		rim = h.nextRing(rim, queued)
	}
	return voids, nil
}

// firstRing returns the voids that have a neighbor with a height, and a set that holds them.
func (h *Heightmap) firstRing() (ring []int, queued []bool) {
	queued = make([]bool, len(h.Values))
	for i, v := range h.Values {
		if v == v {
			continue
		}
		for _, j := range h.neighbors(i) {
			if j >= 0 && h.Values[j] == h.Values[j] {
				ring, queued[i] = append(ring, i), true
				break
			}
		}
	}
	return ring, queued
}

// nextRing returns the voids round a ring that are not queued yet, and queues them.
func (h *Heightmap) nextRing(ring []int, queued []bool) []int {
	var next []int
	for _, i := range ring {
		for _, j := range h.neighbors(i) {
			if j >= 0 && !queued[j] && h.Values[j] != h.Values[j] {
				next, queued[j] = append(next, j), true
			}
		}
	}
	return next
}

// around returns the weighted mean of the neighbors of sample i that have a height, rounded to a whole
// number where the file holds only those.
func (h *Heightmap) around(i int) float32 {
	var sum, weights float64
	for k, j := range h.neighbors(i) {
		if j < 0 || h.Values[j] != h.Values[j] {
			continue
		}
		w := 1.0
		if k >= 4 {
			w = math.Sqrt2 / 2
		}
		sum += w * float64(h.Values[j])
		weights += w
	}
	if h.Kind.Float() {
		return float32(sum / weights)
	}
	return float32(math.Round(sum / weights))
}

// neighbors returns the indices of the four samples beside sample i and of the four across its corners, −1
// for those beyond the edge.
func (h *Heightmap) neighbors(i int) [8]int {
	x, z := i%h.Width, i/h.Width
	var n [8]int
	for k, d := range [8][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		n[k] = -1
		if nx, nz := x+d[0], z+d[1]; nx >= 0 && nx < h.Width && nz >= 0 && nz < h.Height {
			n[k] = nz*h.Width + nx
		}
	}
	return n
}

// Replace gives every void of h the same height and returns how many there were.
func (h *Heightmap) Replace(height float32) int {
	n := 0
	for i, v := range h.Values {
		if v != v {
			h.Values[i] = height
			n++
		}
	}
	return n
}
