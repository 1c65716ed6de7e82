package tiff

import "testing"

func FuzzLZW(f *testing.F) {
	f.Add([]byte{0x80, 0x00, 0x60, 0x50}, 5)
	f.Fuzz(func(t *testing.T, src []byte, n int) {
		dst := make([]byte, n&0xffff)
		if got, _ := unpackLZW(dst, src); got > len(dst) {
			t.Fatalf("%d of %d", got, len(dst))
		}
	})
}
