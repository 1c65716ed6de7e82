package tiff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"github.com/terrane/terrane/ingest/internal/fault"
	"io"
	"math"
)

// The compressions of TIFF that are read, and the names of those that are not.
const (
	tiffNone       = 1
	tiffLZW        = 5
	tiffDeflate    = 8
	tiffOldDeflate = 32946
)

var tiffForeign = map[int64]string{
	2: "CCITT", 3: "CCITT fax 3", 4: "CCITT fax 4", 6: "old JPEG", 7: "JPEG", 32773: "PackBits", 34712: "JPEG 2000",
	34887: "LERC", 34925: "LZMA", 50000: "zstd", 50001: "WebP", 50002: "JPEG XL",
}

// An Image is one image of a TIFF, checked: how it is cut into chunks (strips or tiles) and packed.
type Image struct {
	Width, Height     int64
	Bits              int64 // of a sample: 8, 16 or 32 of an integer, 32 or 64 of a float
	Format            Format
	t                 *File
	chunkW, chunkH    int64 // a strip is as wide as the image
	across, down      int64
	offsets, counts   []int64
	compression       int64
	predictor         int64
	noData            float32
	hasNoData, sparse bool
}

// image checks a directory and returns its image.
func (t *File) image(dir ifd) (*Image, error) {
	m := &Image{t: t}
	var samples, format int64
	for _, v := range []struct {
		to    *int64
		tag   uint16
		other int64
	}{
		{&m.Width, TagWidth, 0}, {&m.Height, TagHeight, 0},
		{&samples, TagSamples, 1}, {&m.Bits, TagBits, 1}, {&format, TagSampleFormat, 1},
		{&m.compression, TagCompression, tiffNone}, {&m.predictor, TagPredictor, 1},
		{&m.chunkW, TagTileWidth, 0}, {&m.chunkH, TagTileHeight, 0},
	} {
		var err error
		if *v.to, err = t.int(dir, v.tag, v.other); err != nil {
			return nil, err
		}
	}
	if m.Width < 1 || m.Height < 1 {
		return nil, t.corrupt("%d×%d samples", m.Width, m.Height)
	}
	if samples != 1 {
		return nil, fmt.Errorf("%s: %w: TIFF of %d bands; a heightmap has one: pick it with gdal_translate -b 1", t.name, fault.ErrUnsupported, samples)
	}
	if m.Format = Format(format); !m.supported() {
		names := map[Format]string{Unsigned: "unsigned", Signed: "signed", Float: "float", 5: "complex integer", 6: "complex float"}
		return nil, fmt.Errorf("%s: %w: TIFF of %d-bit %s samples; integers of 8, 16 and 32 bits and floats of 32 and 64 are read",
			t.name, fault.ErrUnsupported, m.Bits, names[m.Format])
	}
	switch m.compression {
	case tiffNone, tiffLZW, tiffDeflate, tiffOldDeflate:
	default:
		name := tiffForeign[m.compression]
		return nil, fmt.Errorf("%s: %w: TIFF compression %d %s; none, LZW and deflate are read", t.name, fault.ErrUnsupported, m.compression, name)
	}
	if m.predictor < 1 || m.predictor > 3 || m.predictor == 3 && m.Format != Float {
		return nil, fmt.Errorf("%s: %w: TIFF predictor %d on %d-bit samples", t.name, fault.ErrUnsupported, m.predictor, m.Bits)
	}
	none, ok, err := t.noData(dir)
	if err != nil {
		return nil, err
	}
	m.noData, m.hasNoData = float32(none), ok // writers print a float32 with fewer digits than it has
	return m, m.setChunks(dir)
}

// A Format is the sample format of TIFF: unsigned, signed or floating point.
type Format int64

// The formats that are read.
const (
	Unsigned Format = 1
	Signed   Format = 2
	Float    Format = 3
)

// supported reports whether samples of the image's format and bits are read.
func (m *Image) supported() bool {
	switch m.Format {
	case Unsigned, Signed:
		return m.Bits == 8 || m.Bits == 16 || m.Bits == 32
	case Float:
		return m.Bits == 32 || m.Bits == 64
	}
	return false
}

// sampleBytes returns the size of a sample.
func (m *Image) sampleBytes() int64 { return m.Bits / 8 }

// setChunks finds the strips or tiles and checks that each lies in the file.
func (m *Image) setChunks(dir ifd) (err error) {
	offsets, counts := uint16(TagTileOffsets), uint16(TagTileBytes)
	if m.chunkW == 0 && m.chunkH == 0 {
		offsets, counts = TagStripOffsets, TagStripBytes
		m.chunkW = m.Width
		if m.chunkH, err = m.t.int(dir, TagRowsPerStrip, m.Height); err != nil {
			return err
		}
		m.chunkH = min(m.chunkH, m.Height)
	} else if m.chunkW > maxTileDim || m.chunkH > maxTileDim {
		return fmt.Errorf("%s: %w: TIFF tiles of %d×%d samples; up to %d a side are read", m.t.name, fault.ErrTooLarge, m.chunkW, m.chunkH, maxTileDim)
	}
	if m.chunkW < 1 || m.chunkH < 1 {
		return m.t.corrupt("chunks of %d×%d samples", m.chunkW, m.chunkH)
	}
	m.across, m.down = (m.Width+m.chunkW-1)/m.chunkW, (m.Height+m.chunkH-1)/m.chunkH
	if m.offsets, err = m.t.ints(dir, offsets); err != nil {
		return err
	}
	if m.counts, err = m.t.ints(dir, counts); err != nil {
		return err
	}
	n := m.across * m.down // of two numbers under 2³²: too large a product is negative, never a small one
	if int64(len(m.offsets)) != n || int64(len(m.counts)) != n {
		return m.t.corrupt("%d×%d chunks, but %d offsets and %d lengths", m.across, m.down, len(m.offsets), len(m.counts))
	}
	for i, at := range m.offsets {
		if m.counts[i] == 0 {
			m.sparse = true
			continue
		}
		if at > m.t.size || m.counts[i] > m.t.size-at {
			return m.t.corrupt("chunk %d lies at bytes %d … %d of a file of %d", i, at, at+m.counts[i], m.t.size)
		}
	}
	return nil
}

// A Decoder fills dst with the samples that src holds in a byte order.
type Decoder func(dst []float32, src []byte, o binary.ByteOrder)

// A Window is the columns and the rows of an image from the first to before the second.
type Window struct{ Columns, Rows [2]int64 }

func (w Window) width() int64 { return w.Columns[1] - w.Columns[0] }

// Read returns the samples of a window of the image, row by row, NaN for those that are missing. It returns an error
// that is fault.ErrTooMany if a chunk has more samples than most.
func (m *Image) Read(w Window, most int64, decode Decoder) ([]float32, error) {
	if m.chunkW > most/m.chunkH {
		return nil, fmt.Errorf("%s: %w: TIFF chunks of %d×%d samples; at most %d are read", m.t.name, fault.ErrTooMany, m.chunkW, m.chunkH, most)
	}
	// What the packed bytes can hold at most bounds what is allocated for them; a chunk that is not in the
	// file at all (GDAL leaves out those without data) costs nothing to say and is bounded by the tag lists.
	packed := int64(0)
	for _, n := range m.counts {
		packed += n
	}
	if !m.sparse && packed*lzwRatio < m.Width*m.Height*m.sampleBytes() {
		return nil, m.t.corrupt("%d packed bytes cannot hold %d×%d samples", packed, m.Width, m.Height)
	}
	values := make([]float32, w.width()*(w.Rows[1]-w.Rows[0]))
	put := func(chunk []byte, x, z int64) { m.put(values, w, chunk, x, z, decode) }
	var chunk []byte
	for i := range m.offsets {
		x, z := int64(i)%m.across*m.chunkW, int64(i)/m.across*m.chunkH
		if x >= w.Columns[1] || x+m.chunkW <= w.Columns[0] || z >= w.Rows[1] || z+m.chunkH <= w.Rows[0] {
			continue
		}
		high := m.chunkH
		if m.chunkW == m.Width { // the last strip may be short; tiles are always whole
			high = min(high, m.Height-z)
		}
		if m.counts[i] == 0 {
			put(nil, x, z)
			continue
		}
		need := m.chunkW * high * m.sampleBytes()
		if m.counts[i]*lzwRatio < need {
			return nil, m.t.corrupt("the %d bytes of chunk %d cannot hold %d×%d samples", m.counts[i], i, m.chunkW, high)
		}
		if int64(len(chunk)) < need {
			chunk = make([]byte, need)
		}
		if err := m.unpack(chunk[:need], i); err != nil {
			return nil, err
		}
		put(chunk[:need], x, z)
	}
	return values, nil
}

// lzwRatio is more than LZW packs: a code of 12 bits stands for up to 3,838 bytes.
const lzwRatio = 4096

// unpack fills dst with the bytes of chunk i, the predictor undone.
func (m *Image) unpack(dst []byte, i int) error {
	src, err := m.t.bytes(m.offsets[i], m.counts[i], "a chunk")
	if err != nil {
		return err
	}
	n := 0
	switch m.compression {
	case tiffNone:
		n = copy(dst, src)
	case tiffLZW:
		n, err = unpackLZW(dst, src)
	default:
		var z io.ReadCloser
		if z, err = zlib.NewReader(bytes.NewReader(src)); err == nil {
			n, err = io.ReadFull(z, dst)
		}
	}
	if err != nil || n < len(dst) {
		return m.t.corrupt("chunk %d unpacks to %d of %d bytes: %v", i, n, len(dst), err)
	}
	row := int(m.chunkW * m.sampleBytes())
	for r := 0; r+row <= len(dst); r += row {
		switch m.predictor {
		case 2:
			m.undoDifferences(dst[r : r+row])
		case 3:
			m.undoFloats(dst[r : r+row])
		}
	}
	return nil
}

// undoDifferences undoes predictor 2: each sample is stored less the one before it.
func (m *Image) undoDifferences(row []byte) {
	o, n := m.t.order, int(m.sampleBytes())
	for i := n; i+n <= len(row); i += n {
		switch n {
		case 1:
			row[i] += row[i-1]
		case 2:
			o.PutUint16(row[i:], o.Uint16(row[i:])+o.Uint16(row[i-2:]))
		case 4:
			o.PutUint32(row[i:], o.Uint32(row[i:])+o.Uint32(row[i-4:]))
		case 8:
			o.PutUint64(row[i:], o.Uint64(row[i:])+o.Uint64(row[i-8:]))
		}
	}
}

// undoFloats undoes predictor 3 (Adobe's TIFF technical note 3): the bytes of a row, the highest of all
// samples first, each less the one before it. The row is left in the file's byte order.
func (m *Image) undoFloats(row []byte) {
	for i := 1; i < len(row); i++ {
		row[i] += row[i-1]
	}
	n := int(m.sampleBytes())
	planes, width := bytes.Clone(row), len(row)/n
	for i := range width {
		for b := range n {
			to := i*n + b
			if m.t.order == binary.ByteOrder(binary.LittleEndian) {
				to = i*n + n - 1 - b
			}
			row[to] = planes[b*width+i]
		}
	}
}

// put writes to the values of a window what it has of the chunk at x, z; nil stands for one that is not in the file,
// which holds only voids, or zeros if the file has no nodata value.
func (m *Image) put(values []float32, w Window, chunk []byte, x, z int64, decode Decoder) {
	from, to := max(x, w.Columns[0]), min(x+m.chunkW, w.Columns[1])
	for row := max(z, w.Rows[0]); row < min(z+m.chunkH, w.Rows[1]); row++ {
		out := values[(row-w.Rows[0])*w.width()+from-w.Columns[0]:][:to-from]
		if chunk != nil {
			decode(out, chunk[((row-z)*m.chunkW+from-x)*m.sampleBytes():], m.t.order)
		}
		if !m.hasNoData {
			continue
		}
		for i, v := range out {
			if chunk == nil || v == m.noData {
				out[i] = float32(math.NaN())
			}
		}
	}
}
