package ingest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"github.com/terrane/terrane/grid"
)

// A Volume is a grid.Volume as a file holds it, NaN where there is no sample. Its Cell is left zero: where the samples
// lie is the Placement's to say, which knows more than sizes of cells along x, y and z.
type Volume struct {
	grid.Volume
	Placement
	Kind Kind // how the file holds a sample, before its scale, if it has one
	// Format says what the file is and Notes what had to be decided for it, in words for people.
	Format string
	Notes  []string

	part [3]Range // of the file's lattice
}

// A Placement says where the samples of a volume lie in the file's own space, which may be mirrored (Mirrored) or
// oblique.
type Placement struct {
	Step   [3][3]float64 // for each axis of the lattice, the way from one sample to the next
	Origin [3]float64    // the place of the first sample
	Unit   string        // "mm", "m", "µm", "Å", or empty where the file does not say
}

// Mirrored reports whether the lattice is left-handed in the file's space: triangles that run
// counter-clockwise in the one run clockwise in the other.
func (p *Placement) Mirrored() bool { return p.determinant() < 0 }

// determinant returns the volume of a cell, negative if the lattice is left-handed.
func (p *Placement) determinant() float64 {
	a, b, c := p.Step[0], p.Step[1], p.Step[2]
	return a[0]*(b[1]*c[2]-b[2]*c[1]) - a[1]*(b[0]*c[2]-b[2]*c[0]) + a[2]*(b[0]*c[1]-b[1]*c[0])
}

// setSpacing lays the axes of the lattice along those of space.
func (p *Placement) setSpacing(x, y, z float64) {
	p.Step = [3][3]float64{{x, 0, 0}, {0, y, 0}, {0, 0, z}}
}

// DefaultMaxVolume is the number of samples of a volume that are read where Options does not say otherwise:
// 512³ take 512 MiB.
const DefaultMaxVolume = 1 << 27

// Range returns the least and the greatest sample and the number of NaNs. ok is false if all are NaN.
func (v *Volume) Range() (low, high float32, nans int, ok bool) { return valueRange(v.Samples) }

// otsuBins is the number of bins that the values are counted in.
const otsuBins = 256

// Threshold returns the value that splits the samples, which lie between low and high, into two classes with the least
// variance within them, which is the greatest between them (Otsu 1979). It lies between two bins, so that none of a
// file's whole numbers falls on it.
func (v *Volume) Threshold(low, high float32) float32 {
	var count [otsuBins]float64
	width := (float64(high) - float64(low)) / otsuBins
	if !(width > 0) {
		return low
	}
	total, sum := 0.0, 0.0
	for _, d := range v.Samples {
		if d != d {
			continue
		}
		bin := min(int((float64(d)-float64(low))/width), otsuBins-1)
		count[bin]++
		total++
		sum += float64(bin)
	}
	// All thresholds in a gap between two classes are equally good: the middle one is taken.
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

// newVolume returns a volume of zeros whose samples lie a unit apart.
func newVolume(dims [3]int, kind Kind) *Volume {
	v := &Volume{Volume: grid.Volume{NX: dims[0], NY: dims[1], NZ: dims[2], Samples: make([]float32, dims[0]*dims[1]*dims[2])}, Kind: kind}
	v.setSpacing(1, 1, 1)
	return v
}

func (v *Volume) note(format string, args ...any) {
	v.Notes = append(v.Notes, fmt.Sprintf(format, args...))
}

// KnownVolumes lists what ReadVolume takes, for messages.
const KnownVolumes = "NRRD, NIfTI-1, MRC/CCP4 and raw volumes whose size and kind are given or stand in the name (x_256x256x128_uint8.raw)"

// ReadVolume reads the volume in f: by its content where that tells, else by its name.
func ReadVolume(f File, o Options) (*Volume, error) {
	if o.MaxSamples == 0 {
		o.MaxSamples = DefaultMaxVolume
	}
	s, err := f.stream()
	if err != nil {
		return nil, err
	}
	head, err := s.peek(mrcHeader)
	if err != nil {
		return nil, err
	}
	read := readRawVolume
	switch {
	case bytes.HasPrefix(head, []byte("NRRD")):
		read = readNRRD
	case isNIfTI(head):
		read = readNIfTI
	case isMRC(head):
		read = readMRC
	case !rawEndings[strings.ToLower(path.Ext(s.name))] && o.Depth == 0:
		return nil, f.refusal(KnownVolumes)
	}
	v, err := read(s, o)
	if err != nil {
		return nil, err
	}
	if err := v.checkPlace(s.name); err != nil {
		return nil, err
	}
	if o.cropped() {
		v.shift(v.part)
	}
	return v, nil
}

// rawEndings are the endings of files without a header.
var rawEndings = map[string]bool{".raw": true, ".bin": true, ".f32": true, ".u8": true, ".u16": true}

// A stream is a file read from its beginning, unpacked if it was gzipped.
type stream struct {
	name   string // without .gz
	r      io.Reader
	most   int64 // bytes that can follow: the file's length, or what so many bytes of gzip can hold
	packed bool
	ahead  []byte // read by peek
}

func (f File) stream() (*stream, error) {
	s := &stream{name: f.Name, r: io.NewSectionReader(f, 0, f.Size), most: f.Size}
	if !bytes.HasPrefix(f.head(2), []byte{0x1f, 0x8b}) {
		return s, nil
	}
	z, err := gzip.NewReader(s.r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: gzip: %v", f.Name, ErrCorrupt, err)
	}
	return &stream{name: strings.TrimSuffix(f.Name, ".gz"), r: z, most: f.Size * deflateRatio, packed: true}, nil
}

// peek returns up to the first n bytes, which are still to be read.
func (s *stream) peek(n int) ([]byte, error) {
	buf := make([]byte, n)
	got, err := io.ReadFull(s.r, buf)
	s.ahead = buf[:got]
	s.r = io.MultiReader(bytes.NewReader(s.ahead), s.r)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("%s: %w: %v", s.name, ErrCorrupt, err)
	}
	return s.ahead, nil
}

// skip passes over n bytes.
func (s *stream) skip(n int64) error {
	if got, err := io.CopyN(io.Discard, s.r, n); err != nil {
		return fmt.Errorf("%s: %w: it ends after %d of %d bytes before its samples", s.name, ErrCorrupt, got, n)
	}
	return nil
}

// checkVolume returns the part of a volume that o asks for. It returns an error if the dimensions are not a volume's, if
// the stream cannot hold as many samples, or if the part is larger than o allows.
func (s *stream) checkVolume(dims [3]int64, kind Kind, o Options) (part [3]Range, err error) {
	n := int64(1)
	for _, d := range dims {
		if d < 1 {
			return part, fmt.Errorf("%s: %w: a volume of %d×%d×%d samples", s.name, ErrCorrupt, dims[0], dims[1], dims[2])
		}
		if d > maxVolume/n {
			return part, fmt.Errorf("%s: %w: %d×%d×%d samples; at most %d are read", s.name, ErrTooLarge, dims[0], dims[1], dims[2], o.maxSamples())
		}
		n *= d
	}
	if part, err = o.cropVolume(s.name, dims); err != nil {
		return part, err
	}
	// All three are below 2⁴⁰: no product of two of them and a third overflows before it is compared.
	if read := int64(part[0].len()) * int64(part[1].len()) * int64(part[2].len()); read > o.maxSamples() {
		return part, fmt.Errorf("%s: %w: %d×%d×%d samples; at most %d are read", s.name, ErrTooMany, part[0].len(), part[1].len(), part[2].len(), o.maxSamples())
	}
	if need := n * kind.Bytes(); need > s.most {
		return part, fmt.Errorf("%s: %w: %d×%d×%d samples of %v take %d bytes; the file has %d",
			s.name, ErrCorrupt, dims[0], dims[1], dims[2], kind, need, s.most)
	}
	return part, nil
}

// maxVolume is more samples than any file has, and few enough to be counted in bytes.
const maxVolume = 1 << 40

// volume reads the part of a volume that checkVolume has let pass.
func (s *stream) volume(dims [3]int64, part [3]Range, kind Kind, order ByteOrder) (*Volume, error) {
	v := newVolume([3]int{part[0].len(), part[1].len(), part[2].len()}, kind)
	v.part = part
	got, err := s.samples(v, dims, kind, order)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %d×%d×%d samples are %d, but it ends after %d: %v",
			s.name, ErrCorrupt, dims[0], dims[1], dims[2], dims[0]*dims[1]*dims[2], got, err)
	}
	v.notePart(dims)
	return v, nil
}

// samples reads the samples of a part and returns how many of the whole were there.
func (s *stream) samples(v *Volume, dims [3]int64, kind Kind, order ByteOrder) (got int64, err error) {
	if v.whole(dims) {
		n, err := kind.decodeFrom(v.Samples, s.r, order.order())
		return int64(n), err
	}
	row := make([]float32, dims[0])
	to := v.Samples
	for z := range dims[2] {
		if z >= int64(v.part[2].To) {
			return got, nil
		}
		for y := range dims[1] {
			if z < int64(v.part[2].From) || y < int64(v.part[1].From) || y >= int64(v.part[1].To) {
				n, err := io.CopyN(io.Discard, s.r, dims[0]*kind.Bytes())
				if got += n / kind.Bytes(); err != nil {
					return got, err
				}
				continue
			}
			n, err := kind.decodeFrom(row, s.r, order.order())
			if got += int64(n); err != nil {
				return got, err
			}
			to = to[copy(to, row[v.part[0].From:v.part[0].To]):]
		}
	}
	return got, nil
}

// Limits of distances and places, in a file's own unit: what is outside is no measurement, and would not survive in
// 32-bit coordinates.
const (
	minStep  = 1e-9
	maxStep  = 1e9
	maxPlace = 1e12
)

// placed reports whether a distance and a place are within limits.
func placed(step float64, at ...float64) bool {
	for _, v := range at {
		if !(math.Abs(v) <= maxPlace) {
			return false
		}
	}
	return step >= minStep && step <= maxStep
}

// checkPlace returns an error if steps or origin are out of bounds, or if the steps lie in one plane to within a
// millionth of the box with edges of their lengths.
func (p *Placement) checkPlace(name string) error {
	product := 1.0
	for _, s := range p.Step {
		length := math.Sqrt(s[0]*s[0] + s[1]*s[1] + s[2]*s[2])
		if !placed(length, p.Origin[:]...) {
			return fmt.Errorf("%s: %w: its samples lie %.4g apart from %.6g on", name, ErrCorrupt, p.Step, p.Origin)
		}
		product *= length
	}
	if math.Abs(p.determinant()) < 1e-6*product {
		return fmt.Errorf("%s: %w: its steps %.4g all lie in one plane", name, ErrCorrupt, p.Step)
	}
	return nil
}

// usable reports whether v is a distance between samples.
func usable(v float64) bool { return v == v && !math.IsInf(v, 0) && v != 0 }
