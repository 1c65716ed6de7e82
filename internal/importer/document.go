package importer

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/terrane/terrane/asset"
	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/raster"
)

// A Compiled is a document that is ready to become a world.
type Compiled struct {
	Doc    *document.Document
	Built  *document.Built
	Assets Assets
	Ground field.Terrain
}

// IsDocument reports whether a file is a document by its name.
func IsDocument(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// ReadDocument returns the text of a document.
func ReadDocument(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage.Errorf("there is no file %s", name)
	case err != nil:
		return nil, usage.Errorf("cannot read the document: %w", err)
	case info.IsDir():
		return nil, usage.Errorf("cannot read the document: %s is a folder", name)
	case !info.Mode().IsRegular():
		return nil, usage.Errorf("cannot read the document: %s is no file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usage.Errorf("cannot read the document: %w", err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, document.MaxBytes+1))
	if err != nil {
		return nil, usage.Errorf("cannot read the document: %w", err)
	}
	return src, nil
}

// Compile checks a document and makes its graph and its assets. name is what errors call it; files are
// looked for in dir.
func (im Importer) Compile(name, dir string, src []byte, opt document.Options) (*Compiled, error) {
	doc, err := document.Parse(name, src, opt)
	if err != nil {
		return nil, documentError(name, err)
	}
	c := &Compiled{Doc: doc}
	c.Built, err = doc.Graph(func(a document.Asset) (document.Raster, error) { return im.readAsset(c, dir, a) })
	if err != nil {
		return nil, documentError(name, err)
	}
	if c.Ground, err = field.Compile(c.Built.Graph, c.Assets.Find); err != nil {
		return nil, documentError(name, c.Built.Explain(err))
	}
	return c, nil
}

// documentError says how much is wrong with a document, and then what, in lines that editors understand.
func documentError(name string, err error) error {
	problems, ok := errors.AsType[*document.Problems](err)
	if !ok || problems.List[len(problems.List)-1].Line == 0 { // in the order of lines: none is the document's
		return usage.Errorf("%s: %w", name, err)
	}
	if problems.Count() == 1 {
		return usage.Errorf("%s has a mistake:\n%w", name, err)
	}
	return usage.Errorf("%s has %d mistakes:\n%w", name, problems.Count(), err)
}

// readAsset reads a file that a document names.
func (im Importer) readAsset(c *Compiled, dir string, a document.Asset) (document.Raster, error) {
	if a.File == "" {
		return document.Raster{}, fmt.Errorf("names a raster by its hash, which only a world that has it can use; name a file")
	}
	path, err := inFolder(dir, filepath.FromSlash(a.File))
	if err != nil {
		return document.Raster{}, err
	}
	if a.Use == document.Volume {
		return im.readVolume(c, path)
	}
	src, graph, err := im.Heightmap(HeightmapOptions{File: path, SampleMeters: a.SampleMeters, HeightRange: a.HeightRange}, &c.Assets)
	if err != nil {
		return document.Raster{}, err
	}
	return document.Raster{Hash: graph.Assets()[0], MetersX: src.SampleMeters[0], MetersZ: src.SampleMeters[1]}, nil
}

// inFolder returns the path of a file in a folder. Documents come from anybody and what they read goes into worlds
// that others get: so it refuses what lies elsewhere, behind a link too.
func inFolder(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%s lies outside the document's folder; move it there", name)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path, nil // opening it says why
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is a link to a file outside the document's folder; copy that there", name)
	}
	return path, nil
}

// readVolume reads a volume: its samples as they lie in the file, x fastest, as far apart as it says.
func (im Importer) readVolume(c *Compiled, path string) (document.Raster, error) {
	f, closeFile, err := Open(path)
	if err != nil {
		return document.Raster{}, err
	}
	defer closeFile()
	other := func(name string) (ingest.File, error) {
		if _, err := inFolder(filepath.Dir(path), name); err != nil {
			return ingest.File{}, err
		}
		return Beside(path)(name)
	}
	v, err := ingest.ReadVolume(f, ingest.Options{Beside: other, MaxSamples: raster.MaxVolumeSamples})
	if err != nil {
		return document.Raster{}, err
	}
	low, _, nans, ok := v.Range()
	if !ok {
		return document.Raster{}, fmt.Errorf("%s holds no numbers", path)
	}
	for i, f := range v.Samples {
		if nans > 0 && f != f {
			v.Samples[i] = low // air, as a rule
		}
	}
	if nans > 0 {
		im.Log.Info("volume: numbers that are missing count as its lowest, air as a rule", "file", path, "missing", nans, "lowest", low)
	}
	if turned(v.Placement) {
		im.Log.Info("volume: the file's axes are turned or mirrored in its own space; the samples stand as they lie in the file, and turn: turns them", "file", path)
	}
	step := func(i int) float64 { // its length; a document turns volumes, files do not
		s := v.Step[i]
		if l := math.Sqrt(s[0]*s[0] + s[1]*s[1] + s[2]*s[2]); l > 0 {
			return l
		}
		return 1
	}
	volume := &raster.Volume{Volume: v.Volume, MetersX: step(0), MetersY: step(1), MetersZ: step(2), Scale: 1}
	if err := volume.Validate(); err != nil {
		return document.Raster{}, err
	}
	return document.Raster{Hash: c.Assets.Add(volume.AppendBinary(nil)), MetersX: volume.MetersX, MetersY: volume.MetersY, MetersZ: volume.MetersZ}, nil
}

// turned reports whether the axes of a volume are others than those of its space, in order and forward.
func turned(p ingest.Placement) bool {
	for i, s := range p.Step {
		for k, l := range s {
			if i == k && l < 0 || i != k && l != 0 {
				return true
			}
		}
	}
	return false
}

// GraphHash returns what names the document's world: the SHA-256 of its graph.
func (c *Compiled) GraphHash() asset.Hash { return sha256.Sum256(c.Built.Graph.AppendBinary(nil)) }
