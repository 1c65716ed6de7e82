package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/usage"
)

// What a sample takes at the most while its input becomes a mesh and is written, in bytes: of a heightmap its height,
// the number of its vertex, the vertex, two triangles and what checks them; of a volume itself and a copy with a
// cap's margin. What a volume's surface takes is known only once it is there.
const (
	heightBytes = 100
	volumeBytes = 10
)

// Limits of what is read without being asked for. A heightmap of more samples makes a mesh of gigabytes that few
// programs open; a volume of more is more than an Extractor takes.
const (
	mostHeights = 1 << 24
	mostVolume  = 1 << 31
)

// Read reads a volume or a heightmap, whichever f is, of so many samples at most; 0 stands for as many as the
// memory allows.
func Read(f ingest.File, o ingest.Options, maxSamples int) (*ingest.Volume, *ingest.Heightmap, error) {
	if f.Size == 0 {
		return nil, nil, fmt.Errorf("%s: %w: the file is empty", f.Name, ingest.ErrCorrupt)
	}
	o.MaxSamples = maxSamples
	if maxSamples == 0 {
		o.MaxSamples = memory.Fitting(volumeBytes, mostVolume)
	}
	var v *ingest.Volume
	err := fmt.Errorf("%s: %w", f.Name, ingest.ErrUnknown) // two dimensions are no volume's
	if o.Width == 0 || o.Depth > 0 {
		if v, err = ingest.ReadVolume(f, o); err == nil || o.Depth > 0 {
			return v, nil, err
		}
	}
	if maxSamples == 0 {
		o.MaxSamples = memory.Fitting(heightBytes, mostHeights)
	}
	h, err2 := ingest.ReadHeightmap(f, o)
	switch {
	case err2 == nil:
		return nil, h, nil
	case errors.Is(err, ingest.ErrUnknown) && errors.Is(err2, ingest.ErrUnknown):
		return nil, nil, fmt.Errorf("%w; and volumes: %s", err2, ingest.KnownVolumes)
	case errors.Is(err, ingest.ErrUnknown):
		return nil, nil, err2
	case errors.Is(err2, ingest.ErrUnknown) || err.Error() == err2.Error():
		return nil, nil, err
	}
	return nil, nil, fmt.Errorf("as a volume: %w; as a heightmap: %w", err, err2)
}

// Open opens a file for ingest.
func Open(name string) (f ingest.File, closeFile func() error, err error) {
	if name == "" {
		return f, nil, usage.Errorf("the name of the input is empty")
	}
	info, err := os.Stat(name) // before opening: opening a pipe waits for its writer
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil, usage.Errorf("there is no file %s", name)
	case err != nil:
		return f, nil, usage.Errorf("%w", err)
	case info.IsDir():
		return f, nil, usage.Errorf("%s is a folder, no file", name)
	case !info.Mode().IsRegular():
		return f, nil, usage.Errorf("%s is no regular file but %v; terrane mesh - reads a stream from standard input", name, info.Mode().Type())
	}
	file, err := os.Open(name)
	if err != nil {
		return f, nil, usage.Errorf("%w", err)
	}
	return ingest.File{Name: name, Size: info.Size(), ReaderAt: file}, file.Close, nil
}

// Beside returns a function that reads another file of the same folder.
func Beside(name string) func(string) (ingest.File, error) {
	return func(other string) (ingest.File, error) {
		f, closeFile, err := Open(filepath.Join(filepath.Dir(name), other))
		if err != nil {
			return f, err
		}
		defer closeFile()
		if most := memory.Available() / 4; f.Size > most {
			return f, fmt.Errorf("%s has %d bytes; at most %d are kept in memory", f.Name, f.Size, most)
		}
		data, err := os.ReadFile(f.Name)
		return ingest.Bytes(other, data), err
	}
}
