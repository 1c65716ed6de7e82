package cli

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
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/internal/worldlog"
	"github.com/terrane/terrane/internal/worldlog/sqlite"
)

// defaultWorld is the file that is served when none is named.
const defaultWorld = "world.terrane"

// openWorld opens the world in the named file, or makes it as the flags say if there is no such file.
func (p *program) openWorld(name string, f worldFlags) (worldlog.Store, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	_, err := os.Stat(name)
	switch {
	case err == nil:
		return p.reopenWorld(name, f)
	case errors.Is(err, fs.ErrNotExist):
		return p.createWorld(name, f)
	}
	return nil, usage.Errorf("cannot open the world: %w", err)
}

// reopenWorld opens a world that is there and refuses flags that ask for another.
func (p *program) reopenWorld(name string, f worldFlags) (worldlog.Store, error) {
	start := time.Now()
	end := p.stage("opening " + name)
	store, err := sqlite.Open(name, sqlite.Options{})
	end()
	if err != nil {
		return nil, openError(err)
	}
	fail := func(err error) (worldlog.Store, error) { return nil, errors.Join(err, store.Close()) }
	made, err := parseSettings(store.Meta().Settings)
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
	p.log.Info("world opened", "file", name, "ground", made.ground(), "entries", store.Head(), "took", time.Since(start).Round(time.Millisecond))
	return store, nil
}

// openError says what to do about a world file that cannot be opened.
func openError(err error) error {
	hint := ""
	var damage *sqlite.DamageError
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

// createWorld makes a new world file.
func (p *program) createWorld(name string, f worldFlags) (worldlog.Store, error) {
	dir := filepath.Dir(name)
	if info, err := os.Stat(dir); err != nil {
		return nil, usage.Errorf("cannot make the world %s: its folder: %w", name, err)
	} else if !info.IsDir() {
		return nil, usage.Errorf("cannot make the world %s: %s is no folder", name, dir)
	}
	start := time.Now()
	defer p.stage("making " + name)()
	made, graph, assets, err := p.ground(f)
	if err != nil {
		return nil, err
	}
	if _, err := field.Compile(graph, assets.find); err != nil {
		return nil, usage.Errorf("no world can be made of this: %w", err)
	}
	if err := assets.whole(); err != nil {
		return nil, err
	}
	if n := len(assets.order); n > worldlog.MaxAssets {
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
	for _, hash := range assets.order {
		meta.Assets = append(meta.Assets, hash)
		contents = append(contents, assets.byHash[hash])
	}
	meta.Semantics = semantics(graph)
	if meta.Settings, err = json.Marshal(made); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	if n := len(meta.Settings); n > worldlog.MaxSettings {
		return nil, usage.Errorf("the document is too large to be kept in a world: with what goes with it %d bytes, and a world keeps %d", n, worldlog.MaxSettings)
	}
	store, err := sqlite.Create(name, meta, contents...)
	if err != nil {
		return nil, usage.Errorf("%w", err) // which names the file
	}
	p.log.Info("world made", "file", name, "ground", made.ground(), "took", time.Since(start).Round(time.Millisecond))
	return store, nil
}

// ground returns what the flags ask for: the settings to keep, the graph, and the assets that it reads.
func (p *program) ground(f worldFlags) (settings, *graph.Graph, *assets, error) {
	if f.Heightmap != "" {
		files := &assets{}
		src, graph, err := p.readHeightmap(f, files)
		return settings{Heightmap: src}, graph, files, err
	}
	if f.SampleMeters != nil || f.HeightRange != nil || f.Scale != nil {
		return settings{}, nil, nil, usage.Errorf("--sample-meters, --height-range and --scale are for a heightmap; give one with --heightmap FILE")
	}
	name, dir, template := f.Document, filepath.Dir(f.Document), ""
	var src []byte
	var err error
	if name == "" {
		if template = f.Template; template == "" {
			template = document.TemplateNames()[0]
		}
		name, src = template, document.Template(template)
	} else if src, err = readDocument(name); err != nil {
		return settings{}, nil, nil, err
	}
	c, err := p.compileDocument(name, dir, src, document.Options{Seed: f.Seed, Set: f.Set})
	if err != nil {
		return settings{}, nil, nil, err
	}
	if err := c.refuseEndless(name); err != nil {
		return settings{}, nil, nil, err
	}
	s := settings{Template: template, Document: &documentSource{SHA256: textHash(src), Set: f.Set, Text: string(src)}}
	if template == "" {
		s.Document.File = filepath.Base(name)
	}
	if c.doc.Seeded {
		s.Seed = &c.doc.Seed
	}
	return s, c.built.Graph, &c.assets, nil
}

// sameDocument refuses a document that a world was not made from.
func (p *program) sameDocument(world string, has asset.Hash, made settings, f worldFlags) error {
	src, err := readDocument(f.Document)
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
	c, err := p.compileDocument(f.Document, filepath.Dir(f.Document), src, opt)
	if err != nil {
		return err
	}
	asked := asset.Hash(c.graphHash())
	if asked == has {
		return nil
	}
	return usage.Errorf("%s is there and was made from another document:\n  the world has  %v (%s)\n  %s is %v\nServe the world by its own name, %s, or make a new one of the document: terrane new OTHER.terrane --document %s",
		world, has, made.ground(), f.Document, asked, world, f.Document)
}

// semantics returns the versions of the node kinds that a graph uses.
func semantics(g *graph.Graph) []worldlog.Semantics {
	var list []worldlog.Semantics
	for _, s := range g.Semantics() {
		list = append(list, worldlog.Semantics(s))
	}
	return list
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
