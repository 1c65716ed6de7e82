package tiff

import "errors"

// The codes of TIFF's LZW (TIFF 6.0, §13): nine to twelve bits, the high bit first, and the width grows one
// code earlier than elsewhere, which is why the standard library's compress/lzw does not fit.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwMost  = 4096
)

var errLZW = errors.New("LZW data is damaged")

// unpackLZW fills dst from src and returns how much of it.
func unpackLZW(dst, src []byte) (int, error) {
	var (
		prefix [lzwMost]uint16 // the code before a code's last byte
		first  [lzwMost]byte
		last   [lzwMost]byte
		length [lzwMost]uint16
		next   = lzwFirst
		width  = uint(9)
		before = -1 // the code before this one, −1 after a clear
		bits   uint32
		have   uint
		n      int
	)
	for i := range 256 {
		first[i], last[i], length[i] = byte(i), byte(i), 1
	}
	for n < len(dst) {
		for have < width {
			if len(src) == 0 {
				return n, errLZW
			}
			bits, src, have = bits<<8|uint32(src[0]), src[1:], have+8
		}
		have -= width
		code := int(bits >> have & (1<<width - 1))
		switch {
		case code == lzwEnd:
			return n, nil
		case code == lzwClear:
			next, width, before = lzwFirst, 9, -1
			continue
		case before < 0 && code > 255, code > next, code == next && before < 0:
			return n, errLZW
		}
		// The new entry is the code before and the first byte of this one, which may be that very entry.
		if before >= 0 && next < lzwMost {
			start := first[before]
			if code != next {
				start = first[code]
			}
			prefix[next], first[next], last[next], length[next] = uint16(before), first[before], start, length[before]+1
			next++
		} else if code >= next {
			return n, errLZW
		}
		end := n + int(length[code])
		for at, c := end-1, code; at >= n; at-- { // from the last byte back to the first
			if at < len(dst) {
				dst[at] = last[c]
			}
			c = int(prefix[c])
		}
		n = min(end, len(dst))
		before = code
		if next >= 1<<width-1 && width < 12 {
			width++
		}
	}
	return n, nil
}
