package wire

import (
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

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

// A coder writes messages or reads them by one and the same description: a loop over step whose body calls one
// method for each field, with its number and where its value lies. Writing, the body runs once and each method
// appends its field. Reading, it runs once for every field of the frame, and the method with that field's number
// takes it; a number that no method has is skipped. The largest message has eleven fields, so that trying them all
// costs less than a table would.
//
// The small methods that the others share are not inlined: copied into each of them they make the WebAssembly larger
// than a separate loop for each message.
type coder struct {
	writing bool
	written bool   // writing: the body of the present loop has run
	dst     []byte // writing: what is written

	rest []byte // reading: what is still to be read of the present message
	f    field  // reading: the present field
	err  error  // reading: the first error; it ends every loop
}

// A field is one field of a message: a number for varints and fixed sizes, bytes for the rest.
type field struct {
	num   uint64
	typ   protowire.Type
	value uint64
	bytes []byte // a part of the frame
}

// step reports whether the body that describes a message is to run (again).
//
//go:noinline
func (c *coder) step() bool {
	if c.writing {
		c.written = !c.written
		return c.written
	}
	if len(c.rest) == 0 || c.err != nil {
		return false
	}
	c.f, c.rest, c.err = next(c.rest)
	return c.err == nil
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

// is reports whether the field being read is number num, which must have the type typ.
//
//go:noinline
func (c *coder) is(num uint64, typ protowire.Type) bool {
	if c.f.num != num {
		return false
	}
	if c.f.typ != typ {
		c.err = errType
		return false
	}
	return true
}

// tag appends the tag of a field.
//
//go:noinline
func (c *coder) tag(num uint64, typ protowire.Type) {
	c.dst = protowire.AppendTag(c.dst, protowire.Number(num), typ)
}

// An outer is the state of a coder before it entered a message inside another.
type outer struct {
	mark int // writing: where the inner message begins
	rest []byte
}

// enter begins the message in the field num; ok is false if, reading, the present field is another. leave ends it.
//
//go:noinline
func (c *coder) enter(num uint64) (o outer, ok bool) {
	if c.writing {
		c.tag(num, protowire.BytesType)
		c.written = false
		return outer{mark: len(c.dst)}, true
	}
	if !c.is(num, protowire.BytesType) {
		return outer{}, false
	}
	o.rest, c.rest = c.rest, c.f.bytes
	return o, true
}

//go:noinline
func (c *coder) leave(o outer) {
	if c.writing {
		c.prefix(o.mark)
		c.written = true
		return
	}
	c.rest, c.f = o.rest, field{}
}

// prefix puts the length of what was written since mark before it.
func (c *coder) prefix(mark int) {
	n := len(c.dst) - mark
	var size [10]byte
	s := protowire.AppendVarint(size[:0], uint64(n))
	c.dst = append(c.dst, s...)
	copy(c.dst[mark+len(s):], c.dst[mark:mark+n])
	copy(c.dst[mark:], s)
}

// room reports whether a list of n elements may grow, or refuses.
//
//go:noinline
func (c *coder) room(n, limit int, name string) bool {
	if n == limit {
		c.err = fail(ErrTooLarge, name)
		return false
	}
	return true
}

// Single values are left out where they are zero, as proto3 does, except for hashes.

// varint writes v; or returns what is read in its place, which is at most limit, and v if that is another field.
func (c *coder) varint(num, v, limit uint64) uint64 {
	switch {
	case c.writing:
		if v != 0 {
			c.tag(num, protowire.VarintType)
			c.dst = protowire.AppendVarint(c.dst, v)
		}
	case !c.is(num, protowire.VarintType):
	case c.f.value > limit:
		c.err = errRange
	default:
		return c.f.value
	}
	return v
}

func (c *coder) uint64(num uint64, v *uint64) { *v = c.varint(num, *v, math.MaxUint64) }

func (c *coder) uint32(num uint64, v *uint32) {
	*v = uint32(c.varint(num, uint64(*v), math.MaxUint32))
}

func (c *coder) uint16(num uint64, v *uint16) {
	*v = uint16(c.varint(num, uint64(*v), math.MaxUint16))
}

func (c *coder) sint64(num uint64, v *int64) {
	*v = protowire.DecodeZigZag(c.varint(num, protowire.EncodeZigZag(*v), math.MaxUint64))
}

func (c *coder) sint32(num uint64, v *int32) {
	*v = int32(protowire.DecodeZigZag(c.varint(num, protowire.EncodeZigZag(int64(*v)), math.MaxUint32)))
}

func (c *coder) bool(num uint64, v *bool) {
	var bit uint64
	if *v {
		bit = 1
	}
	*v = c.varint(num, bit, math.MaxUint64) != 0
}

// level writes or reads a level; it reads only what a world can have.
func (c *coder) level(num uint64, v *uint8) {
	n := c.varint(num, uint64(*v), math.MaxUint64)
	if !c.writing && n > lattice.MaxLevel {
		c.err = fail(ErrInvalid, "a level above the coarsest")
		return
	}
	*v = uint8(n)
}

func (c *coder) fixed64(num uint64, v *uint64) {
	switch {
	case c.writing:
		if *v != 0 {
			c.tag(num, protowire.Fixed64Type)
			c.dst = protowire.AppendFixed64(c.dst, *v)
		}
	case c.is(num, protowire.Fixed64Type):
		*v = c.f.value
	}
}

func (c *coder) float(num uint64, v *float32) {
	switch {
	case c.writing:
		if bits := math.Float32bits(*v); bits != 0 {
			c.tag(num, protowire.Fixed32Type)
			c.dst = protowire.AppendFixed32(c.dst, bits)
		}
	case c.is(num, protowire.Fixed32Type):
		*v = math.Float32frombits(uint32(c.f.value))
	}
}

// bytes appends a field of bytes.
//
//go:noinline
func (c *coder) bytes(num uint64, v []byte) {
	c.tag(num, protowire.BytesType)
	c.dst = protowire.AppendBytes(c.dst, v)
}

// hash writes bytes whose number is known, zeros too, or reads them. It reports whether it did.
func (c *coder) hash(num uint64, v []byte) bool {
	if c.writing {
		c.bytes(num, v)
		return true
	}
	if !c.is(num, protowire.BytesType) {
		return false
	}
	if len(c.f.bytes) != len(v) {
		c.err = fail(ErrCorrupt, "a hash or an identity of another length")
	}
	copy(v, c.f.bytes)
	return true
}

func (c *coder) string(num uint64, v *string, limit int) {
	if c.writing {
		if *v != "" {
			c.bytes(num, []byte(*v))
		}
		return
	}
	switch {
	case !c.is(num, protowire.BytesType):
	case len(c.f.bytes) > limit:
		c.err = fail(ErrTooLarge, "text")
	case !utf8.Valid(c.f.bytes):
		c.err = fail(ErrCorrupt, "text that is not UTF-8")
	default:
		*v = string(c.f.bytes)
	}
}

// edit writes or reads an encoded edit as it stands; what is read keeps no part of the frame.
func (c *coder) edit(num uint64, v *[]byte) {
	switch {
	case c.writing:
		if len(*v) > 0 {
			c.bytes(num, *v)
		}
	case !c.is(num, protowire.BytesType):
	case len(c.f.bytes) > MaxEdit:
		c.err = fail(ErrTooLarge, "edit")
	default:
		*v = append([]byte(nil), c.f.bytes...)
	}
}

// uint64s writes a repeated number packed, or reads a part of it, packed or single.
func (c *coder) uint64s(num uint64, v *[]uint64, limit int) {
	if c.writing {
		if len(*v) > 0 {
			o, _ := c.enter(num)
			for _, n := range *v {
				c.dst = protowire.AppendVarint(c.dst, n)
			}
			c.leave(o)
		}
		return
	}
	if c.f.num == num && c.f.typ == protowire.VarintType {
		c.add(v, c.f.value, limit)
		return
	}
	if !c.is(num, protowire.BytesType) {
		return
	}
	for b := c.f.bytes; len(b) > 0 && c.err == nil; {
		n, size := protowire.ConsumeVarint(b)
		if size < 0 {
			c.err = fail(ErrCorrupt, protowire.ParseError(size).Error())
			return
		}
		c.add(v, n, limit)
		b = b[size:]
	}
}

// add appends a number that was read to a list.
//
//go:noinline
func (c *coder) add(v *[]uint64, n uint64, limit int) {
	if c.room(len(*v), limit, "list") {
		*v = append(*v, n)
	}
}
