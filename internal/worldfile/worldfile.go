package worldfile

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/open"
)

// A Maker opens and makes worlds.
type Maker struct {
	importer.Importer
	Stage func(what string) (end func()) // shows what is being done
}

// Open opens the world in the named file, or makes it as the flags say if there is no such file.
func (p Maker) Open(name string, f Flags) (worldlog.Store, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	there, err := open.Exists(name)
	switch {
	case err != nil:
		return nil, usage.Errorf("cannot open the world: %w", err)
	case there:
		return p.reopen(name, f)
	}
	return p.Create(name, f)
}

// reopen opens a world that is there and refuses flags that ask for another.
func (p Maker) reopen(name string, f Flags) (worldlog.Store, error) {
	start := time.Now()
	end := p.Stage("opening " + name)
	store, err := open.World(name, false)
	end()
	if err != nil {
		return nil, OpenError(err)
	}
	fail := func(err error) (worldlog.Store, error) { return nil, errors.Join(err, store.Close()) }
	made, err := ParseSettings(store.Meta().Settings)
	if err != nil {
		return fail(usage.Errorf("the settings kept in %s cannot be read: %w", name, err))
	}
	list, err := made.contradictions(f)
	if err != nil {
		return fail(err)
	}
	if f.Document != "" {
		if err := p.sameDocument(name, store.Meta().Document, made, f); err != nil {
			return fail(err)
		}
	}
	if len(list) > 0 {
		return fail(usage.Errorf("%s is there and was made otherwise:\n  %s\nLeave these flags out to serve it as it is, or name another file to make a new world.",
			name, strings.Join(list, "\n  ")))
	}
	p.Log.Info("world opened", "file", name, "ground", made.Ground(), "entries", store.Head(), "took", time.Since(start).Round(time.Millisecond))
	return store, nil
}

// OpenError says what to do about a world file that cannot be opened.
func OpenError(err error) error {
	hint := ""
	var damage *open.DamageError
	if missing, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return usage.Errorf("there is no file %s", missing.Path)
	}
	switch {
	case errors.As(err, &damage):
		hint = "\nterrane repair keeps what is whole of it and sets the damaged file aside."
	case errors.Is(err, worldlog.ErrInUse):
		hint = "\nAnother terrane serves it; stop that one first, or name another file."
	case errors.Is(err, worldlog.ErrNotWorld):
		hint = "\nName a world, or a file that is not there yet to make one. A heightmap is given with --heightmap."
	case errors.Is(err, worldlog.ErrVersion):
		hint = "\nServe it with the newer terrane that wrote it."
	}
	return usage.Errorf("%w%s", err, hint) // err names the file
}

// Create makes a new world file.
func (p Maker) Create(name string, f Flags) (worldlog.Store, error) {
	dir := filepath.Dir(name)
	if info, err := os.Stat(dir); err != nil {
		return nil, usage.Errorf("cannot make the world %s: its folder: %w", name, err)
	} else if !info.IsDir() {
		return nil, usage.Errorf("cannot make the world %s: %s is no folder", name, dir)
	}
	start := time.Now()
	defer p.Stage("making " + name)()
	made, graph, assets, err := p.Ground(f)
	if err != nil {
		return nil, err
	}
	if _, err := field.Compile(graph, assets.Find); err != nil {
		return nil, usage.Errorf("no world can be made of this: %w", err)
	}
	if err := assets.Whole(); err != nil {
		return nil, err
	}
	if n := len(assets.Hashes()); n > worldlog.MaxAssets {
		return nil, usage.Errorf("this ground reads %d files, counted with the tiles of large heightmaps; a world keeps %d", n, worldlog.MaxAssets)
	}
	document := graph.AppendBinary(nil)
	meta := worldlog.Meta{
		Name:     strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)),
		Created:  time.Now(),
		Document: sha256.Sum256(document),
	}
	rand.Read(meta.World[:]) // never fails
	contents := [][]byte{document}
	for _, hash := range assets.Hashes() {
		data, err := assets.Find(hash)
		if err != nil {
			return nil, err
		}
		meta.Assets = append(meta.Assets, hash)
		contents = append(contents, data)
	}
	meta.Semantics = graph.Semantics()
	if meta.Settings, err = json.Marshal(made); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	if n := len(meta.Settings); n > worldlog.MaxSettings {
		return nil, usage.Errorf("the document is too large to be kept in a world: with what goes with it %d bytes, and a world keeps %d", n, worldlog.MaxSettings)
	}
	store, err := open.Create(name, meta, contents...)
	if err != nil {
		return nil, usage.Errorf("%w", err) // which names the file
	}
	p.Log.Info("world made", "file", name, "ground", made.Ground(), "took", time.Since(start).Round(time.Millisecond))
	return store, nil
}

// Ground returns what the flags ask for: the settings to keep, the graph, and the assets that it reads.
func (p Maker) Ground(f Flags) (Settings, *graph.Graph, *importer.Assets, error) {
	if f.Heightmap != "" {
		files := &importer.Assets{}
		src, graph, err := p.Importer.Heightmap(importer.HeightmapOptions{File: f.Heightmap, SampleMeters: f.SampleMeters, HeightRange: f.HeightRange, Scale: f.Scale}, files)
		return Settings{Heightmap: src}, graph, files, err
	}
	if f.SampleMeters != nil || f.HeightRange != nil || f.Scale != nil {
		return Settings{}, nil, nil, usage.Errorf("--sample-meters, --height-range and --scale are for a heightmap; give one with --heightmap FILE")
	}
	name, dir, template := f.Document, filepath.Dir(f.Document), ""
	var src []byte
	var err error
	if name == "" {
		if template = f.Template; template == "" {
			template = document.TemplateNames()[0]
		}
		name, src = template, document.Template(template)
	} else if src, err = importer.ReadDocument(name); err != nil {
		return Settings{}, nil, nil, err
	}
	c, err := p.Importer.Compile(name, dir, src, document.Options{Seed: f.Seed, Set: f.Set})
	if err != nil {
		return Settings{}, nil, nil, err
	}
	if err := c.RefuseEndless(name); err != nil {
		return Settings{}, nil, nil, err
	}
	s := Settings{Template: template, Document: &DocumentSource{SHA256: textHash(src), Set: f.Set, Text: string(src)}}
	if template == "" {
		s.Document.File = filepath.Base(name)
	}
	if c.Doc.Seeded {
		s.Seed = &c.Doc.Seed
	}
	return s, c.Built.Graph, &c.Assets, nil
}

// sameDocument refuses a document that a world was not made from.
func (p Maker) sameDocument(world string, has asset.Hash, made Settings, f Flags) error {
	src, err := importer.ReadDocument(f.Document)
	if err != nil {
		return err
	}
	opt := document.Options{Seed: f.Seed, Set: f.Set}
	if opt.Seed == nil && made.Document != nil {
		opt.Seed = made.Seed // the world keeps what it was made with
	}
	if opt.Set == nil && made.Document != nil {
		opt.Set = made.Document.Set
	}
	c, err := p.Importer.Compile(f.Document, filepath.Dir(f.Document), src, opt)
	if err != nil {
		return err
	}
	asked := asset.Hash(c.GraphHash())
	if asked == has {
		return nil
	}
	return usage.Errorf("%s is there and was made from another document:\n  the world has  %v (%s)\n  %s is %v\nServe the world by its own name, %s, or make a new one of the document: terrane new OTHER.terrane --document %s",
		world, has, made.Ground(), f.Document, asked, world, f.Document)
}

// hashFile returns the SHA-256 of a file in hexadecimal.
func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", usage.Errorf("cannot compare the heightmap with the world's: %w (the world keeps its own copy: leave --heightmap out)", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", usage.Errorf("cannot compare the heightmap with the world's: %s: %w", name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func textHash(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:])
}
