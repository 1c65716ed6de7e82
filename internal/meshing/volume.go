package meshing

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/internal/memory"
	"github.com/terrane/terrane/internal/usage"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// meshVolume makes the mesh of a volume, in the file's own space, whose third axis points up.
func (c *Options) meshVolume(p Env, v *ingest.Volume, report *Report) (Part, error) {
	if c.Base != nil || c.Scale != nil || c.Nodata != "hole" {
		return Part{}, usage.Errorf("%s is a volume; --base, --scale and --nodata are for heightmaps", c.Input)
	}
	low, high, nans, ok := v.Range()
	if !ok {
		return Part{}, usage.Errorf("%s: all %d samples are NaN: there is no surface", c.Input, nans)
	}
	for _, n := range v.Dims() {
		if n < 2 {
			return Part{}, usage.Errorf("%s: %d×%d×%d samples; a surface needs at least two along each axis", c.Input, v.NX, v.NY, v.NZ)
		}
	}
	iso, err := c.iso(p, v, low, high)
	if err != nil {
		return Part{}, err
	}
	report.Iso = &iso
	kind, err := mesher.ParseKind(c.Mesher)
	if err != nil {
		return Part{}, usage.Errorf("--mesher %s is none of %s", c.Mesher, mesher.KindNames("and"))
	}
	samples := &v.Volume
	origin := v.Origin
	if c.Cap {
		samples = capped(samples, iso, low)
		v.Samples = nil // which the copy holds
		for axis := range 3 {
			for k := range 3 {
				origin[k] -= v.Step[axis][k]
			}
		}
	}
	m, err := c.extract(samples, iso, kind)
	if err != nil {
		return Part{}, usage.Errorf("%s: %w", c.Input, err)
	}
	if m.Triangles() == 0 {
		hint := ""
		switch {
		case !c.Cap && low > iso:
			hint = "; all of it is solid, and --cap would close it"
		case high == iso:
			hint = "; samples at the level are air"
		}
		return Part{}, usage.Errorf("%s: there is no surface at %v: its samples run from %v to %v%s", c.Input, iso, low, high, hint)
	}
	place(m, v.Placement)
	step := math.Inf(1)
	for _, s := range v.Step {
		step = min(step, math.Sqrt(s[0]*s[0]+s[1]*s[1]+s[2]*s[2]))
	}
	return Part{Mesh: m, Origin: origin, zUp: true, step: step, smooth: kind.SharesVertices()}, nil
}

// iso returns the value of the surface: the one asked for, or one that parts the samples in two.
func (c *Options) iso(p Env, v *ingest.Volume, low, high float32) (float32, error) {
	if c.Iso == "auto" {
		iso := v.Threshold(low, high)
		p.note(fmt.Sprintf("the surface lies at %v, which parts the samples from %v to %v in two (Otsu); --iso chooses another", iso, low, high))
		return iso, nil
	}
	n, err := strconv.ParseFloat(c.Iso, 32)
	if err != nil || n-n != 0 {
		return 0, usage.Errorf("--iso %s is neither a number of 32 bits nor auto", c.Iso)
	}
	return float32(n), nil
}

// capped returns v as though the lowest value lay all around it: with one more sample on every side, so that the
// surface closes within a step of the last samples. Where even that is solid, the new samples are mirror images of the
// last ones at the iso level, which closes it half a step beyond.
func capped(v *grid.Volume, iso, low float32) *grid.Volume {
	to := &grid.Volume{NX: v.NX + 2, NY: v.NY + 2, NZ: v.NZ + 2, Cell: v.Cell}
	to.Samples = make([]float32, to.NX*to.NY*to.NZ)
	inside := func(i, n int) int { return max(0, min(i-1, n-1)) }
	around := func(last float32) float32 {
		if low <= iso {
			return low
		}
		return float32(2*float64(iso) - float64(last))
	}
	for z := range to.NZ {
		for y := range to.NY {
			row := to.Samples[to.Index(0, y, z):][:to.NX]
			first := v.Index(0, inside(y, v.NY), inside(z, v.NZ))
			copy(row[1:], v.Samples[first:first+v.NX])
			row[0], row[to.NX-1] = around(row[1]), around(row[v.NX])
			if y == 0 || y == to.NY-1 || z == 0 || z == to.NZ-1 {
				for x := 1; x <= v.NX; x++ {
					row[x] = around(row[x])
				}
			}
		}
	}
	return to
}

// extract returns the surface in units of the lattice, whose first sample is 0, 0, 0.
func (c *Options) extract(v *grid.Volume, iso float32, kind mesher.Kind) (*mesh.Mesh, error) {
	m := &mesh.Mesh{}
	x := mesher.Extractor{Kind: kind, Iso: iso, Run: Together, Threads: c.Threads, Memory: memory.HugePages{}}
	if x.Threads == 0 {
		x.Threads = runtime.GOMAXPROCS(0)
	}
	_, err := x.Extract(m, v)
	return m, err
}

// Together runs f(0) … f(n−1) at the same time and returns when all have.
func Together(n int, f func(int)) {
	var wait sync.WaitGroup
	for i := 1; i < n; i++ {
		wait.Go(func() { f(i) })
	}
	f(0)
	wait.Wait()
}

// place moves a mesh from the lattice into the file's space, less the volume's origin. A mirrored lattice flips its
// triangles.
func place(m *mesh.Mesh, in ingest.Placement) {
	for i := 0; i < len(m.Positions); i += 3 {
		p := m.Positions[i : i+3]
		var to [3]float64
		for axis := range 3 {
			for k := range 3 {
				to[k] += float64(p[axis]) * in.Step[axis][k]
			}
		}
		p[0], p[1], p[2] = float32(to[0]), float32(to[1]), float32(to[2])
	}
	// A normal is a gradient: it turns by the inverse transpose, whose rows are cross products of the steps.
	var rows [3][3]float64
	sign := 1.0
	if in.Mirrored() {
		sign = -1
		m.Flip()
	}
	for axis := range 3 {
		a, b := in.Step[(axis+1)%3], in.Step[(axis+2)%3]
		rows[axis] = [3]float64{sign * (a[1]*b[2] - a[2]*b[1]), sign * (a[2]*b[0] - a[0]*b[2]), sign * (a[0]*b[1] - a[1]*b[0])}
	}
	for i := 0; i < len(m.Normals); i += 3 {
		n := m.Normals[i : i+3]
		var to [3]float64
		for axis := range 3 {
			for k := range 3 {
				to[k] += float64(n[axis]) * rows[axis][k]
			}
		}
		if l := math.Sqrt(to[0]*to[0] + to[1]*to[1] + to[2]*to[2]); l > 0 {
			n[0], n[1], n[2] = float32(to[0]/l), float32(to[1]/l), float32(to[2]/l)
		}
	}
}

// MaxThreads bounds --threads: more workers than slabs only wait.
const MaxThreads = 1024
