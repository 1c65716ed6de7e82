package ingest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"github.com/terrane/terrane/ingest/internal/fault"
	"io"
	"path"
	"strings"
)

// A File is an open file to read from.
type File struct {
	Name string // its name, which decides the format where the content does not
	Size int64  // in bytes
	io.ReaderAt
}

// Bytes returns a File that holds data.
func Bytes(name string, data []byte) File {
	return File{Name: name, Size: int64(len(data)), ReaderAt: bytes.NewReader(data)}
}

// The errors of the readers, wrapped with where, what was found and what would be right.
var (
	ErrCorrupt     = fault.ErrCorrupt
	ErrUnsupported = fault.ErrUnsupported
	ErrTooLarge    = fault.ErrTooLarge
	// ErrUnknown is the ErrUnsupported of files that neither content nor name tells the format of.
	ErrUnknown = fmt.Errorf("%w", ErrUnsupported)
	// ErrUnspecified is the ErrUnsupported of files without a header whose size or kind of samples is stated nowhere.
	ErrUnspecified = fmt.Errorf("%w", ErrUnsupported)
	// ErrTooMany is the ErrTooLarge of files that Options.MaxSamples keeps from being read.
	ErrTooMany = fault.ErrTooMany
)

// DefaultMaxSamples is the number of samples of a heightmap that are read where Options does not say otherwise: 8192² take
// 256 MiB as float32, and as much again while they are decoded.
const DefaultMaxSamples = 1 << 26

// Options are the settings of a reader, and what the caller knows of the file that the file does not say. The zero value is useful.
type Options struct {
	// What a raw file is, where neither its name nor its size says it.
	Width, Height, Depth int
	Kind                 Kind
	Order                ByteOrder
	// MaxSamples bounds what is read; 0 means DefaultMaxSamples, or DefaultMaxVolume for a volume.
	MaxSamples int
	// Crop is the part that is read: columns and rows of a heightmap, counted from its northwest corner, or the
	// three axes of a volume. The zero value is all of it. What is read of a GeoTIFF or of a volume costs no more
	// memory than the part has samples.
	Crop [3]Range
	// Beside opens a file in the same folder, for formats that keep their samples in a second one. Without
	// it those are refused.
	Beside func(name string) (File, error)
}

func (o Options) maxSamples() int64 {
	if o.MaxSamples > 0 {
		return int64(o.MaxSamples)
	}
	return DefaultMaxSamples
}

// checkSize returns an error if a raster has no cells or is larger than o allows.
func (o Options) checkSize(name string, width, height int64) error {
	if width < 2 || height < 2 {
		return fmt.Errorf("%s: %w: %d×%d samples; a heightmap has at least 2×2", name, ErrUnsupported, width, height)
	}
	if width > o.maxSamples()/height {
		return fmt.Errorf("%s: %w: %d×%d samples; at most %d are read", name, ErrTooMany, width, height, o.maxSamples())
	}
	return nil
}

// readAll returns the whole file, which the caller has found to be of a reasonable size.
func (f File) readAll() ([]byte, error) {
	data := make([]byte, f.Size)
	if n, err := f.ReadAt(data, 0); int64(n) < f.Size {
		return nil, fmt.Errorf("%s: reading at byte %d: %w", f.Name, n, err)
	}
	return data, nil
}

// head returns the first n bytes of the file, fewer if it is shorter.
func (f File) head(n int64) []byte {
	data := make([]byte, min(n, f.Size))
	got, _ := f.ReadAt(data, 0)
	return data[:got]
}

// unzip returns the content of a gzipped file, or f itself if it is none. What is longer than limit bytes
// is refused before it is kept.
func (f File) unzip(limit int64) (File, error) {
	if !bytes.HasPrefix(f.head(2), []byte{0x1f, 0x8b}) {
		return f, nil
	}
	fail := func(err error) (File, error) {
		return File{}, fmt.Errorf("%s: %w: gzip: %v", f.Name, ErrCorrupt, err)
	}
	z, err := gzip.NewReader(io.NewSectionReader(f, 0, f.Size))
	if err != nil {
		return fail(err)
	}
	buffered := bufio.NewReader(z)
	if head, _ := buffered.Peek(64); isASC(head) {
		limit *= 4 // text takes more bytes a sample than any other reader
	}
	data, err := io.ReadAll(io.LimitReader(buffered, limit+1))
	if err != nil {
		return fail(err)
	}
	if int64(len(data)) > limit {
		return File{}, fmt.Errorf("%s: %w: more than %d bytes when unpacked", f.Name, ErrTooMany, limit)
	}
	return Bytes(strings.TrimSuffix(f.Name, ".gz"), data), nil
}

// ext returns the file name's ending in lower case, with its dot.
func (f File) ext() string { return strings.ToLower(path.Ext(f.Name)) }

// foreign are the beginnings of files that people try and that are not read, with what they are.
var foreign = []struct{ magic, what string }{
	{"version https://git-lfs", "a Git LFS pointer, which stands for a file that was not downloaded; fetch it with git lfs pull"},
	{"CDF\x01", "netCDF; convert it with gdal_translate -of GTiff"},
	{"CDF\x02", "netCDF; convert it with gdal_translate -of GTiff"},
	{"\x89HDF\r\n\x1a\n", "HDF5 or netCDF-4; convert it with gdal_translate -of GTiff"},
	{"\xff\xd8\xff", "JPEG, which is lossy; export the heights as 16-bit PNG"},
	{"GIF8", "GIF; export the heights as 16-bit PNG"},
	{"RIFF", "WebP or another RIFF file; export the heights as 16-bit PNG"},
	{"BM", "a Windows bitmap; export the heights as 16-bit PNG"},
	{"8BPS", "a Photoshop file; export the heights as 16-bit PNG"},
	{"PK\x03\x04", "a zip archive; unpack it first"},
	{"BZh", "bzip2; unpack it first"},
	{"\xfd7zXZ", "xz; unpack it first"},
	{"\x28\xb5\x2f\xfd", "zstd; unpack it first"},
	{"SQLite format 3\x00", "an SQLite database; a world is served by naming it, not as a heightmap"},
	{"glTF", "a GLB mesh"},
	{"VOX ", "a MagicaVoxel model"},
	{"ply\n", "a PLY mesh"},
	{"ObjectType", "a MetaImage volume; convert it to NRRD"},
	{"NDims", "a MetaImage volume; convert it to NRRD"},
	{"# vtk DataFile", "a VTK file; convert it to NRRD"},
	{"<!DOCTYPE", "a web page, probably an error that a download left behind"},
	{"<html", "a web page, probably an error that a download left behind"},
}

// foreignEndings are the endings of such files where the content has no mark.
var foreignEndings = map[string]string{
	".mca": "a region of a block world; only its own game reads it",
	".obj": "an OBJ mesh", ".stl": "an STL mesh", ".ply": "a PLY mesh", ".gltf": "a glTF mesh",
	".img": "an image without its header, or an ERDAS raster", ".dcm": "a DICOM slice; convert the series to NRRD or NIfTI",
}

// refusal returns the error for a file that no reader takes. It names the format where the first bytes or the ending
// tell it, and else lists those that are known.
func (f File) refusal(known string) error {
	start := f.head(64)
	for _, k := range foreign {
		if bytes.HasPrefix(start, []byte(k.magic)) {
			return fmt.Errorf("%s: %w: this is %s", f.Name, ErrUnsupported, k.what)
		}
	}
	if f.Size == 0 {
		return fmt.Errorf("%s: %w: the file is empty", f.Name, ErrCorrupt)
	}
	if what, ok := foreignEndings[f.ext()]; ok {
		return fmt.Errorf("%s: %w: its name says that it is %s", f.Name, ErrUnsupported, what)
	}
	return fmt.Errorf("%s: %w: it begins with %q; known are %s", f.Name, ErrUnknown, start[:min(8, len(start))], known)
}
