package sqlite

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite/files"
)

// Repaired tells what Repair did.
type Repaired struct {
	Aside   string   // where the damaged world now is, beside where it was
	Entries int      // that the repaired world holds
	Lost    []Damage // what it lacks, by the numbers of the damaged world
}

// Repair sets a damaged world aside and puts in its place a new one with all that is found of it. The
// entries close ranks: those behind a lost one get lower numbers. Therefore, and since clients may have seen what is
// lost, the new world has an identity of its own. Snapshots are left out: the log makes up for them.
// It fails, and changes nothing, if the document, an asset or the meta is lost. If it is interrupted, Open answers
// ErrLost: then Repair may be called again, unless the world's file is already aside and needs its name back.
func Repair(path string) (Repaired, error) {
	return osSystem.repair(path)
}

func (y system) repair(path string) (_ Repaired, err error) {
	g, err := y.openSalvage(path)
	if err != nil {
		return Repaired{}, err
	}
	defer func() {
		if err = firstError(err, g.close()); err != nil {
			err = fmt.Errorf("repair world %s: %w", path, err)
		}
	}()
	if g.files[inWorld] == nil {
		return Repaired{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if g.files[inHead] != nil {
		if err := g.files[inHead].Lock(true); err != nil {
			return Repaired{}, err
		}
	}
	r := rebuild{salvage: g, meta: g.meta, result: Repaired{Lost: g.damages}}
	if !g.hasMeta {
		return Repaired{}, fmt.Errorf("%w: what the world was made from is lost", worldlog.ErrLost)
	}
	rand.Read(r.meta.World[:])
	temporary := g.path + "-new"
	defer y.files.Remove(temporary)
	if err := y.makeDatabase(temporary, r.fill); err != nil {
		return Repaired{}, err
	}
	if err := y.makeHead(headPath(temporary), files.Head{World: r.meta.World, Seq: r.index.Head(), Link: r.index.Link()}); err != nil {
		return Repaired{}, err
	}
	r.result.Aside, err = y.swap(g.path, temporary)
	return r.result, err
}

// makeHead makes a head file, durable.
func (y system) makeHead(name string, h files.Head) error {
	f, err := y.files.Open(name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	return firstError((&files.HeadFile{File: f}).Fill(h), f.Close())
}

// swap sets the world at path aside and puts the one at temporary in its place. The order keeps a world's file from
// another's head file and write-ahead log at every moment, and a head file with entries where there is no world.
func (y system) swap(path, temporary string) (aside string, err error) {
	aside = path + ".damaged"
	for n := 2; !y.free(aside); n++ {
		aside = fmt.Sprintf("%s.damaged-%d", path, n)
	}
	for _, m := range [][2]string{
		{headPath(path), headPath(aside)},
		{headPath(temporary), headPath(path)},
		{path, aside},
		{path + "-wal", aside + "-wal"},
		{temporary, path},
	} {
		if err := y.files.Rename(m[0], m[1]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err := y.files.SyncDir(path); err != nil {
			return "", err
		}
	}
	return aside, nil
}

// free reports whether no file of a world is at path.
func (y system) free(path string) bool {
	for _, name := range []string{path, path + "-wal", headPath(path)} {
		if _, err := y.files.Size(name); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// rebuild makes a world of what a salvage found.
type rebuild struct {
	*salvage
	meta   worldlog.Meta
	index  *worldlog.Index
	result Repaired
}

// fill writes the new world's rows.
func (r *rebuild) fill(d *db) error {
	var contents [][]byte
	for _, h := range append([]asset.Hash{r.meta.Document}, r.meta.Assets...) {
		c, err := r.content(h)
		if err != nil {
			return fmt.Errorf("what the world was made from is lost: %w", err)
		}
		contents = append(contents, c)
	}
	if err := d.fill(r.meta, contents); err != nil {
		return err
	}
	r.index = worldlog.NewIndex(&r.meta)
	batch := r.index.NewBatch()
	for e, err := range r.entries() {
		if err != nil {
			return err
		}
		if err := r.add(d, batch, e); err != nil {
			return err
		}
	}
	return nil
}

// add writes one entry, as of its own time, with the contents that it names. Without one of those it is lost.
func (r *rebuild) add(d *db, batch *worldlog.Batch, e worldlog.Entry) error {
	for _, h := range e.Contents {
		c, err := r.content(h)
		if err != nil {
			r.result.Lost = append(r.result.Lost, Damage{e.Seq, e.Seq, fmt.Errorf("%w: a content that it names", err)})
			return nil
		}
		if err := d.put(h, c); err != nil {
			return err
		}
	}
	has := func(asset.Hash) bool { return true }
	if _, err := batch.Append(nil, []worldlog.Entry{e}, e.Time, has); err != nil {
		return err
	}
	if batch.Len() > 0 {
		if err := d.putRow(d.addEntry, int64(batch.First()), batch.Record(0)); err != nil {
			return err
		}
		r.result.Entries++
	}
	batch.Commit()
	return nil
}
