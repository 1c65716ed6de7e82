package wire

import (
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/lattice"
)

// A parseError is one of the exported errors and where it happened. fmt would do the same at more bytes.
type parseError struct {
	kind  error
	where string
}

func (e *parseError) Error() string { return e.kind.Error() + ": " + e.where }
func (e *parseError) Unwrap() error { return e.kind }

func fail(kind error, where string) error { return &parseError{kind, where} }

var (
	errType  = fail(ErrCorrupt, "a field of another type than terrane.proto's")
	errRange = fail(ErrInvalid, "a number that does not fit its field")
)

// A field is one field of a message: a number for varints and fixed sizes, bytes for the rest.
type field struct {
	num   uint64
	typ   protowire.Type
	value uint64
	bytes []byte // a part of the frame
}

// next reads the field at the front of b, which is not empty.
func next(b []byte) (f field, rest []byte, err error) {
	num, typ, n := protowire.ConsumeTag(b)
	if n < 0 {
		return f, nil, fail(ErrCorrupt, protowire.ParseError(n).Error())
	}
	if num > protowire.MaxValidNumber { // ConsumeTag lets it pass, protobuf-go does not
		return f, nil, fail(ErrCorrupt, "invalid field number")
	}
	f.num, f.typ = uint64(num), typ
	b = b[n:]
	switch typ {
	case protowire.VarintType:
		f.value, n = protowire.ConsumeVarint(b)
	case protowire.Fixed32Type:
		var v uint32
		v, n = protowire.ConsumeFixed32(b)
		f.value = uint64(v)
	case protowire.Fixed64Type:
		f.value, n = protowire.ConsumeFixed64(b)
	case protowire.BytesType:
		f.bytes, n = protowire.ConsumeBytes(b)
	default: // a group: skipped, or refused as the wrong type
		n = protowire.ConsumeFieldValue(num, typ, b)
	}
	if n < 0 {
		return f, nil, fail(ErrCorrupt, protowire.ParseError(n).Error())
	}
	return f, b[n:], nil
}

func (f field) uint64(dst *uint64) error {
	if f.typ != protowire.VarintType {
		return errType
	}
	*dst = f.value
	return nil
}

func (f field) uint32(dst *uint32) error {
	if f.typ != protowire.VarintType {
		return errType
	}
	if f.value > math.MaxUint32 {
		return errRange
	}
	*dst = uint32(f.value)
	return nil
}

func (f field) uint16(dst *uint16) error {
	if f.typ != protowire.VarintType {
		return errType
	}
	if f.value > math.MaxUint16 {
		return errRange
	}
	*dst = uint16(f.value)
	return nil
}

// level reads a level that a world can have.
func (f field) level(dst *uint8) error {
	if f.typ != protowire.VarintType {
		return errType
	}
	if f.value > lattice.MaxLevel {
		return fail(ErrInvalid, "a level above the coarsest")
	}
	*dst = uint8(f.value)
	return nil
}

func (f field) bool(dst *bool) error {
	if f.typ != protowire.VarintType {
		return errType
	}
	*dst = f.value != 0
	return nil
}

func (f field) sint64(dst *int64) error {
	if f.typ != protowire.VarintType {
		return errType
	}
	*dst = protowire.DecodeZigZag(f.value)
	return nil
}

func (f field) sint32(dst *int32) error {
	if f.typ != protowire.VarintType {
		return errType
	}
	if f.value > math.MaxUint32 {
		return errRange
	}
	*dst = int32(protowire.DecodeZigZag(f.value))
	return nil
}

func (f field) fixed64(dst *uint64) error {
	if f.typ != protowire.Fixed64Type {
		return errType
	}
	*dst = f.value
	return nil
}

func (f field) float(dst *float32) error {
	if f.typ != protowire.Fixed32Type {
		return errType
	}
	*dst = math.Float32frombits(uint32(f.value))
	return nil
}

// fixedBytes reads bytes whose number is known.
func (f field) fixedBytes(dst []byte) error {
	if f.typ != protowire.BytesType {
		return errType
	}
	if len(f.bytes) != len(dst) {
		return fail(ErrCorrupt, "a hash or an identity of another length")
	}
	copy(dst, f.bytes)
	return nil
}

func (f field) string(dst *string, limit int) error {
	if f.typ != protowire.BytesType {
		return errType
	}
	if len(f.bytes) > limit {
		return fail(ErrTooLarge, "text")
	}
	if !utf8.Valid(f.bytes) {
		return fail(ErrCorrupt, "text that is not UTF-8")
	}
	*dst = string(f.bytes)
	return nil
}

// message returns the bytes of an embedded message.
func (f field) message() ([]byte, error) {
	if f.typ != protowire.BytesType {
		return nil, errType
	}
	return f.bytes, nil
}

// uint64s reads a repeated number, packed or single.
func (f field) uint64s(dst *[]uint64, limit int) error {
	if f.typ == protowire.VarintType {
		if len(*dst) == limit {
			return fail(ErrTooLarge, "list")
		}
		*dst = append(*dst, f.value)
		return nil
	}
	b, err := f.message()
	if err != nil {
		return err
	}
	for len(b) > 0 {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return fail(ErrCorrupt, protowire.ParseError(n).Error())
		}
		if len(*dst) == limit {
			return fail(ErrTooLarge, "list")
		}
		*dst = append(*dst, v)
		b = b[n:]
	}
	return nil
}

func (f field) semantics(dst *[]Semantics) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if len(*dst) == MaxSemantics {
		return fail(ErrTooLarge, "semantics")
	}
	var s Semantics
	for len(b) > 0 && err == nil {
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint16(&s.Kind)
		case 2:
			err = f.uint16(&s.Version)
		}
	}
	*dst = append(*dst, s)
	return err
}

// place reads a place as it stands; whoever uses it checks it.
func (f field) place(dst *lattice.Place) error {
	b, err := f.message()
	for len(b) > 0 && err == nil {
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.sint32(&dst.Sample.X)
		case 2:
			err = f.sint32(&dst.Sample.Y)
		case 3:
			err = f.sint32(&dst.Sample.Z)
		case 4:
			err = f.float(&dst.Offset.X)
		case 5:
			err = f.float(&dst.Offset.Y)
		case 6:
			err = f.float(&dst.Offset.Z)
		}
	}
	return err
}

func (f field) region(dst *lattice.Region) error {
	b, err := f.message()
	for len(b) > 0 && err == nil {
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.level(&dst.Level)
		case 2:
			err = f.sint32(&dst.X)
		case 3:
			err = f.sint32(&dst.Z)
		}
	}
	return err
}

// edit reads an encoded edit as it stands and keeps no part of the frame.
func (f field) edit(dst *[]byte) error {
	if f.typ != protowire.BytesType {
		return errType
	}
	if len(f.bytes) > MaxEdit {
		return fail(ErrTooLarge, "edit")
	}
	*dst = append([]byte(nil), f.bytes...)
	return nil
}

func (f field) piece() (p Piece, err error) {
	b, err := f.message()
	named := false
	for len(b) > 0 && err == nil {
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.sint32(&p.X)
		case 2:
			err = f.sint32(&p.Y)
		case 3:
			err = f.sint32(&p.Z)
		case 4:
			named = true
			err = f.fixedBytes(p.Content[:])
		}
	}
	if err == nil && !named {
		err = fail(ErrCorrupt, "a piece without its hash")
	}
	return p, err
}

func (f field) person() (p Person, err error) {
	b, err := f.message()
	for len(b) > 0 && err == nil {
		if f, b, err = next(b); err != nil {
			break
		}
		switch f.num {
		case 1:
			err = f.uint64(&p.Client)
		case 2:
			err = f.string(&p.Name, MaxName)
		case 3:
			err = f.place(&p.Eye)
		case 4:
			err = f.float(&p.Yaw)
		case 5:
			err = f.float(&p.Pitch)
		}
	}
	if err == nil {
		err = checkView(p.Eye, p.Yaw, p.Pitch)
	}
	return p, err
}

// checkView refuses an eye outside the world and angles that are not numbers.
func checkView(eye lattice.Place, yaw, pitch float32) error {
	if !eye.Valid() {
		return fail(ErrInvalid, "an eye outside the world, or its offset outside [0, 1)")
	}
	if !geom.Finite(yaw) || !geom.Finite(pitch) {
		return fail(ErrInvalid, "an angle that is not finite")
	}
	return nil
}
