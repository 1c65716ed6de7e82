package ingest

import (
	"fmt"
	"math"
)

// Sizes of NIfTI's headers, which are their first word.
const (
	niftiHeader  = 348
	nifti2Header = 540
)

// niftiKinds are the kinds of samples by their code, and niftiForeign the names of those that are not read.
var (
	niftiKinds = map[uint16]Kind{
		2: Uint8, 4: Int16, 8: Int32, 16: Float32, 64: Float64,
		256: Int8, 512: Uint16, 768: Uint32, 1024: Int64, 1280: Uint64,
	}
	niftiForeign = map[uint16]string{
		1: "bits", 32: "complex 32-bit floats", 128: "RGB colors", 1536: "128-bit floats",
		1792: "complex 64-bit floats", 2048: "complex 128-bit floats", 2304: "RGBA colors",
	}
)

// niftiOrder returns the byte order in which the first word is the size of a header.
func niftiOrder(head []byte, size uint32) ByteOrder {
	for _, o := range []ByteOrder{LittleEndian, BigEndian} {
		if len(head) >= 4 && o.order().Uint32(head) == size {
			return o
		}
	}
	return AnyOrder
}

func isNIfTI(head []byte) bool {
	return niftiOrder(head, nifti2Header) != AnyOrder || niftiOrder(head, niftiHeader) != AnyOrder
}

// A nifti is a header of NIfTI-1, read at the offsets of its C structure.
type nifti struct {
	head  []byte
	order ByteOrder
}

func (n nifti) short(at int) int16 { return int16(n.order.order().Uint16(n.head[at:])) }
func (n nifti) float(at int) float64 {
	return float64(math.Float32frombits(n.order.order().Uint32(n.head[at:])))
}
func (n nifti) dim(i int) int64       { return int64(n.short(40 + 2*i)) }
func (n nifti) pixdim(i int) float64  { return n.float(76 + 4*i) }
func (n nifti) magic() string         { return string(n.head[344:347]) }
func (n nifti) srow(i, k int) float64 { return n.float(280 + 16*i + 4*k) }

// readNIfTI reads a NIfTI-1 volume in one file.
func readNIfTI(s *stream, o Options) (*Volume, error) {
	if niftiOrder(s.ahead, nifti2Header) != AnyOrder {
		return nil, fmt.Errorf("%s: %w: NIfTI-2; convert it to NIfTI-1", s.name, ErrUnsupported)
	}
	if len(s.ahead) < niftiHeader {
		return nil, fmt.Errorf("%s: %w: NIfTI: it ends in its header", s.name, ErrCorrupt)
	}
	n := nifti{s.ahead[:niftiHeader], niftiOrder(s.ahead, niftiHeader)}
	switch n.magic() {
	case "n+1":
	case "ni1":
		return nil, fmt.Errorf("%s: %w: NIfTI in two files (.hdr and .img); convert it to one .nii", s.name, ErrUnsupported)
	default:
		return nil, fmt.Errorf("%s: %w: NIfTI: its magic is %q; ANALYZE 7.5 is not read", s.name, ErrUnsupported, n.head[344:348])
	}
	for i := int64(4); i <= min(n.dim(0), 7); i++ {
		if n.dim(int(i)) > 1 {
			return nil, fmt.Errorf("%s: %w: NIfTI of %d dimensions; a volume has three: pick one of its %d frames first", s.name, ErrUnsupported, n.dim(0), n.dim(int(i)))
		}
	}
	if n.dim(0) < 3 || n.dim(0) > 7 {
		return nil, fmt.Errorf("%s: %w: NIfTI of %d dimensions; a volume has three", s.name, ErrUnsupported, n.dim(0))
	}
	code := uint16(n.short(70))
	kind := niftiKinds[code]
	if kind == 0 {
		return nil, fmt.Errorf("%s: %w: NIfTI of type %d %s; integers of 8 to 64 bits and floats of 32 and 64 are read", s.name, ErrUnsupported, code, niftiForeign[code])
	}
	dims := [3]int64{n.dim(1), n.dim(2), n.dim(3)}
	part, err := s.checkVolume(dims, kind, o)
	if err != nil {
		return nil, err
	}
	offset := n.float(108)
	if !(offset >= niftiHeader && offset <= float64(s.most)) {
		return nil, fmt.Errorf("%s: %w: NIfTI: its samples begin at byte %v", s.name, ErrCorrupt, offset)
	}
	if err := s.skip(int64(offset)); err != nil {
		return nil, err
	}
	v, err := s.volume(dims, part, kind, n.order)
	if err != nil {
		return nil, err
	}
	v.Format = fmt.Sprintf("NIfTI-1, %v, %v", kind, n.order)
	v.scale(n.float(112), n.float(116))
	v.placeNIfTI(n)
	return v, nil
}

// scale applies the slope and the intercept of a header; a slope of 0 means none.
func (v *Volume) scale(slope, intercept float64) {
	if !usable(slope) || intercept-intercept != 0 || slope == 1 && intercept == 0 {
		return
	}
	for i, d := range v.Samples {
		v.Samples[i] = finite(float32(slope*float64(d) + intercept))
	}
	v.note("samples are %v times what is stored, plus %v", slope, intercept)
}

// placeNIfTI sets steps and origin in scanner space (x right, y anterior, z superior): by the matrix, else by
// the quaternion, else by the spacing alone (nifti1.h, methods 3, 2 and 1).
func (v *Volume) placeNIfTI(n nifti) {
	v.Unit = map[int16]string{1: "m", 2: "mm", 3: "µm"}[int16(n.head[123]&7)]
	qform, sform := n.short(252), n.short(254)
	switch {
	case sform > 0:
		for row := range 3 {
			for axis := range 3 {
				v.Step[axis][row] = n.srow(row, axis)
			}
			v.Origin[row] = n.srow(row, 3)
		}
	case qform > 0:
		v.placeByQuaternion(n)
	default:
		v.setSpacing(n.pixdim(1), n.pixdim(2), n.pixdim(3))
		v.note("the file says how far apart its samples are, but not how they lie in space")
	}
	for axis := range 3 {
		if s := v.Step[axis]; !usable(s[0]+s[1]+s[2]) && !usable(s[0]*s[0]+s[1]*s[1]+s[2]*s[2]) {
			v.note("the step along axis %d is %v: 1 is assumed", axis+1, s)
			v.Step[axis] = [3]float64{}
			v.Step[axis][axis] = 1
		}
	}
}

func (v *Volume) placeByQuaternion(n nifti) {
	b, c, d := n.float(256), n.float(260), n.float(264)
	a := math.Sqrt(max(0, 1-b*b-c*c-d*d))
	r := [3][3]float64{
		{a*a + b*b - c*c - d*d, 2 * (b*c - a*d), 2 * (b*d + a*c)},
		{2 * (b*c + a*d), a*a + c*c - b*b - d*d, 2 * (c*d - a*b)},
		{2 * (b*d - a*c), 2 * (c*d + a*b), a*a + d*d - b*b - c*c},
	}
	scale := [3]float64{n.pixdim(1), n.pixdim(2), n.pixdim(3)}
	if n.pixdim(0) < 0 { // qfac
		scale[2] = -scale[2]
	}
	for axis := range 3 {
		for row := range 3 {
			v.Step[axis][row] = r[row][axis] * scale[axis]
		}
		v.Origin[axis] = n.float(268 + 4*axis)
	}
}
