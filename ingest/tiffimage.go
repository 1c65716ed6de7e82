package ingest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
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

// A tiffImage is one image of a TIFF, checked: how it is cut into chunks (strips or tiles) and packed.
type tiffImage struct {
	t                 *tiff
	width, height     int64
	chunkW, chunkH    int64 // a strip is as wide as the image
	across, down      int64
	offsets, counts   []int64
	compression       int64
	predictor         int64
	kind              Kind
	noData            float32
	hasNoData, sparse bool
}

// image checks a directory and returns its image.
func (t *tiff) image(dir ifd) (*tiffImage, error) {
	m := &tiffImage{t: t}
	var samples, bits, format int64
	for _, v := range []struct {
		to    *int64
		tag   uint16
		other int64
	}{
		{&m.width, tagWidth, 0}, {&m.height, tagHeight, 0},
		{&samples, tagSamples, 1}, {&bits, tagBits, 1}, {&format, tagSampleFormat, 1},
		{&m.compression, tagCompression, tiffNone}, {&m.predictor, tagPredictor, 1},
		{&m.chunkW, tagTileWidth, 0}, {&m.chunkH, tagTileHeight, 0},
	} {
		var err error
		if *v.to, err = t.int(dir, v.tag, v.other); err != nil {
			return nil, err
		}
	}
	if m.width < 1 || m.height < 1 {
		return nil, t.corrupt("%d×%d samples", m.width, m.height)
	}
	if samples != 1 {
		return nil, fmt.Errorf("%s: %w: TIFF of %d bands; a heightmap has one: pick it with gdal_translate -b 1", t.f.Name, ErrUnsupported, samples)
	}
	if err := m.setKind(bits, format); err != nil {
		return nil, err
	}
	switch m.compression {
	case tiffNone, tiffLZW, tiffDeflate, tiffOldDeflate:
	default:
		name := tiffForeign[m.compression]
		return nil, fmt.Errorf("%s: %w: TIFF compression %d %s; none, LZW and deflate are read", t.f.Name, ErrUnsupported, m.compression, name)
	}
	if m.predictor < 1 || m.predictor > 3 || m.predictor == 3 && !m.kind.Float() {
		return nil, fmt.Errorf("%s: %w: TIFF predictor %d on %d-bit samples", t.f.Name, ErrUnsupported, m.predictor, bits)
	}
	none, ok, err := t.noData(dir)
	if err != nil {
		return nil, err
	}
	m.noData, m.hasNoData = float32(none), ok // writers print a float32 with fewer digits than it has
	return m, m.setChunks(dir)
}

// The sample formats of TIFF.
const (
	formatUnsigned = 1
	formatSigned   = 2
	formatFloat    = 3
)

// tiffKinds are the kinds of samples by their format and bits.
var tiffKinds = map[[2]int64]Kind{
	{formatUnsigned, 8}: Uint8, {formatUnsigned, 16}: Uint16, {formatUnsigned, 32}: Uint32,
	{formatSigned, 8}: Int8, {formatSigned, 16}: Int16, {formatSigned, 32}: Int32,
	{formatFloat, 32}: Float32, {formatFloat, 64}: Float64,
}

// setKind finds the kind of samples.
func (m *tiffImage) setKind(bits, format int64) error {
	m.kind = tiffKinds[[2]int64{format, bits}]
	if m.kind == 0 {
		names := map[int64]string{formatUnsigned: "unsigned", formatSigned: "signed", formatFloat: "float", 5: "complex integer", 6: "complex float"}
		return fmt.Errorf("%s: %w: TIFF of %d-bit %s samples; integers of 8, 16 and 32 bits and floats of 32 and 64 are read",
			m.t.f.Name, ErrUnsupported, bits, names[format])
	}
	return nil
}

// setChunks finds the strips or tiles and checks that each lies in the file.
func (m *tiffImage) setChunks(dir ifd) (err error) {
	offsets, counts := uint16(tagTileOffsets), uint16(tagTileBytes)
	if m.chunkW == 0 && m.chunkH == 0 {
		offsets, counts = tagStripOffsets, tagStripBytes
		m.chunkW = m.width
		if m.chunkH, err = m.t.int(dir, tagRowsPerStrip, m.height); err != nil {
			return err
		}
		m.chunkH = min(m.chunkH, m.height)
	} else if m.chunkW > maxTileDim || m.chunkH > maxTileDim {
		return fmt.Errorf("%s: %w: TIFF tiles of %d×%d samples; up to %d a side are read", m.t.f.Name, ErrTooLarge, m.chunkW, m.chunkH, maxTileDim)
	}
	if m.chunkW < 1 || m.chunkH < 1 {
		return m.t.corrupt("chunks of %d×%d samples", m.chunkW, m.chunkH)
	}
	m.across, m.down = (m.width+m.chunkW-1)/m.chunkW, (m.height+m.chunkH-1)/m.chunkH
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
		if at > m.t.f.Size || m.counts[i] > m.t.f.Size-at {
			return m.t.corrupt("chunk %d lies at bytes %d … %d of a file of %d", i, at, at+m.counts[i], m.t.f.Size)
		}
	}
	return nil
}

// read returns the samples of the given columns and rows, row by row, NaN for those that are none.
func (m *tiffImage) read(o Options, columns, rows Range) ([]float32, error) {
	if m.chunkW > o.maxSamples()/m.chunkH {
		return nil, fmt.Errorf("%s: %w: TIFF chunks of %d×%d samples; at most %d are read", m.t.f.Name, ErrTooMany, m.chunkW, m.chunkH, o.maxSamples())
	}
	// What the packed bytes can hold at most bounds what is allocated for them; a chunk that is not in the
	// file at all (GDAL leaves out those without data) costs nothing to say and is bounded by the tag lists.
	packed := int64(0)
	for _, n := range m.counts {
		packed += n
	}
	if !m.sparse && packed*lzwRatio < m.width*m.height*m.kind.Bytes() {
		return nil, m.t.corrupt("%d packed bytes cannot hold %d×%d samples", packed, m.width, m.height)
	}
	w := window{columns, rows, make([]float32, columns.len()*rows.len())}
	var chunk []byte
	for i := range m.offsets {
		x, z := int64(i)%m.across*m.chunkW, int64(i)/m.across*m.chunkH
		if x >= int64(columns.To) || x+m.chunkW <= int64(columns.From) || z >= int64(rows.To) || z+m.chunkH <= int64(rows.From) {
			continue
		}
		high := m.chunkH
		if m.chunkW == m.width { // the last strip may be short; tiles are always whole
			high = min(high, m.height-z)
		}
		if m.counts[i] == 0 {
			m.put(w, nil, x, z)
			continue
		}
		need := m.chunkW * high * m.kind.Bytes()
		if m.counts[i]*lzwRatio < need {
			return nil, m.t.corrupt("the %d bytes of chunk %d cannot hold %d×%d samples", m.counts[i], i, m.chunkW, high)
		}
		if int64(len(chunk)) < need {
			chunk = make([]byte, need)
		}
		if err := m.unpack(chunk[:need], i); err != nil {
			return nil, err
		}
		m.put(w, chunk[:need], x, z)
	}
	return w.values, nil
}

// A window is the part of an image that is read.
type window struct {
	columns, rows Range
	values        []float32
}

// lzwRatio is more than LZW packs: a code of 12 bits stands for up to 3,838 bytes.
const lzwRatio = 4096

// unpack fills dst with the bytes of chunk i, the predictor undone.
func (m *tiffImage) unpack(dst []byte, i int) error {
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
	row := int(m.chunkW * m.kind.Bytes())
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
func (m *tiffImage) undoDifferences(row []byte) {
	o, n := m.t.order, int(m.kind.Bytes())
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
func (m *tiffImage) undoFloats(row []byte) {
	for i := 1; i < len(row); i++ {
		row[i] += row[i-1]
	}
	n := int(m.kind.Bytes())
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

// put writes what w has of the chunk at x, z; nil stands for one that is not in the file, which holds nothing but
// voids or, where there is no word for those, zeros.
func (m *tiffImage) put(w window, chunk []byte, x, z int64) {
	from, to := max(x, int64(w.columns.From)), min(x+m.chunkW, int64(w.columns.To))
	for row := max(z, int64(w.rows.From)); row < min(z+m.chunkH, int64(w.rows.To)); row++ {
		at := (row-int64(w.rows.From))*int64(w.columns.len()) + from - int64(w.columns.From)
		out := w.values[at:][:to-from]
		if chunk != nil {
			m.kind.decode(out, chunk[((row-z)*m.chunkW+from-x)*m.kind.Bytes():], m.t.order)
		}
		if !m.hasNoData {
			continue
		}
		for i, v := range out {
			if chunk == nil || v == m.noData {
				out[i] = nan
			}
		}
	}
}
