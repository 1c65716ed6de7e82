package preview

import (
	"fmt"
	"image"
	"iter"
	"math"
	"slices"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/lattice"
)

// A Config says what to draw: a rectangle of ground from above and, unless Plain, two slices through its middle.
type Config struct {
	Ground        field.Terrain
	Title, About  string
	X, Z          float64 // the middle, in meters
	Meters        float64 // in a pixel, > 0
	Width, Height int     // of the map in pixels, without margins and slices
	Plain         bool    // the map alone
	ByHeight      bool    // colors of heights even if the ground has materials
}

// Draw returns the picture of what c describes, and one line that says how large the part is and how high its surface.
func Draw(c Config) (img *image.RGBA, summary string) {
	s := &scene{Config: c}
	s.sample()
	return s.draw(), s.summary()
}

// A scene is a Config and what was sampled of its ground.
type scene struct {
	Config
	materials field.MaterialSource // nil if there are no materials to show

	level    uint8
	columns  columns // on the lattice of the level
	top      []float32
	material []uint8
	low      float32 // of top
	high     float32
	bottom   float64    // height of the slices' lower edge
	depth    int        // pixels of the slices' height
	slices   [2][]uint8 // along x and along z: by pixel, 0 for air, else 1 + material
	seen     [256]int   // how often a material is on the map
}

// A columns is a rectangle of columns of samples with the highest surface in each.
type columns struct {
	x, z   int32 // the first sample
	step   int32
	nx, nz int
	top    []float32 // NaN where there is none
	paint  []uint8
}

// nothingThere is the height of a column without ground.
var nothingThere = float32(math.NaN())

// sample finds the surface, its materials and the slices.
func (s *scene) sample() {
	if p, ok := s.Ground.(field.MaterialSource); ok && !s.ByHeight {
		s.materials = p
	}
	for s.level = 0; s.level < lattice.MaxLevel && float64(int(2)<<s.level) <= s.Meters; s.level++ {
	}
	c := &s.columns
	c.step = 1 << s.level
	first := func(middle float64, pixels int) int32 {
		return int32(math.Floor((middle-float64(pixels)/2*s.Meters)/float64(c.step)))*c.step - 2*c.step
	}
	count := func(pixels int) int { return int(float64(pixels)*s.Meters/float64(c.step)) + 6 }
	c.x, c.z, c.nx, c.nz = first(s.X, s.Width), first(s.Z, s.Height), count(s.Width), count(s.Height)
	c.top, c.paint = make([]float32, c.nx*c.nz), make([]uint8, c.nx*c.nz)
	s.findTops()
	s.resample()
	if !s.Plain {
		s.cut()
	}
}

// chunksAtOnce is how many chunks in a row heights are bounded for at once where samples are more than a meter apart.
// Heights looks closely at what is small, which then takes longer than to fill a layer too many.
const chunksAtOnce = 16

// findTops fills grids from above until every column has met ground.
func (s *scene) findTops() {
	c := &s.columns
	for i := range c.top {
		c.top[i] = nothingThere
	}
	g := grid.New(lattice.ChunkCells)
	last := lattice.ChunkOf(lattice.Sample{X: c.x + int32(c.nx-1)*c.step, Z: c.z + int32(c.nz-1)*c.step}, s.level)
	first := lattice.ChunkOf(lattice.Sample{X: c.x, Z: c.z}, s.level)
	wide := int32(1) // the chunks in a row that spans are found for at once
	if s.level > 0 {
		wide = chunksAtOnce
	}
	var spans []lattice.Span
	for z := first.Z; z <= last.Z; z++ {
		for x := first.X; x <= last.X; x++ {
			g.Chunk = lattice.Chunk{X: x, Z: z, Level: s.level}
			if b := g.Box(); wide == 1 {
				spans = s.Ground.Spans(spans[:0], b) // of columns that Fill then finds computed
			} else if (x-first.X)%wide == 0 {
				b.Max.X += (wide - 1) * lattice.ChunkCells << s.level
				spans = s.Ground.Spans(spans[:0], b)
			}
			for y := range s.layers(spans) {
				g.Chunk.Y = y
				s.Ground.Fill(g)
				if s.tops(g) {
					break
				}
			}
		}
	}
}

// maxLayers bounds how deep is looked for ground: a span of a field without end holds millions of layers.
const maxLayers = 64

// layers yields the layers of chunks that can hold the surfaces in some spans, ascending ones, from the top.
func (s *scene) layers(spans []lattice.Span) iter.Seq[int32] {
	layer := func(y int32) int32 { return lattice.ChunkOf(lattice.Sample{Y: y}, s.level).Y }
	return func(yield func(int32) bool) {
		last, left := int32(math.MaxInt32), maxLayers
		for _, p := range slices.Backward(spans) {
			for y := min(layer(p.Hi), last-1); y >= layer(p.Lo)-1; y-- {
				if left--; left < 0 || !yield(y) {
					return
				}
				last = y
			}
		}
	}
}

// tops finds the surfaces of columns that have none yet, and reports whether now all of the chunk's have.
func (s *scene) tops(g *grid.Grid) bool {
	c, o := &s.columns, g.Chunk.Origin()
	all := true
	var at [][2]int // where a column's material goes, and the sample that has it
	for z := range lattice.ChunkCells {
		for x := range lattice.ChunkCells {
			i, j := int((o.X-c.x)/c.step)+x, int((o.Z-c.z)/c.step)+z
			if i < 0 || j < 0 || i >= c.nx || j >= c.nz || c.top[j*c.nx+i] == c.top[j*c.nx+i] {
				continue
			}
			y := lattice.ChunkCells - 1
			for y >= 0 && !grid.Solid(g.Samples[g.Index(x, y, z)]) {
				y--
			}
			if y < 0 {
				all = false
				continue
			}
			solid, air := g.Samples[g.Index(x, y, z)], g.Samples[g.Index(x, y+1, z)]
			t := float32(0)
			if !grid.Solid(air) {
				t = solid / (solid - air)
			}
			c.top[j*c.nx+i] = float32(o.Y) + (float32(y)+t)*float32(c.step)
			if t > 0.5 {
				y++ // the nearer sample says of what the surface is, as in the page
			}
			at = append(at, [2]int{j*c.nx + i, g.Index(x, y, z)})
		}
	}
	if len(at) > 0 && s.materials != nil {
		s.paintTops(g, at)
	}
	return all
}

// paintTops notes the materials of surfaces. Where samples are more than a meter apart, even the nearest may lie deep in
// the ground or high above it, and the one at the surface is asked for by itself.
func (s *scene) paintTops(g *grid.Grid, at [][2]int) {
	c := &s.columns
	if s.level == 0 {
		s.materials.FillMaterials(g)
		for _, a := range at {
			c.paint[a[0]] = g.Materials[a[1]]
		}
		return
	}
	for _, a := range at {
		x, z := int32(a[0]%c.nx), int32(a[0]/c.nx)
		top := lattice.Sample{X: c.x + x*c.step, Y: int32(math.Round(float64(c.top[a[0]]))), Z: c.z + z*c.step}
		c.paint[a[0]] = s.materials.Material(top)
	}
}

// resample makes the heights and materials of pixels of those of columns.
func (s *scene) resample() {
	c := &s.columns
	s.top, s.material = make([]float32, s.Width*s.Height), make([]uint8, s.Width*s.Height)
	s.low, s.high = float32(math.Inf(1)), float32(math.Inf(-1))
	for j := range s.Height {
		for i := range s.Width {
			x, z := s.at(i, j)
			u, v := (x-float64(c.x))/float64(c.step), (z-float64(c.z))/float64(c.step)
			iu, iv := int(u), int(v)
			fu, fv := float32(u-float64(iu)), float32(v-float64(iv))
			k := iv*c.nx + iu
			a, b, d, e := c.top[k], c.top[k+1], c.top[k+c.nx], c.top[k+c.nx+1]
			near := k + int(fu+0.5) + int(fv+0.5)*c.nx
			h := (a*(1-fu)+b*fu)*(1-fv) + (d*(1-fu)+e*fu)*fv
			if h != h {
				h = c.top[near]
			}
			s.top[j*s.Width+i], s.material[j*s.Width+i] = h, c.paint[near]
			if h == h {
				s.low, s.high = min(s.low, h), max(s.high, h)
				s.seen[c.paint[near]]++
			}
		}
	}
	if s.low > s.high {
		s.low, s.high = 0, 0
	}
}

// at returns the place of the middle of a pixel in meters.
func (s *scene) at(i, j int) (x, z float64) {
	return s.X + (float64(i)+0.5-float64(s.Width)/2)*s.Meters, s.Z + (float64(j)+0.5-float64(s.Height)/2)*s.Meters
}

// cut makes the slices: 1:1, from over the highest surface as far down as there is room.
func (s *scene) cut() {
	room := min(max(s.Width, s.Height)/3, 260)
	span := float64(s.high-s.low) + 60*math.Max(1, s.Meters/2)
	s.depth = max(min(int(span/s.Meters), room), 40)
	const sky = 16
	s.bottom = float64(s.high) + sky*s.Meters - float64(s.depth)*s.Meters
	for along := range 2 {
		n := []int{s.Width, s.Height}[along]
		s.slices[along] = make([]uint8, n*s.depth)
		p := plane{ground: s.Ground, along: along, fixed: int32(math.Round([]float64{s.Z, s.X}[along])), known: map[[2]int32]float32{}}
		for j := range s.depth {
			y := s.bottom + (float64(j)+0.5)*s.Meters
			for i := range n {
				x, z := s.at(i, i)
				a := []float64{x, z}[along]
				if !grid.Solid(p.density(a, y, s.Meters)) {
					continue
				}
				s.slices[along][j*n+i] = 1
				if s.materials != nil {
					at := p.sample(int32(math.Round(a)), int32(math.Round(y)))
					s.slices[along][j*n+i] = 1 + min(s.materials.Material(at), 254)
				}
			}
		}
	}
}

// A plane is an upright plane through the lattice, along x or z.
type plane struct {
	ground field.Terrain
	along  int
	fixed  int32
	known  map[[2]int32]float32
}

func (p *plane) sample(a, y int32) lattice.Sample {
	if p.along == 0 {
		return lattice.Sample{X: a, Y: y, Z: p.fixed}
	}
	return lattice.Sample{X: p.fixed, Y: y, Z: a}
}

// density returns the density at a place of the plane: that of the nearest sample, or where pixels are smaller
// than a meter mixed from the four around it.
func (p *plane) density(a, y, meters float64) float32 {
	if meters >= 1 {
		return p.ground.At(p.sample(int32(math.Round(a)), int32(math.Round(y))))
	}
	a0, y0 := math.Floor(a), math.Floor(y)
	fa, fy := float32(a-a0), float32(y-y0)
	at := func(da, dy int32) float32 {
		k := [2]int32{int32(a0) + da, int32(y0) + dy}
		v, ok := p.known[k]
		if !ok {
			v = p.ground.At(p.sample(k[0], k[1]))
			p.known[k] = v
		}
		return v
	}
	low, high := at(0, 0)*(1-fa)+at(1, 0)*fa, at(0, 1)*(1-fa)+at(1, 1)*fa
	return low*(1-fy) + high*fy
}

// summary says what was drawn.
func (s *scene) summary() string {
	if s.high >= lattice.Limit {
		return fmt.Sprintf("%.4g × %.4g km, ground without an upper end; terrane check says more", float64(s.Width)*s.Meters/1000, float64(s.Height)*s.Meters/1000)
	}
	return fmt.Sprintf("%.4g × %.4g km, surface between %.0f and %.0f m", float64(s.Width)*s.Meters/1000, float64(s.Height)*s.Meters/1000, s.low, s.high)
}
