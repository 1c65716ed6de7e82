package sqlite

import (
	"bytes"
	"io"

	"github.com/terrane/terrane/internal/worldlog"
)

// place is the location of a record.
type place struct {
	offset     int64
	size       int32
	at         uint8 // an index of salvage.files, or inSQLite
	prev, link worldlog.Link
}

// carving is the result of a search for records at every byte of some files. A record that fits a page lies in it in one piece,
// which its magic, size and checksum tell from anything else. What a page held before, and what was never
// committed, is found as well.
type carving struct {
	records map[worldlog.Seq][]place
	metas   []worldlog.Meta
	last    worldlog.Seq
}

// carve looks through a file.
func (c *carving) carve(f io.ReaderAt, at uint8) error {
	const window = 1 << 20
	buf := make([]byte, window+pageSize)
	for offset := int64(0); ; offset += window {
		n, err := f.ReadAt(buf, offset)
		if err != nil && err != io.EOF {
			return err
		}
		c.window(buf[:n], min(n, window), offset, at)
		if n < len(buf) {
			return nil
		}
	}
}

// window takes what starts in the first n bytes of buf.
func (c *carving) window(buf []byte, n int, offset int64, at uint8) {
	for i := 0; i < n; i++ {
		next := bytes.Index(buf[i:], []byte("TR"))
		if next < 0 || i+next >= n {
			return
		}
		i += next
		if size, ok := worldlog.RecordSize(buf[i:]); ok && size <= pageSize && i+size <= len(buf) {
			if e, err := worldlog.ParseRecord(buf[i : i+size]); err == nil {
				link := worldlog.LinkOf(buf[i : i+size])
				c.add(&e, place{offset: offset + int64(i), size: int32(size), at: at, link: link})
			}
		}
		if size, ok := worldlog.MetaSize(buf[i:]); ok && size <= pageSize && i+size <= len(buf) {
			if m, err := worldlog.ParseMeta(buf[i : i+size]); err == nil {
				c.metas = append(c.metas, m)
			}
		}
	}
}

// add takes a record unless it is known from another place.
func (c *carving) add(e *worldlog.Entry, p place) {
	p.prev = e.Prev
	for _, known := range c.records[e.Seq] {
		if known.link == p.link {
			return
		}
	}
	c.records[e.Seq] = append(c.records[e.Seq], p)
	c.last = max(c.last, e.Seq)
}
