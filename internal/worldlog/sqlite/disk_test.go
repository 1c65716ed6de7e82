package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/vfs"

	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

const sectorSize = 512

// errPower is what every operation answers once the power is gone.
var errPower = errors.New("disk: no power")

// A disk is a file system in memory that keeps apart what programs see and what a power cut would leave.
// A file's content is left as it was at its last sync, with any mixture of the writes since: each sector of 512
// bytes has some of them, whichever came last in program order first or not, and may be torn at any byte of what
// was written to it. Names are left as of the folder's last sync with a prefix of what was done to them since, as
// file systems with a journal do.
type disk struct {
	mu    sync.Mutex // guards the rest
	rng   *rand.Rand
	names map[string]*inode // as programs see them
	kept  map[string]*inode // as of the last sync of the folder
	moves []move            // since then

	operations int                    // done so far
	cutAt      int                    // the power fails before this operation, 0 for never
	capacity   int                    // bytes that all files may hold, 0 for no bound
	noSync     func(name string) bool // a sync of the file does nothing, and answers well
	failSync   func(name string) bool // a sync of the file answers an error and loses what it should have written
	failWrite  func(name string) bool // a write to the file answers an error
}

// inode is a file apart from its name.
type inode struct {
	seen   []byte // as programs see it
	synced []byte
	writes []writeOp // since the last sync
	locks  int       // −1 for an exclusive one
}

// writeOp is a write, or with nil data a change of the size to at.
type writeOp struct {
	at   int64
	data []byte
}

// move is a change of names: from is gone, to is the inode.
type move struct {
	from, to string
	inode    *inode
}

var disks atomic.Int64

// newDisk returns an empty disk, registered with SQLite, and the system on it.
func newDisk(t testing.TB, seed uint64) (*disk, system) {
	d := &disk{
		rng:   rand.New(rand.NewPCG(seed, 1)),
		names: make(map[string]*inode),
		kept:  make(map[string]*inode),
	}
	return d, d.system(t)
}

func (d *disk) system(t testing.TB) system {
	name := fmt.Sprintf("disk-%d", disks.Add(1))
	vfs.Register(name, files.VFS{System: d})
	vfs.Register(name+"-read-only", files.VFS{System: d, ReadOnly: true})
	t.Cleanup(func() {
		vfs.Unregister(name)
		vfs.Unregister(name + "-read-only")
	})
	return system{files: d, vfs: name, now: time.Now, checkpointEvery: 24 << 10}
}

// arm sets the power to fail before the n-th operation from now, 0 for never, and takes syncs away, if noSync is
// not nil.
func (d *disk) arm(n int, noSync func(string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.noSync = noSync
	if d.cutAt = 0; n > 0 {
		d.cutAt = d.operations + n
	}
}

// step counts an operation and says whether there is power for it. d.mu is held.
func (d *disk) step() error {
	d.operations++
	if d.cutAt > 0 && d.operations >= d.cutAt {
		return errPower
	}
	return nil
}

func (d *disk) hasPower() error {
	if d.cutAt > 0 && d.operations >= d.cutAt {
		return errPower
	}
	return nil
}

func (d *disk) Open(name string, flag int) (files.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.hasPower(); err != nil {
		return nil, err
	}
	n := d.names[name]
	if n == nil {
		if flag&os.O_CREATE == 0 {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		if err := d.step(); err != nil {
			return nil, err
		}
		n = &inode{}
		d.names[name] = n
		d.moves = append(d.moves, move{to: name, inode: n})
	}
	return &diskFile{disk: d, inode: n, name: name}, nil
}

func (d *disk) Size(name string) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.hasPower(); err != nil {
		return 0, err
	}
	if n := d.names[name]; n != nil {
		return int64(len(n.seen)), nil
	}
	return 0, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

func (d *disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	if err := d.step(); err != nil {
		return err
	}
	delete(d.names, name)
	d.moves = append(d.moves, move{from: name})
	return nil
}

func (d *disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	n := d.names[from]
	if n == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	delete(d.names, from)
	d.names[to] = n
	d.moves = append(d.moves, move{from, to, n})
	return nil
}

func (d *disk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	if d.noSync == nil || !d.noSync(name) {
		d.kept = maps.Clone(d.names)
		d.moves = nil
	}
	return nil
}

// powerCut returns the disk that the computer finds when it starts again.
func (d *disk) powerCut(t testing.TB) (*disk, system) {
	d.mu.Lock()
	defer d.mu.Unlock()
	names := maps.Clone(d.kept)
	for _, m := range d.moves[:d.rng.IntN(len(d.moves)+1)] {
		delete(names, m.from)
		if m.to != "" {
			names[m.to] = m.inode
		}
	}
	after, y := newDisk(t, d.rng.Uint64())
	for _, name := range slices.Sorted(maps.Keys(names)) {
		left := names[name].left(d.rng)
		n := &inode{seen: left, synced: slices.Clone(left)}
		after.names[name], after.kept[name] = n, n
	}
	return after, y
}

// left returns what is left of a file.
func (n *inode) left(rng *rand.Rand) []byte {
	if len(n.writes) == 0 {
		return slices.Clone(n.synced)
	}
	sizes := []int{len(n.synced)}
	sectors := make(map[int][][]byte) // the states that each touched sector had
	at := func(s int) []byte {
		if states := sectors[s]; len(states) > 0 {
			return states[len(states)-1]
		}
		state := make([]byte, sectorSize)
		if s*sectorSize < len(n.synced) {
			copy(state, n.synced[s*sectorSize:])
		}
		sectors[s] = append(sectors[s], state)
		return state
	}
	size := len(n.synced)
	for _, w := range n.writes {
		if w.data == nil {
			size = int(w.at)
		}
		for pos, data := int(w.at), w.data; len(data) > 0; {
			s, off := pos/sectorSize, pos%sectorSize
			part := data[:min(len(data), sectorSize-off)]
			state := slices.Clone(at(s))
			if torn := rng.IntN(8) == 0 && len(part) > 1; torn {
				half := slices.Clone(state)
				copy(half[off:], part[:1+rng.IntN(len(part)-1)])
				sectors[s] = append(sectors[s], half)
			}
			copy(state[off:], part)
			sectors[s] = append(sectors[s], state)
			pos, data = pos+len(part), data[len(part):]
			size = max(size, pos)
		}
		sizes = append(sizes, size)
	}
	left := make([]byte, sizes[rng.IntN(len(sizes))])
	copy(left, n.synced)
	for _, s := range slices.Sorted(maps.Keys(sectors)) {
		if s*sectorSize < len(left) {
			states := sectors[s]
			copy(left[s*sectorSize:], states[rng.IntN(len(states))])
		}
	}
	return left
}

// flush makes the writes since the last sync durable, and no others: what a failed sync lost stays lost, although
// programs see it.
func (n *inode) flush() {
	for _, w := range n.writes {
		end := int(w.at) + len(w.data)
		if grow := end - len(n.synced); grow > 0 {
			n.synced = append(n.synced, make([]byte, grow)...)
		}
		if w.data == nil {
			n.synced = n.synced[:end]
		}
		copy(n.synced[w.at:], w.data)
	}
	n.writes = nil
}

// diskFile is an open file of a disk.
type diskFile struct {
	*disk
	*inode
	name   string
	locked int // as inode.locks, this file's part
}

func (f *diskFile) ReadAt(p []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.hasPower(); err != nil {
		return 0, err
	}
	if at >= int64(len(f.seen)) {
		return 0, io.EOF
	}
	n := copy(p, f.seen[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *diskFile) WriteAt(p []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return 0, err
	}
	if f.failWrite != nil && f.failWrite(f.name) {
		return 0, syscall.EIO
	}
	if grow := int(at) + len(p) - len(f.seen); grow > 0 {
		if f.capacity > 0 && f.used()+grow > f.capacity {
			return 0, syscall.ENOSPC
		}
		f.seen = append(f.seen, make([]byte, grow)...)
	}
	copy(f.seen[at:], p)
	f.writes = append(f.writes, writeOp{at, append([]byte{}, p...)})
	return len(p), nil
}

// used returns the bytes that all files hold.
func (d *disk) used() int {
	n := 0
	for _, f := range d.names {
		n += len(f.seen)
	}
	return n
}

func (f *diskFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return err
	}
	if int(size) <= len(f.seen) {
		f.seen = f.seen[:size]
	} else {
		f.seen = append(f.seen, make([]byte, int(size)-len(f.seen))...)
	}
	f.writes = append(f.writes, writeOp{at: size})
	return nil
}

func (f *diskFile) Sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(); err != nil {
		return err
	}
	if f.failSync != nil && f.failSync(f.name) {
		f.synced, f.writes = f.left(f.rng), nil
		return syscall.EIO
	}
	if f.noSync == nil || !f.noSync(f.name) {
		f.flush()
	}
	return nil
}

func (f *diskFile) Size() (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(len(f.seen)), f.hasPower()
}

func (f *diskFile) Lock(exclusive bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	want := 1
	if exclusive {
		want = -1
	}
	if others := f.locks - f.locked; others < 0 || others > 0 && exclusive {
		return worldlog.ErrInUse
	}
	f.locks += want - f.locked
	f.locked = want
	return nil
}

func (f *diskFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.locks -= f.locked
	f.locked = 0
	return nil
}
