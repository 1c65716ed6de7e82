package ingest

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// deflateRatio is the most that deflate packs: 258 bytes in two bits, a little less with its headers. A
// file that promises more than this for its length is cut short, and is refused before memory is spent.
const deflateRatio = 1032

// readPNG reads a PNG of any color type.
func readPNG(f File, o Options) (*Heightmap, error) {
	cfg, err := png.DecodeConfig(io.NewSectionReader(f, 0, f.Size))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: PNG: %v", f.Name, ErrCorrupt, err)
	}
	if err := o.checkSize(f.Name, int64(cfg.Width), int64(cfg.Height)); err != nil {
		return nil, err
	}
	// A pixel takes at least one bit before it is packed.
	if least := int64(cfg.Width) * int64(cfg.Height) / 8 / deflateRatio; f.Size < least {
		return nil, fmt.Errorf("%s: %w: PNG: %d bytes cannot hold %d×%d pixels", f.Name, ErrCorrupt, f.Size, cfg.Width, cfg.Height)
	}
	img, err := png.Decode(io.NewSectionReader(f, 0, f.Size))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: PNG of %d×%d pixels: %v", f.Name, ErrCorrupt, cfg.Width, cfg.Height, err)
	}
	h := &Heightmap{Width: cfg.Width, Height: cfg.Height, Values: make([]float32, cfg.Width*cfg.Height)}
	switch img := img.(type) {
	case *image.Gray:
		h.Kind, h.Format = Uint8, "PNG, 8-bit gray"
		for i, v := range img.Pix { // Decode makes images without padding
			h.Values[i] = float32(v)
		}
	case *image.Gray16:
		h.Kind, h.Format = Uint16, "PNG, 16-bit gray"
		for i := range h.Values {
			h.Values[i] = float32(uint16(img.Pix[2*i])<<8 | uint16(img.Pix[2*i+1]))
		}
	default:
		h.readColors(img)
	}
	return h, nil
}

// readColors fills h from an image with colors, a palette or transparency.
func (h *Heightmap) readColors(img image.Image) {
	h.Kind = Uint8
	var pixel func(i int) (r, g, b, a int)
	switch img := img.(type) { // these are what png.Decode makes, without padding
	case *image.RGBA: // opaque
		pixel = channels8(img.Pix)
	case *image.NRGBA:
		pixel = channels8(img.Pix)
	case *image.RGBA64: // opaque
		h.Kind = Uint16
		pixel = channels16(img.Pix)
	case *image.NRGBA64:
		h.Kind = Uint16
		pixel = channels16(img.Pix)
	case *image.Paletted:
		pixel = entries(img)
	default:
		panic("ingest: png.Decode made a " + fmt.Sprintf("%T", img))
	}
	colored := 0
	for i := range h.Values {
		r, g, b, a := pixel(i)
		if r != g || g != b {
			colored++
		}
		h.Values[i] = float32(float64(299*r+587*g+114*b) / 1000)
		if a == 0 {
			h.Values[i] = nan
		}
	}
	bits := map[Kind]int{Uint8: 8, Uint16: 16}[h.Kind]
	h.Format = fmt.Sprintf("PNG, %d-bit gray with transparency or a palette", bits)
	if colored > 0 {
		h.Format = fmt.Sprintf("PNG, %d-bit color", bits)
		h.note("%d of %d pixels are colored: heights are their luma, (299 R + 587 G + 114 B) / 1000", colored, len(h.Values))
	}
}

func channels8(pix []byte) func(int) (r, g, b, a int) {
	return func(i int) (r, g, b, a int) {
		p := pix[4*i : 4*i+4]
		return int(p[0]), int(p[1]), int(p[2]), int(p[3])
	}
}

func channels16(pix []byte) func(int) (r, g, b, a int) {
	return func(i int) (r, g, b, a int) {
		p := pix[8*i : 8*i+8]
		return int(p[0])<<8 | int(p[1]), int(p[2])<<8 | int(p[3]), int(p[4])<<8 | int(p[5]), int(p[6])<<8 | int(p[7])
	}
}

// entries looks pixels up in the palette, whose colors have 8 bits a channel.
func entries(img *image.Paletted) func(int) (r, g, b, a int) {
	palette := make([]color.NRGBA, len(img.Palette))
	for i, c := range img.Palette {
		palette[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
	}
	return func(i int) (r, g, b, a int) {
		c := palette[img.Pix[i]] // Decode sees to it that the palette reaches every pixel
		return int(c.R), int(c.G), int(c.B), int(c.A)
	}
}
