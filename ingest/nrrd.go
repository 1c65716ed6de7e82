package ingest

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
)

// Limits of a NRRD header.
const (
	maxNRRDLine   = 1 << 12
	maxNRRDHeader = 1 << 16
)

// nrrdKinds are the kinds of samples by every name that the format's definition gives them.
var nrrdKinds = map[string]Kind{
	"signed char": Int8, "int8": Int8, "int8_t": Int8,
	"uchar": Uint8, "unsigned char": Uint8, "uint8": Uint8, "uint8_t": Uint8,
	"short": Int16, "short int": Int16, "signed short": Int16, "signed short int": Int16, "int16": Int16, "int16_t": Int16,
	"ushort": Uint16, "unsigned short": Uint16, "unsigned short int": Uint16, "uint16": Uint16, "uint16_t": Uint16,
	"int": Int32, "signed int": Int32, "int32": Int32, "int32_t": Int32,
	"uint": Uint32, "unsigned int": Uint32, "uint32": Uint32, "uint32_t": Uint32,
	"longlong": Int64, "long long": Int64, "long long int": Int64, "signed long long": Int64, "signed long long int": Int64, "int64": Int64, "int64_t": Int64,
	"ulonglong": Uint64, "unsigned long long": Uint64, "unsigned long long int": Uint64, "uint64": Uint64, "uint64_t": Uint64,
	"float": Float32, "double": Float64,
}

// A nrrd is a header: its fields by their names, in lower case and without spaces.
type nrrd struct {
	name   string
	fields map[string]string
}

func (n *nrrd) corrupt(format string, args ...any) error {
	return fmt.Errorf("%s: %w: NRRD: %s", n.name, ErrCorrupt, fmt.Sprintf(format, args...))
}

func (n *nrrd) unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w: NRRD: %s", n.name, ErrUnsupported, fmt.Sprintf(format, args...))
}

// readNRRD reads a NRRD with its samples in the same file or in another.
func readNRRD(s *stream, o Options) (*Volume, error) {
	buffered := bufio.NewReaderSize(s.r, maxNRRDLine)
	s.r = buffered
	n, err := parseNRRD(s.name, buffered)
	if err != nil {
		return nil, err
	}
	kind := nrrdKinds[strings.ToLower(n.fields["type"])]
	if kind == 0 {
		return nil, n.unsupported("type %.40q; integers of 8 to 64 bits, float and double are read", n.fields["type"])
	}
	dims, err := n.dims()
	if err != nil {
		return nil, err
	}
	if s, err = n.data(s, o); err != nil {
		return nil, err
	}
	v, err := n.samples(s, dims, kind, o)
	if err != nil {
		return nil, err
	}
	if err := n.place(v); err != nil {
		return nil, err
	}
	return v, nil
}

// parseNRRD reads the magic and the fields up to the empty line, or to the end of a detached header.
func parseNRRD(name string, r *bufio.Reader) (*nrrd, error) {
	n := &nrrd{name: name, fields: map[string]string{}}
	total := 0
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		total += len(line)
		if err == bufio.ErrBufferFull || total > maxNRRDHeader {
			return nil, n.corrupt("a header line of more than %d bytes, or a header of more than %d", maxNRRDLine, maxNRRDHeader)
		}
		if err != nil && err != io.EOF {
			return nil, n.corrupt("%v", err)
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" || err == io.EOF && len(line) == 0 {
			return n, nil
		}
		switch key, value, field := strings.Cut(text, ":"); {
		case first:
			if len(text) < 8 || text[:7] != "NRRD000" || text[7] < '1' || text[7] > '5' {
				return nil, n.unsupported("version %.16q; NRRD0001 to NRRD0005 are read", text)
			}
		case text[0] == '#' || field && strings.HasPrefix(value, "="): // a comment; a key of the author's own
		case !field:
			return nil, n.corrupt("the header line %.60q is no field", text)
		default:
			key = strings.ToLower(strings.ReplaceAll(key, " ", ""))
			n.fields[key] = strings.TrimSpace(value)
		}
	}
}

// dims returns the sizes of the three axes.
func (n *nrrd) dims() (dims [3]int64, err error) {
	if d := n.fields["dimension"]; d != "3" {
		return dims, n.unsupported("%.20s dimensions; a volume has three", d)
	}
	sizes := strings.Fields(n.fields["sizes"])
	if len(sizes) != 3 {
		return dims, n.corrupt("sizes %.60q for three axes", n.fields["sizes"])
	}
	for i, word := range sizes {
		if dims[i], err = strconv.ParseInt(word, 10, 32); err != nil || dims[i] < 1 {
			return dims, n.corrupt("size %.40q", word)
		}
	}
	return dims, nil
}

// data returns the stream that holds the samples, at their first byte or line.
func (n *nrrd) data(s *stream, o Options) (*stream, error) {
	file := n.fields["datafile"]
	if file != "" {
		if strings.HasPrefix(file, "LIST") || strings.Contains(file, "%") {
			return nil, n.unsupported("samples in many files (%.60q)", file)
		}
		if o.Beside == nil || strings.ContainsAny(file, `/\`) || file == ".." {
			return nil, n.unsupported("its samples lie in %.120q, and only a file in its own folder is opened", file)
		}
		f, err := o.Beside(file)
		if err != nil {
			return nil, n.unsupported("its samples lie in %s: %v", path.Base(file), err)
		}
		s = &stream{name: f.Name, r: bufio.NewReader(io.NewSectionReader(f, 0, f.Size)), most: f.Size}
	}
	lines, err := n.count("lineskip")
	if err != nil {
		return nil, err
	}
	for ; lines > 0; lines-- {
		for {
			_, err := s.r.(*bufio.Reader).ReadSlice('\n')
			if err == nil {
				break
			}
			if err != bufio.ErrBufferFull {
				return nil, n.corrupt("it ends within the lines to skip")
			}
		}
	}
	return s, nil
}

// count returns a field that is a number from −1 on, 0 if it is not there.
func (n *nrrd) count(field string) (int64, error) {
	text, ok := n.fields[field]
	if !ok {
		return 0, nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < -1 || field == "lineskip" && v < 0 {
		return 0, n.corrupt("%s %.40q", field, text)
	}
	return v, nil
}

// samples reads the samples from s as the encoding says.
func (n *nrrd) samples(s *stream, dims [3]int64, kind Kind, o Options) (*Volume, error) {
	skip, err := n.count("byteskip")
	if err != nil {
		return nil, err
	}
	encoding, order := strings.ToLower(n.fields["encoding"]), LittleEndian
	switch e := strings.ToLower(n.fields["endian"]); {
	case e == "big":
		order = BigEndian
	case e == "" && kind.Bytes() > 1 && encoding != "ascii" && encoding != "text" && encoding != "txt":
		return nil, n.corrupt("no endian field for samples of %d bytes", kind.Bytes())
	case e != "" && e != "little":
		return nil, n.corrupt("endian %.40q", e)
	}
	need := dims[0] * dims[1] * dims[2] * kind.Bytes()
	switch encoding {
	case "raw":
		if skip == -1 { // the samples are the last bytes
			if skip = s.most - need; s.packed || skip < 0 || s.name == n.name {
				return nil, n.unsupported("byte skip −1 in a file that also holds the header, or is too short")
			}
		}
	case "gzip", "gz":
		z, err := gzip.NewReader(s.r)
		if err != nil {
			return nil, n.corrupt("gzip: %v", err)
		}
		s = &stream{name: s.name, r: z, most: s.most * deflateRatio, packed: true}
	case "bzip2", "bz2":
		s = &stream{name: s.name, r: bzip2.NewReader(s.r), most: s.most * bzipRatio, packed: true}
	case "ascii", "text", "txt":
		return n.text(s, dims, kind, o)
	default:
		return nil, n.unsupported("encoding %.40q; raw, gzip, bzip2 and ascii are read", encoding)
	}
	part, err := s.checkVolume(dims, kind, o)
	if err != nil {
		return nil, err
	}
	if err := s.skip(max(skip, 0)); err != nil {
		return nil, err
	}
	v, err := s.volume(dims, part, kind, order)
	if err != nil {
		return nil, err
	}
	v.Format = fmt.Sprintf("NRRD, %v, %s", kind, encoding)
	return v, nil
}

// bzipRatio bounds what bzip2 packs: 900,000 bytes into 40, said to be the best.
const bzipRatio = 25000

// text reads samples that are words.
func (n *nrrd) text(s *stream, dims [3]int64, kind Kind, o Options) (*Volume, error) {
	// Two bytes a sample, a digit and the space after it, make checkVolume's comparison right.
	part, err := o.cropVolume(n.name, dims)
	if err != nil {
		return nil, err
	}
	whole := o
	whole.Crop = [3]Range{} // all of it is read before a part is taken
	if _, err := s.checkVolume(dims, Int8, whole); err != nil {
		return nil, err
	}
	v := newVolume([3]int{int(dims[0]), int(dims[1]), int(dims[2])}, kind)
	v.Format = fmt.Sprintf("NRRD, %v, ascii", kind)
	words := bufio.NewScanner(s.r)
	words.Split(bufio.ScanWords)
	for i := range v.Samples {
		if !words.Scan() {
			return nil, n.corrupt("%d samples of %d", i, len(v.Samples))
		}
		word := string(bytes.TrimRight(words.Bytes(), ","))
		d, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, n.corrupt("sample %d is %.40q", i, word)
		}
		v.Samples[i] = finite(float32(d))
	}
	if o.cropped() {
		v.crop(part)
	}
	return v, nil
}

// place sets steps, origin and unit.
func (n *nrrd) place(v *Volume) error {
	v.Unit = strings.Trim(firstWord(n.fields["spaceunits"], n.fields["units"]), `"`)
	if v.Unit == "um" || v.Unit == "microns" {
		v.Unit = "µm"
	}
	switch directions, spacings := n.fields["spacedirections"], n.fields["spacings"]; {
	case directions != "":
		steps, err := n.vectors(directions, 3)
		if err != nil {
			return err
		}
		copy(v.Step[:], steps)
	case spacings != "":
		words := strings.Fields(spacings)
		if len(words) != 3 {
			return n.corrupt("spacings %.60q for three axes", spacings)
		}
		for axis, word := range words {
			d, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return n.corrupt("spacing %.40q", word)
			}
			if math.IsNaN(d) {
				d = 1
				v.note("the spacing along axis %d is not known: 1 is assumed", axis+1)
			}
			if !usable(d) {
				return n.corrupt("spacing %v along axis %d", d, axis+1)
			}
			v.Step[axis][axis] = d
		}
	default:
		v.note("the file does not say how far apart its samples are: 1 is assumed")
	}
	if origin := n.fields["spaceorigin"]; origin != "" {
		at, err := n.vectors(origin, 1)
		if err != nil {
			return err
		}
		v.Origin = at[0]
	}
	n.setSpace(v)
	return nil
}

// leftHanded are the spaces whose first axis makes them mirror images of what they show (NRRD's definition, §5).
var leftHanded = map[string]bool{
	"left-anterior-superior": true, "las": true, "left-anterior-superior-time": true, "last": true,
	"3d-left-handed": true, "3d-left-handed-time": true,
}

// setSpace notes the space and reverses the first axis of a left-handed one, so that left stays left in programs whose
// space is right-handed.
func (n *nrrd) setSpace(v *Volume) {
	space := n.fields["space"]
	switch {
	case leftHanded[strings.ToLower(space)]:
		for axis := range v.Step {
			v.Step[axis][0] = 0 - v.Step[axis][0]
		}
		v.Origin[0] = 0 - v.Origin[0]
		v.note("its space, %.60s, is left-handed: its first axis was turned round", space)
	case space != "":
		v.note("its space is %.60s", space)
	}
}

func firstWord(texts ...string) string {
	for _, text := range texts {
		if words := strings.Fields(text); len(words) > 0 {
			return words[0]
		}
	}
	return ""
}

// vectors reads count vectors like (1,0,0.5).
func (n *nrrd) vectors(text string, count int) ([][3]float64, error) {
	var list [][3]float64
	for rest := text; ; {
		open := strings.IndexByte(rest, '(')
		if open < 0 {
			break
		}
		inside, after, ok := strings.Cut(rest[open+1:], ")")
		parts := strings.Split(inside, ",")
		if !ok || len(parts) != 3 || len(list) == count {
			return nil, n.corrupt("%.80q is not %d vectors of three numbers", text, count)
		}
		var v [3]float64
		for i, part := range parts {
			d, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil || d-d != 0 {
				return nil, n.corrupt("%.80q is not %d vectors of three numbers", text, count)
			}
			v[i] = d
		}
		list, rest = append(list, v), after
	}
	if len(list) != count {
		return nil, n.unsupported("%.80q is not %d vectors of three numbers", text, count)
	}
	return list, nil
}
