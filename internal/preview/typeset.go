package preview

import (
	"image"
	"image/color"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// A typesetter writes on a picture.
type typesetter struct {
	img   *image.RGBA
	faces map[typeKey]font.Face
}

type typeKey struct {
	size float64
	bold bool
}

func newType(img *image.RGBA) *typesetter {
	return &typesetter{img: img, faces: map[typeKey]font.Face{}}
}

// face returns the Go font in a size, in pixels.
func (t *typesetter) face(size float64, bold bool) font.Face {
	k := typeKey{size, bold}
	if f := t.faces[k]; f != nil {
		return f
	}
	data := goregular.TTF
	if bold {
		data = gobold.TTF
	}
	f, err := opentype.Parse(data)
	if err != nil {
		panic("preview: the Go font: " + err.Error()) // it is compiled in
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic("preview: the Go font: " + err.Error())
	}
	t.faces[k] = face
	return face
}

// write writes text from x on, standing on y, and returns where it ends.
func (t *typesetter) write(s string, x, y, size float64, c color.RGBA, bold bool) float64 {
	d := font.Drawer{Dst: t.img, Src: image.NewUniform(c), Face: t.face(size, bold), Dot: fixed.P(int(x), int(y))}
	d.DrawString(s)
	return float64(d.Dot.X) / 64
}

// width returns how wide text is.
func (t *typesetter) width(s string, size float64) float64 {
	return float64(font.MeasureString(t.face(size, false), s)) / 64
}
