package codec

import (
	"encoding/binary"
	"io"
	"math"
)

// flushAt is the number of bytes that a writer gathers before it hands them on.
const flushAt = 1 << 16

// A writer gathers bytes and hands them on in large pieces. The first error stays.
type writer struct {
	w   io.Writer
	buf []byte
	err error
}

func newWriter(w io.Writer) *writer { return &writer{w: w, buf: make([]byte, 0, flushAt+256)} }

// room hands on what has been gathered if it is much.
func (w *writer) room() {
	if len(w.buf) >= flushAt {
		w.flush()
	}
}

// flush hands on what has been gathered and returns the first error of all.
func (w *writer) flush() error {
	if w.err == nil {
		_, w.err = w.w.Write(w.buf)
	}
	w.buf = w.buf[:0]
	return w.err
}

func (w *writer) string(s string) { w.buf = append(w.buf, s...) }

func (w *writer) u32(v uint32) { w.buf = binary.LittleEndian.AppendUint32(w.buf, v) }

func (w *writer) f32s(v ...float32) {
	for _, f := range v {
		w.u32(math.Float32bits(f))
	}
}
