package meshing

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/importer"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/progress"
	"github.com/terrane/terrane/internal/usage"
)

// A Source is an input read: a volume, a heightmap, or the ground of a world.
type Source struct {
	Name    string // the input's, without folder and ending
	volume  *ingest.Volume
	heights *ingest.Heightmap
	ground  *Ground
}

// Source reads the input. It alone knows what an input may be.
func (c *Options) Source(p Env) (Source, error) {
	if c.ofWorld() {
		g, err := c.ground(p)
		return Source{Name: strings.TrimSuffix(filepath.Base(c.Input), filepath.Ext(c.Input)), ground: g}, err
	}
	if c.Box != DefaultBox {
		return Source{}, usage.Errorf("--box is for worlds and documents; of files --crop takes a part")
	}
	f, closeFile, err := c.open()
	if err != nil {
		return Source{}, err
	}
	defer closeFile()
	o, err := c.options()
	if err != nil {
		return Source{}, err
	}
	reading := progress.Start(p.Stderr, "reading "+filepath.Base(f.Name), f.Size)
	defer reading.End()
	f.ReaderAt = progress.Watched{Ctx: p.Ctx, Stage: reading, ReaderAt: f.ReaderAt}
	s := Source{Name: strings.TrimSuffix(filepath.Base(f.Name), filepath.Ext(f.Name))}
	s.volume, s.heights, err = importer.Read(f, o, c.Max)
	switch {
	case errors.Is(err, ingest.ErrTooMany):
		return s, usage.Errorf("%w: --max-samples allows more, --crop reads a part", err)
	case errors.Is(err, ingest.ErrUnspecified):
		return s, usage.Errorf("%w; or say it with --dims and --type", err)
	case errors.Is(err, ingest.ErrUnknown) && c.Input == "-" && c.Name == "":
		return s, usage.Errorf("%w; --name says what to take it for, like --name x_256x256x128_uint8.raw", err)
	case err != nil:
		return s, usage.Errorf("%w", err)
	}
	return s, nil
}

// options returns what the flags say of the input.
func (c *Options) options() (o ingest.Options, err error) {
	o.Beside = importer.Beside(c.Input)
	if o.Crop, err = parseCrop(c.Crop); err != nil {
		return o, usage.Errorf("--crop %q: %w", c.Crop, err)
	}
	if c.Max < 0 {
		return o, usage.Errorf("--max-samples %d is negative", c.Max)
	}
	if c.Dims != "" {
		words := strings.Split(c.Dims, ",")
		for i, word := range words {
			n, err := strconv.ParseUint(strings.TrimSpace(word), 10, 31)
			if err != nil || n == 0 || len(words) < 2 || len(words) > 3 {
				return o, usage.Errorf("--dims %s is not two or three numbers of samples, like 640,480 or 256,256,128", c.Dims)
			}
			*[]*int{&o.Width, &o.Height, &o.Depth}[i] = int(n)
		}
	}
	if c.Type != "" {
		if o.Kind, err = ingest.ParseKind(c.Type); err != nil {
			return o, usage.Errorf("--type: %w", err)
		}
	}
	switch c.Endian {
	case "auto":
	case "little":
		o.Order = ingest.LittleEndian
	case "big":
		o.Order = ingest.BigEndian
	default:
		return o, usage.Errorf("--endian %s is neither little nor big nor auto", c.Endian)
	}
	return o, nil
}

// open opens the input; standard input is read whole, since formats are read from several places.
func (c *Options) open() (ingest.File, func() error, error) {
	if c.Input != "-" {
		if c.Name != "" {
			return ingest.File{}, nil, usage.Errorf("--name is for standard input; %s has a name", c.Input)
		}
		return importer.Open(c.Input)
	}
	name := c.Name
	if name == "" {
		name = "standard input"
	}
	most := min(maxStdin, memory.Available()/4)
	data, err := io.ReadAll(io.LimitReader(os.Stdin, most+1))
	if err != nil {
		return ingest.File{}, nil, usage.Errorf("standard input: %w", err)
	}
	if int64(len(data)) > most {
		return ingest.File{}, nil, usage.Errorf("standard input is more than %d bytes; name the file instead", most)
	}
	return ingest.Bytes(name, data), func() error { return nil }, nil
}

// maxStdin bounds what is kept of standard input.
const maxStdin = 1 << 30

// parseCrop reads ranges of samples like 10:200,:,5: (from 10 up to 200, all, from 5 on).
func parseCrop(text string) (crop [3]ingest.Range, err error) {
	if text == "" {
		return crop, nil
	}
	words := strings.Split(text, ",")
	if len(words) < 2 || len(words) > 3 {
		return crop, errors.New("want two ranges for a heightmap, columns and rows, or three for a volume, like 100:300,0:200")
	}
	for axis, word := range words {
		from, to, ok := strings.Cut(strings.TrimSpace(word), ":")
		if !ok {
			return crop, fmt.Errorf("%q is no range; want FROM:TO in samples, TO not included, like 100:300, 100: or : (all)", word)
		}
		for _, end := range []struct {
			text string
			to   *int
		}{{from, &crop[axis].From}, {to, &crop[axis].To}} {
			if end.text == "" {
				continue
			}
			n, err := strconv.ParseUint(strings.TrimSpace(end.text), 10, 31)
			if err != nil {
				return crop, fmt.Errorf("%q in %q is no number of samples from 0 on", end.text, word)
			}
			*end.to = int(n)
		}
		if to != "" && crop[axis].To <= crop[axis].From {
			return crop, fmt.Errorf("%q is empty: it ends where it begins or before", word)
		}
	}
	return crop, nil
}
