package mesher

import "github.com/terrane/terrane/internal/kernel/solve"

// solveRobust solves the crossing of the edge that starts at a sample and runs along an axis, for any densities:
// infinite and NaN ones, huge ones whose difference overflows, and gradients whose squared length under- or overflows
// float32. It works in float64, where none of the finite ones do.
func (v *view) solveRobust(at [3]int, axis int) (t float32, n [3]float32) {
	end := at
	end[axis]++
	// The rim closes the surface at the samples beside it.
	if v.inRim(at) {
		n[axis] = -1
		return 1, n
	}
	if v.inRim(end) {
		n[axis] = 1
		return 0, n
	}
	i := v.index(at[0], at[1], at[2])
	a, b := v.samples[i]-v.iso, v.samples[i+v.stride(axis)]-v.iso
	t = solve.Crossing(a, b)
	var g [3]float64
	for k := range g {
		from, to := v.robustSlope(at, k), v.robustSlope(end, k)
		g[k] = (from + float64((to-from)*float64(t))) * float64(v.weight[k])
	}
	return t, solve.Direction(g, axis, a > 0)
}

// robustSlope returns the gradient along an axis at a sample as slope does, from finite numbers only: an
// infinite density counts as a very large one, and a neighbor that is NaN as the sample itself.
func (v *view) robustSlope(at [3]int, axis int) float64 {
	i := v.index(at[0], at[1], at[2])
	value := func(j int, other float64) float64 {
		if s := solve.Tame(v.samples[j]); s == s {
			return s
		}
		return other
	}
	mid := value(i, float64(v.iso))
	r := v.reach(axis, at[axis])
	return (value(i+r.above, mid) - value(i-r.below, mid)) * float64(r.times)
}

// resolveDegenerate solves the crossings for which float32 was not good enough once more, robustly, and notes those
// that fall on a sample. It runs for a batch in which the fast solution found at least one of either.
func (e *marcher) resolveDegenerate() {
	b, v := &e.batch, &e.view
	origin := [3]int{v.lo[0] + v.shift, v.lo[1] + v.shift, v.lo[2] + v.shift}
	for k, r := range b.Runs {
		for i := r.Start; i < b.EndOf(k); i++ {
			fine, near := b.SolveOne(i)
			if fine && !near {
				continue
			}
			at := [3]int{int(b.X[i]) + origin[0], int(b.Y[i]) + origin[1], r.Z + origin[2]}
			if !fine {
				var n [3]float32
				b.T[i], n = v.solveRobust(at, r.Axis)
				b.T[i] = (b.T[i] + v.snap) - v.snap
				b.NX[i], b.NY[i], b.NZ[i] = n[0], n[1], n[2]
			}
			if e.noteTies {
				e.noteTie(at, r.Axis, b.T[i], uint32(e.next+i))
			}
		}
	}
}

// nearSample returns how near to a sample, in cells, a crossing must be to be looked at closely. A position is the sum
// of a whole number below n, the samples along the longest side, and t in [0, 1], rounded to float32: half a unit in
// the last place, at most n·2⁻²⁴. Scaling by the cell's size rounds once more, by as much in cells. A crossing farther
// than 2·n·2⁻²⁴ from a sample can therefore not round to the sample's own position; twice that, n·2⁻²², leaves room
// for t itself, which is a quotient of rounded differences. Smaller would miss vertices that fall together and leave
// triangles without area; larger only costs a closer look.
func (v *view) nearSample() float32 {
	return float32(max(v.n[0], v.n[1], v.n[2])) / (1 << 22)
}

// noteTie notes a vertex if it lies on one of the samples of its edge: other edges of that sample may have
// theirs there too.
func (e *marcher) noteTie(at [3]int, axis int, t float32, vertex uint32) {
	v := &e.view
	place := func(d float32) float32 {
		return (float32(at[axis]-v.lo[axis]-v.shift) + d) * v.scale[axis]
	}
	if p := place(t); p == place(0) || p == place(1) {
		e.ties = append(e.ties, vertex)
	}
}
