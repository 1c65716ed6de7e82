package field_test

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/geom"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
	"github.com/terrane/terrane/template"
)

// TestPictures draws the hills for people to look at, into the folder that TERRANE_PICTURES names: shaded
// relief from above, slices from the side, and views from 20 m above the ground.
func TestPictures(t *testing.T) {
	dir := os.Getenv("TERRANE_PICTURES")
	if dir == "" {
		t.Skip("TERRANE_PICTURES names no folder")
	}
	for seed := range int64(2) {
		f := compile(t, template.Hills(seed))
		write(t, dir, fmt.Sprintf("relief%d.png", seed), relief(f, -512, -512, 1024, 2))
		write(t, dir, fmt.Sprintf("slices%d.png", seed), cuts(f))
		v := newVolume(f, 0, 0)
		for i, yaw := range []float64{0, 1.6, 3.1, 4.7} {
			write(t, dir, fmt.Sprintf("view%d%d.png", seed, i), v.view(0, 0, yaw, f.Ground(0, 0)+20))
		}
	}
}

func write(t *testing.T, dir, name string, m image.Image) {
	w, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := png.Encode(w, m); err != nil {
		t.Fatal(err)
	}
}

// sun is the direction to the sun of the pictures.
var sun = geom.Vec3{X: 0.5, Y: 0.65, Z: -0.55}.Unit()

// shade returns the color of ground with a normal, at a depth below the generated ground.
func shade(n geom.Vec3, depth float32) color.RGBA {
	c := [3]float32{0.36, 0.52, 0.22}
	switch {
	case depth > 1.5 || n.Y < 0.55:
		c = [3]float32{0.5, 0.47, 0.43}
	case depth > 0.4 || n.Y < 0.75:
		c = [3]float32{0.47, 0.36, 0.24}
	}
	l := 0.3 + 0.25*(n.Y+1)/2 + 0.75*max(n.Dot(sun), 0)
	b := func(v float32) uint8 { return uint8(255 * math.Sqrt(float64(min(v*l, 1)))) }
	return color.RGBA{b(c[0]), b(c[1]), b(c[2]), 255}
}

// relief draws the ground from above with contours every 10 m, step samples a pixel.
func relief(f field.Terrain, x0, z0, size, step int32) image.Image {
	n := int(size / step)
	m := image.NewRGBA(image.Rect(0, 0, n, n))
	lo, hi := float32(1e9), float32(-1e9)
	for j := range n {
		for i := range n {
			x, z := x0+int32(i)*step, z0+int32(j)*step
			h := f.Ground(x, z)
			lo, hi = min(lo, h), max(hi, h)
			normal := geom.Vec3{X: f.Ground(x-1, z) - f.Ground(x+1, z), Y: 2, Z: f.Ground(x, z-1) - f.Ground(x, z+1)}.Unit()
			c := shade(normal, 0)
			if math.Floor(float64(h)/10) != math.Floor(float64(f.Ground(x+step, z))/10) {
				c.R, c.G, c.B = c.R/2, c.G/2, c.B/2
			}
			m.Set(i, j, c)
		}
	}
	fmt.Printf("relief from %v to %v m\n", lo, hi)
	return m
}

// cuts draws four upright cuts, 512 m wide from −64 to 96 m.
func cuts(f field.Terrain) image.Image {
	const w, h = 1024, 320
	m := image.NewRGBA(image.Rect(0, 0, w, 4*(h+8)))
	for k := range 4 {
		for j := range h {
			for i := range w {
				s := lattice.Sample{X: int32(i)/2 - 256, Y: 96 - int32(j)/2, Z: int32(k)*137 - 200}
				v := f.At(s)
				c := color.RGBA{150, 190, 230, 255}
				if grid.Solid(v) {
					b := uint8(60 + 8*min(max(v, 0), 15))
					c = color.RGBA{b, b - 20, b / 2, 255}
				}
				m.Set(i, k*(h+8)+j, c)
			}
		}
	}
	return m
}

// A volume holds the densities round a column, for looking at quickly.
type volume struct {
	f          field.Terrain
	x0, y0, z0 int32
	nx, ny, nz int
	d          []float32
	ground     []float32
}

func newVolume(f field.Terrain, x, z int32) *volume {
	const radius, low, high = 288, -64, 128
	v := &volume{f: f, x0: x - radius, y0: low, z0: z - radius, nx: 2 * radius, ny: high - low, nz: 2 * radius}
	v.d = make([]float32, v.nx*v.ny*v.nz)
	v.ground = make([]float32, v.nx*v.nz)
	g := grid.New(lattice.ChunkCells)
	base := lattice.ChunkOf(lattice.Sample{X: v.x0, Y: v.y0, Z: v.z0}, 0)
	v.x0, v.y0, v.z0 = base.Origin().X, base.Origin().Y, base.Origin().Z
	for cz := range v.nz / 32 {
		for cx := range v.nx / 32 {
			for cy := range v.ny / 32 {
				g.Chunk = lattice.Chunk{X: base.X + int32(cx), Y: base.Y + int32(cy), Z: base.Z + int32(cz)}
				f.Fill(g)
				for z := range 32 {
					for y := range 32 {
						copy(v.d[((cz*32+z)*v.ny+cy*32+y)*v.nx+cx*32:][:32], g.Samples[g.Index(0, y, z):])
					}
					copy(v.ground[(cz*32+z)*v.nx+cx*32:][:32], g.Ground[(z+1)*35+1:])
				}
			}
		}
	}
	return v
}

// at returns the density at a point in meters, trilinear; false outside.
func (v *volume) at(p geom.Vec3) (float32, bool) {
	x, y, z := p.X-float32(v.x0), p.Y-float32(v.y0), p.Z-float32(v.z0)
	i, j, k := int(x), int(y), int(z)
	if x < 0 || y < 0 || z < 0 || i+1 >= v.nx || j+1 >= v.ny || k+1 >= v.nz {
		return 0, false
	}
	x, y, z = x-float32(i), y-float32(j), z-float32(k)
	d := v.d[(k*v.ny+j)*v.nx+i:]
	e := v.d[((k+1)*v.ny+j)*v.nx+i:]
	l := func(a, b, t float32) float32 { return a + (b-a)*t }
	return l(l(l(d[0], d[1], x), l(d[v.nx], d[v.nx+1], x), y), l(l(e[0], e[1], x), l(e[v.nx], e[v.nx+1], x), y), z), true
}

// view draws what is seen from a column at a height.
func (v *volume) view(x, z int32, yaw float64, height float32) image.Image {
	const w, h = 640, 360
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	eye := geom.Vec3{X: float32(x), Y: height, Z: float32(z)}
	sy, cy := math.Sincos(yaw)
	sp, cp := math.Sincos(-0.12)
	for j := range h {
		for i := range w {
			a, b := (float64(i)-w/2)/(w/2)*0.9, (h/2-float64(j))/(w/2)*0.9
			fx, fy := cp-b*sp, sp+b*cp
			dir := geom.Vec3{X: float32(fx*sy + a*cy), Y: float32(fy), Z: float32(fx*cy - a*sy)}.Unit()
			m.Set(i, j, v.ray(eye, dir))
		}
	}
	return m
}

func (v *volume) ray(eye, dir geom.Vec3) color.RGBA {
	sky := color.RGBA{uint8(150 - 60*dir.Y), uint8(180 - 40*dir.Y), 235, 255}
	last := float32(0)
	for t := float32(0); t < 288; {
		p := eye.Add(dir.Mul(t))
		d, ok := v.at(p)
		if !ok {
			return sky
		}
		if d > 0 {
			for lo, hi, n := last, t, 0; n < 8; n++ {
				t = (lo + hi) / 2
				if d, _ := v.at(eye.Add(dir.Mul(t))); d > 0 {
					hi = t
				} else {
					lo = t
				}
			}
			return v.hit(eye.Add(dir.Mul(t)), t, sky)
		}
		last = t
		t += max(min(-d*0.4, 3), 0.3)
	}
	return sky
}

func (v *volume) hit(p geom.Vec3, t float32, sky color.RGBA) color.RGBA {
	g := func(dx, dy, dz float32) float32 {
		d, _ := v.at(p.Add(geom.Vec3{X: dx, Y: dy, Z: dz}))
		return d
	}
	n := geom.Vec3{X: g(-1, 0, 0) - g(1, 0, 0), Y: g(0, -1, 0) - g(0, 1, 0), Z: g(0, 0, -1) - g(0, 0, 1)}.Unit()
	depth := v.ground[(int(p.Z)-int(v.z0))*v.nx+int(p.X)-int(v.x0)] - p.Y
	c := shade(n, depth)
	lit := true
	for s := float32(1); s < 60 && lit; s += 1 {
		d, ok := v.at(p.Add(n.Mul(0.5)).Add(sun.Mul(s)))
		lit = !ok || d <= 0
	}
	if !lit {
		c.R, c.G, c.B = c.R/5*3, c.G/5*3, c.B/5*3
	}
	fog := min(t*t/(288*288), 1) * 0.5
	b := func(a, b uint8) uint8 { return uint8(float32(a)*(1-fog) + float32(b)*fog) }
	return color.RGBA{b(c.R, sky.R), b(c.G, sky.G), b(c.B, sky.B), 255}
}
