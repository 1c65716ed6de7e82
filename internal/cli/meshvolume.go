package cli

import (
	"math"
	"runtime"
	"strconv"
	"sync"

	"github.com/terrane/terrane/grid"
	"github.com/terrane/terrane/ingest"
	"github.com/terrane/terrane/mesh"
	"github.com/terrane/terrane/mesher"
)

// meshVolume makes the mesh of a volume, in the file's own space, whose third axis points up.
func (c *meshCmd) meshVolume(p *program, v *ingest.Volume, report *meshReport) (part, error) {
	low, high, nans, ok := v.Range()
	if !ok {
		return part{}, badInput("%s: all %d samples are NaN: there is no surface", c.Input, nans)
	}
	for _, n := range v.Dims {
		if n < 2 {
			return part{}, badInput("%s: %d×%d×%d samples; a surface needs at least two along each axis", c.Input, v.Dims[0], v.Dims[1], v.Dims[2])
		}
	}
	if c.Threads < 0 || c.Threads > maxThreads {
		return part{}, badInput("--threads %d is outside 0 … %d", c.Threads, maxThreads)
	}
	kind, err := mesher.ParseKind(c.Mesher)
	if err != nil {
		return part{}, badInput("--mesher: %w", err)
	}
	iso := otsu(v.Values, low, high)
	if c.Iso != "auto" {
		n, err := strconv.ParseFloat(c.Iso, 32)
		if err != nil || n-n != 0 {
			return part{}, badInput("--iso %s is neither a number nor auto", c.Iso)
		}
		iso = float32(n)
	} else {
		p.log.Info("iso chosen (Otsu)", "iso", iso, "low", low, "high", high)
	}
	report.Iso = &iso
	m, err := c.extract(v, iso, kind)
	if err != nil {
		return part{}, badInput("%s: %w", c.Input, err)
	}
	if m.Triangles() == 0 {
		return part{}, badInput("%s: there is no surface at %v; its samples run from %v to %v", c.Input, iso, low, high)
	}
	place(m, v)
	return part{m: m, origin: v.Origin, zUp: true}, nil
}

// extract returns the surface in units of the lattice.
func (c *meshCmd) extract(v *ingest.Volume, iso float32, kind mesher.Kind) (*mesh.Mesh, error) {
	m := &mesh.Mesh{}
	x := mesher.Extractor{Kind: kind, Iso: iso, Caps: c.Cap, Run: together, Threads: c.Threads}
	if x.Threads == 0 {
		x.Threads = runtime.GOMAXPROCS(0)
	}
	_, err := x.Extract(m, &grid.Volume{NX: v.Dims[0], NY: v.Dims[1], NZ: v.Dims[2], Samples: v.Values})
	return m, err
}

// together runs f(0) … f(n−1) at the same time and returns when all have.
func together(n int, f func(int)) {
	var wait sync.WaitGroup
	for i := 1; i < n; i++ {
		wait.Go(func() { f(i) })
	}
	f(0)
	wait.Wait()
}

// place moves a mesh from the lattice into the file's space, less the volume's origin. A mirrored lattice turns its
// triangles round.
func place(m *mesh.Mesh, v *ingest.Volume) {
	for i := 0; i < len(m.Positions); i += 3 {
		p := m.Positions[i : i+3]
		var to [3]float64
		for axis := range 3 {
			for k := range 3 {
				to[k] += float64(p[axis]) * v.Step[axis][k]
			}
		}
		p[0], p[1], p[2] = float32(to[0]), float32(to[1]), float32(to[2])
	}
	// A normal is a gradient: it turns by the inverse transpose, whose rows are cross products of the steps.
	var rows [3][3]float64
	sign := 1.0
	if v.Mirrored() {
		sign = -1
		for i := 0; i < len(m.Indices); i += 3 {
			m.Indices[i+1], m.Indices[i+2] = m.Indices[i+2], m.Indices[i+1]
		}
	}
	for axis := range 3 {
		a, b := v.Step[(axis+1)%3], v.Step[(axis+2)%3]
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

// maxThreads bounds --threads: more workers than slabs only wait.
const maxThreads = 1024

// otsuBins is the number of bins that the values are counted in.
const otsuBins = 256

// otsu returns the value that parts the others into two kinds whose variances add up to the least (Otsu 1979).
// It lies between two bins, so that none of a file's whole numbers falls on it.
func otsu(values []float32, low, high float32) float32 {
	var count [otsuBins]float64
	width := (float64(high) - float64(low)) / otsuBins
	if !(width > 0) {
		return low
	}
	total, sum := 0.0, 0.0
	for _, d := range values {
		if d != d {
			continue
		}
		bin := min(int((float64(d)-float64(low))/width), otsuBins-1)
		count[bin]++
		total++
		sum += float64(bin)
	}
	// Of equally good places, as in a gap between two kinds, the middle one is taken.
	best, first, last := -1.0, 0, 0
	below, sumBelow := 0.0, 0.0
	for bin := range otsuBins - 1 {
		below += count[bin]
		sumBelow += float64(bin) * count[bin]
		if below == 0 || below == total {
			continue
		}
		d := sumBelow/below - (sum-sumBelow)/(total-below)
		switch between := below * (total - below) * d * d; {
		case between > best:
			best, first, last = between, bin, bin
		case between == best:
			last = bin
		}
	}
	return float32(float64(low) + width*(float64(first+last)/2+1))
}
