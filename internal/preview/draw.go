package preview

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"unicode/utf8"
)

// A rgb is a color in linear light, each of its parts in [0, 1].
type rgb [3]float64

func linear(c [3]uint8) (v rgb) {
	for i := range v {
		v[i] = math.Pow(float64(c[i])/255, 2.2)
	}
	return v
}

func (v rgb) scale(f float64) rgb { return rgb{v[0] * f, v[1] * f, v[2] * f} }

func (v rgb) mix(w rgb, t float64) rgb {
	for i := range v {
		v[i] += (w[i] - v[i]) * t
	}
	return v
}

func (v rgb) color() color.RGBA {
	b := [3]uint8{}
	for i := range v {
		b[i] = uint8(math.Round(255 * math.Pow(math.Min(math.Max(v[i], 0), 1), 1/2.2)))
	}
	return color.RGBA{b[0], b[1], b[2], 255}
}

// Colors of the picture.
var (
	paper    = color.RGBA{248, 246, 241, 255}
	ink      = color.RGBA{44, 42, 40, 255}
	faint    = color.RGBA{120, 116, 110, 255}
	skyHigh  = linear([3]uint8{176, 205, 226})
	skyLow   = linear([3]uint8{226, 236, 240})
	deepRock = linear([3]uint8{142, 124, 108})
	contour  = linear([3]uint8{58, 40, 26})
	outline  = linear([3]uint8{40, 34, 30})
)

// hypsometric are the colors of heights from the lowest to the highest.
var hypsometric = []rgb{
	linear([3]uint8{79, 122, 84}), linear([3]uint8{128, 163, 103}), linear([3]uint8{198, 196, 134}),
	linear([3]uint8{190, 157, 108}), linear([3]uint8{150, 120, 98}), linear([3]uint8{236, 236, 236}),
}

// tint returns the color of a height.
func (s *scene) tint(h float32) rgb {
	t := float64(h-s.low) / math.Max(float64(s.high-s.low), 1) * float64(len(hypsometric)-1)
	i := min(max(int(t), 0), len(hypsometric)-2)
	return hypsometric[i].mix(hypsometric[i+1], t-float64(i))
}

// Layout, in pixels.
const (
	margin     = 22
	headHeight = 80
	footHeight = 58
	lineHeight = 24 // of a line of the legend
	gap        = 34 // between the map and its slices, where the heights are written
)

// draw draws the picture.
func (s *scene) draw() *image.RGBA {
	if s.Plain {
		img := image.NewRGBA(image.Rect(0, 0, s.Width, s.Height))
		s.drawMap(img, 0, 0)
		return img
	}
	w, h := margin+s.Width+gap+s.depth+margin, headHeight+s.Height+gap+s.depth+footHeight
	x, y := margin, headHeight
	lines := s.swatchLines(newType(nil), float64(w-2*margin))
	img := image.NewRGBA(image.Rect(0, 0, w, h+lineHeight*len(lines)))
	fill(img, img.Rect, paper)
	s.drawMap(img, x, y)
	s.dashes(img, x, y)
	s.drawSlice(img, 0, x, y+s.Height+gap)
	s.drawSlice(img, 1, x+s.Width+gap, y)
	t := newType(img)
	t.write(shortenTo(s.Title, t, 24, float64(w-2*margin)), float64(x), 30, 22, ink, true)
	t.write(shortenTo(s.About, t, 13, float64(w-2*margin)), float64(x), 51, 13, faint, false)
	s.labels(t, x, y)
	s.legend(t, x, h)
	for i, line := range lines {
		s.swatches(t, line, float64(x), float64(h-2+lineHeight*i))
	}
	return img
}

func fill(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetRGBA(x, y, c)
		}
	}
}

// drawMap draws the shaded relief with its corner at x0, y0.
func (s *scene) drawMap(img *image.RGBA, x0, y0 int) {
	light, dark := s.shade()
	interval := float64(s.interval())
	for j := range s.Height {
		for i := range s.Width {
			k := j*s.Width + i
			h := s.top[k]
			if h != h {
				img.SetRGBA(x0+i, y0+j, skyLow.mix(skyHigh, 0.35+0.65*float64(j)/float64(s.Height)).color())
				continue
			}
			c := s.tint(h)
			if s.materials != nil {
				c = linear(s.materials.Palette()[s.material[k]].Color)
			}
			c = c.scale(light[k])
			c = c.mix(rgb{0.02, 0.03, 0.06}, dark[k])
			if a := s.contourAt(i, j, interval); a > 0 {
				c = c.mix(contour, a)
			}
			img.SetRGBA(x0+i, y0+j, c.color())
		}
	}
	frame(img, image.Rect(x0, y0, x0+s.Width, y0+s.Height))
}

// shade returns how bright each pixel is, and how much it lies in the dark of hollows.
func (s *scene) shade() (light, dark []float64) {
	n := s.Width * s.Height
	light, dark = make([]float64, n), make([]float64, n)
	at := func(i, j int, or float32) float64 {
		h := s.top[min(max(j, 0), s.Height-1)*s.Width+min(max(i, 0), s.Width-1)]
		if h != h {
			h = or
		}
		return float64(h)
	}
	wide := s.blurred(int(math.Max(4, 24/s.Meters)))
	sun := [3]float64{-0.52, 0.68, -0.52}
	for j := range s.Height {
		for i := range s.Width {
			k := j*s.Width + i
			h := s.top[k]
			if h != h {
				continue
			}
			dx := (at(i+1, j, h) - at(i-1, j, h)) / (2 * s.Meters)
			dz := (at(i, j+1, h) - at(i, j-1, h)) / (2 * s.Meters)
			l := math.Sqrt(dx*dx + dz*dz + 1)
			lit := math.Max((-dx*sun[0]+sun[1]-dz*sun[2])/l, 0)
			if s.shadowed(i, j, h) {
				lit *= 0.25
			}
			light[k] = 0.42*(0.5+0.5/l) + 0.92*lit
			dark[k] = math.Min(math.Max((float64(wide[k])-float64(h))/40, 0), 0.45)
		}
	}
	return light, dark
}

// shadowed reports whether higher ground to the northwest hides the sun.
func (s *scene) shadowed(i, j int, h float32) bool {
	const reach = 90
	rise := float32(s.Meters * math.Sqrt2 * 0.72) // a little lower than the light that shades slopes
	for k := 2; k < reach; k++ {
		x, y := i-k, j-k
		if x < 0 || y < 0 {
			return false
		}
		if s.top[y*s.Width+x] > h+float32(k)*rise+0.5 {
			return true
		}
		if h+float32(k)*rise > s.high {
			return false
		}
	}
	return false
}

// blurred returns mean heights of squares, by sums of columns and rows.
func (s *scene) blurred(radius int) []float32 {
	w, h := s.Width, s.Height
	sum, count := make([]float64, (w+1)*(h+1)), make([]float64, (w+1)*(h+1))
	for j := range h {
		var row, n float64
		for i := range w {
			if v := s.top[j*w+i]; v == v {
				row, n = row+float64(v), n+1
			}
			sum[(j+1)*(w+1)+i+1] = sum[j*(w+1)+i+1] + row
			count[(j+1)*(w+1)+i+1] = count[j*(w+1)+i+1] + n
		}
	}
	out := make([]float32, w*h)
	for j := range h {
		for i := range w {
			x0, x1, y0, y1 := max(i-radius, 0), min(i+radius+1, w), max(j-radius, 0), min(j+radius+1, h)
			box := func(a []float64) float64 {
				return a[y1*(w+1)+x1] - a[y0*(w+1)+x1] - a[y1*(w+1)+x0] + a[y0*(w+1)+x0]
			}
			if n := box(count); n > 0 {
				out[j*w+i] = float32(box(sum) / n)
			}
		}
	}
	return out
}

// interval returns the meters between contours: some ten of them, 1, 2 or 5 times a power of ten.
func (s *scene) interval() int {
	want := float64(s.high-s.low) / 10
	for step := 1; ; step *= 10 {
		for _, k := range []int{1, 2, 5} {
			if float64(step*k) >= want {
				return step * k
			}
		}
	}
}

// contourAt returns how dark a contour is at a pixel. Every fifth is darker; on cliffs, where many meet, none.
func (s *scene) contourAt(i, j int, interval float64) float64 {
	if i+1 >= s.Width || j+1 >= s.Height {
		return 0
	}
	k := j*s.Width + i
	a := 0.0
	for _, other := range [2]float32{s.top[k+1], s.top[k+s.Width]} {
		h := s.top[k]
		if other != other || math.Abs(float64(h-other)) > interval {
			continue
		}
		lo, hi := math.Floor(float64(min(h, other))/interval), math.Floor(float64(max(h, other))/interval)
		if lo == hi {
			continue
		}
		a = math.Max(a, 0.22)
		if math.Mod(hi, 5) == 0 {
			a = 0.5
		}
	}
	return a
}

func frame(img *image.RGBA, r image.Rectangle) {
	for x := r.Min.X - 1; x <= r.Max.X; x++ {
		img.SetRGBA(x, r.Min.Y-1, ink)
		img.SetRGBA(x, r.Max.Y, ink)
	}
	for y := r.Min.Y - 1; y <= r.Max.Y; y++ {
		img.SetRGBA(r.Min.X-1, y, ink)
		img.SetRGBA(r.Max.X, y, ink)
	}
}

// dashes marks on the map where the slices are.
func (s *scene) dashes(img *image.RGBA, x0, y0 int) {
	dash := func(x, y int) {
		c := img.RGBAAt(x, y)
		v := linear([3]uint8{c.R, c.G, c.B}).mix(rgb{1, 1, 1}, 0.75)
		img.SetRGBA(x, y, v.color())
	}
	for i := range s.Width {
		if i%14 < 7 {
			dash(x0+i, y0+s.Height/2)
		}
	}
	for j := range s.Height {
		if j%14 < 7 {
			dash(x0+s.Width/2, y0+j)
		}
	}
}

// drawSlice draws slice 0, along x, heights up; or slice 1, along z, heights to the right.
func (s *scene) drawSlice(img *image.RGBA, along, x0, y0 int) {
	n := []int{s.Width, s.Height}[along]
	at := func(i, j int) uint8 {
		if i < 0 || i >= n || j < 0 || j >= s.depth {
			return 255
		}
		return s.slices[along][j*n+i]
	}
	for j := range s.depth {
		for i := range n {
			v := at(i, j)
			c := skyLow.mix(skyHigh, float64(j)/float64(s.depth))
			if v > 0 {
				c = deepRock.scale(0.85 + 0.15*float64(j)/float64(s.depth))
				if s.materials != nil {
					c = linear(s.materials.Palette()[v-1].Color).scale(0.92)
				}
				if at(i-1, j) == 0 || at(i+1, j) == 0 || at(i, j-1) == 0 || at(i, j+1) == 0 {
					c = c.mix(outline, 0.72)
				}
			}
			if along == 0 {
				img.SetRGBA(x0+i, y0+s.depth-1-j, c.color())
			} else {
				img.SetRGBA(x0+j, y0+i, c.color())
			}
		}
	}
	if along == 0 {
		frame(img, image.Rect(x0, y0, x0+n, y0+s.depth))
	} else {
		frame(img, image.Rect(x0, y0, x0+s.depth, y0+n))
	}
}

// labels writes what the slices are, and their heights.
func (s *scene) labels(t *typesetter, x, y int) {
	below, beside := y+s.Height+gap, x+s.Width+gap
	t.write(fmt.Sprintf("slice at z = %.0f, west to east, heights in meters", s.Z), float64(x), float64(below-8), 12, faint, false)
	t.write(fmt.Sprintf("slice at x = %.0f", s.X), float64(beside), float64(y-8), 12, faint, false)
	step := 1.0 // one with room for its numbers
	for i := 0; step/s.Meters < 32; i++ {
		step *= []float64{2, 2.5, 2}[i%3]
	}
	for h := math.Ceil(s.bottom/step) * step; h < s.bottom+float64(s.depth)*s.Meters; h += step {
		j := int((h - s.bottom) / s.Meters)
		text := strings.Replace(fmt.Sprintf("%.0f", h+0), "-", "−", 1) // + 0, since −0 is no height
		py := below + s.depth - 1 - j
		for k := range 5 {
			t.img.SetRGBA(x+s.Width+1+k, py, ink)
			t.img.SetRGBA(beside+j, y+s.Height+1+k, ink)
		}
		t.write(text, float64(x+s.Width+9), float64(py+4), 11, faint, false)
		t.write(text, float64(beside+j)-t.width(text, 11)/2, float64(y+s.Height+18), 11, faint, false)
	}
}

// legend writes the scale, the contours and, if there are no materials, what colors mean.
func (s *scene) legend(t *typesetter, x, h int) {
	y := float64(h - 24)
	length, name := scaleBar(s.Meters * float64(s.Width))
	w := int(length / s.Meters)
	bar := h - 34
	for k := range 5 {
		c := ink
		if k%2 == 1 {
			c = color.RGBA{255, 255, 255, 255}
		}
		fill(t.img, image.Rect(x+w*k/5, bar, x+w*(k+1)/5, bar+6), c)
	}
	frame(t.img, image.Rect(x, bar, x+w, bar+6))
	at := t.write(name, float64(x+w)+8, y-2, 12, ink, false) + 22
	at = t.write(fmt.Sprintf("contours every %d m", s.interval()), at, y-2, 12, faint, false) + 24
	if s.materials == nil {
		at = t.write(fmt.Sprintf("%.0f m", s.low), at, y-2, 12, ink, false) + 6
		for i := range 120 {
			v := s.low + (s.high-s.low)*float32(i)/119
			fill(t.img, image.Rect(int(at)+i, bar-2, int(at)+i+1, bar+10), s.tint(v).color())
		}
		t.write(fmt.Sprintf("%.0f m", s.high), at+126, y-2, 12, ink, false)
	}
}

// swatchWidth is the room that a color takes besides its name.
const swatchWidth = 34

// swatchLines returns the numbers of the materials for each line of the legend, those that are on the map first.
func (s *scene) swatchLines(t *typesetter, width float64) (lines [][]int) {
	if s.materials == nil {
		return nil
	}
	x := math.Inf(1)
	for _, onMap := range []bool{true, false} {
		for i, m := range s.materials.Palette() {
			if s.seen[i] > 0 != onMap {
				continue
			}
			w := t.width(m.Name, 12) + swatchWidth
			if x += w; x > width {
				lines, x = append(lines, nil), w
			}
			lines[len(lines)-1] = append(lines[len(lines)-1], i)
		}
	}
	const most = 8
	return lines[:min(len(lines), most)]
}

// swatches writes materials with their colors.
func (s *scene) swatches(t *typesetter, materials []int, x, y float64) {
	for _, i := range materials {
		m := s.materials.Palette()[i]
		r := image.Rect(int(x), int(y)-10, int(x)+12, int(y)+2)
		fill(t.img, r, color.RGBA{m.Color[0], m.Color[1], m.Color[2], 255})
		frame(t.img, r)
		c := ink
		if s.seen[i] == 0 {
			c = faint // in the ground only
		}
		x = t.write(m.Name, x+18, y, 12, c, false) + swatchWidth - 18
	}
}

// scaleBar returns a round length of about a fifth of the map.
func scaleBar(width float64) (meters float64, name string) {
	meters = math.Pow(10, math.Floor(math.Log10(width/4)))
	for _, k := range []float64{5, 2} {
		if meters*k <= width/4 {
			meters *= k
			break
		}
	}
	if meters >= 1000 {
		return meters, fmt.Sprintf("%g km", meters/1000)
	}
	return meters, fmt.Sprintf("%g m", meters)
}

// shortenTo cuts text, at a word if it has some, so that it fits into the width of a line.
func shortenTo(s string, t *typesetter, size, width float64) string {
	s = strings.Join(strings.Fields(s), " ")
	if t.width(s, size) <= width {
		return s
	}
	for s != "" && t.width(s+" …", size) > width {
		k := strings.LastIndexByte(s, ' ')
		if k < 0 {
			_, n := utf8.DecodeLastRuneInString(s)
			k = len(s) - n
		}
		s = s[:k]
	}
	return s + " …"
}
