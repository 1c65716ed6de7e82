package cube

import (
	"math/bits"
	"slices"
	"testing"
)

func TestNumbering(t *testing.T) {
	starts := [Edges]int{0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3}
	for e := range Edges {
		a, b := EdgeCorners(e)
		if a != starts[e] || b != a|1<<(e>>2) {
			t.Errorf("edge %d joins %d and %d, want start %d along axis %d", e, a, b, starts[e], e>>2)
		}
		if got := edgeBetween(uint8(b), uint8(a)); int(got) != e {
			t.Errorf("edge between %d and %d is %d, want %d", a, b, got, e)
		}
	}
	for f, corners := range FaceCorners {
		for _, c := range corners {
			if int(c>>(f>>1)&1) != f&1 {
				t.Errorf("corner %d does not lie on face %d", c, f)
			}
		}
	}
}

// TestFacesTurnOneWay checks that every edge is run through in both directions by the faces round it.
func TestFacesTurnOneWay(t *testing.T) {
	for name, p := range map[string]*polyhedron{"regular": regular, "transition": transition} {
		seen := map[[2]uint8]int{}
		for _, f := range p.faces {
			for i, c := range f {
				seen[[2]uint8{c, f[(i+1)%len(f)]}]++
			}
		}
		for e, n := range seen {
			if n != 1 || seen[[2]uint8{e[1], e[0]}] != 1 {
				t.Errorf("%s: corners %v are passed %d times one way and %d the other", name, e, n, seen[[2]uint8{e[1], e[0]}])
			}
		}
	}
}

// census counts what the reference states about a table.
type census struct {
	triangles, most                       int
	byTriangles, perCase, lengths, apexes map[int]int
}

func count(cases int, loops func(int) []Loop) census {
	c := census{byTriangles: map[int]int{}, perCase: map[int]int{}, lengths: map[int]int{}, apexes: map[int]int{}}
	for k := range cases {
		n := 0
		c.perCase[len(loops(k))]++
		for _, l := range loops(k) {
			n += len(l.Edges) - 2
			c.lengths[len(l.Edges)]++
			c.apexes[l.Apex]++
		}
		c.triangles += n
		c.most = max(c.most, n)
		c.byTriangles[n]++
	}
	return c
}

func equal(t *testing.T, what string, got, want map[int]int) {
	t.Helper()
	for k := range 16 {
		if got[k] != want[k] {
			t.Errorf("%s %d: %d, want %d", what, k, got[k], want[k])
		}
	}
}

func TestRegularFacts(t *testing.T) {
	c := count(Cases, func(k int) []Loop { return Loops(uint8(k)) })
	if c.triangles != 820 || c.most != 5 {
		t.Errorf("%d triangles, at most %d a cell; want 820 and 5", c.triangles, c.most)
	}
	equal(t, "cases by triangles", c.byTriangles, map[int]int{0: 2, 1: 16, 2: 50, 3: 80, 4: 76, 5: 32})
	equal(t, "cases by loops", c.perCase, map[int]int{0: 2, 1: 162, 2: 82, 3: 8, 4: 2})
	equal(t, "loops by length", c.lengths, map[int]int{3: 144, 4: 66, 5: 72, 6: 52, 7: 24})
	equal(t, "loops by apex", c.apexes, map[int]int{0: 338, 1: 12, 2: 8})

	ambiguous := 0
	for k := range Cases {
		for _, f := range FaceCorners {
			s := func(i int) int { return k >> f[i] & 1 }
			if s(0) == s(2) && s(1) == s(3) && s(0) != s(1) {
				ambiguous++
				break
			}
		}
	}
	if ambiguous != 120 {
		t.Errorf("%d cases have an ambiguous face, want 120", ambiguous)
	}
	for k, want := range map[uint8][]uint8{
		0: nil, 255: nil, 1: {8, 4, 0}, 3: {8, 4, 5, 8, 5, 9}, 254: {4, 8, 0},
		105: {8, 4, 0, 10, 6, 3, 11, 5, 1, 9, 7, 2},
	} {
		if got := Triangles(k); !slices.Equal(got, want) {
			t.Errorf("case %d: %v, want %v", k, got, want)
		}
	}
}

func TestTransitionFacts(t *testing.T) {
	c := count(TransitionCases, func(k int) []Loop { return TransitionLoops(uint16(k)) })
	loops := 0
	for _, n := range c.lengths {
		loops += n
	}
	if loops != 730 || c.triangles != 2636 || c.most != 9 {
		t.Errorf("%d loops, %d triangles, at most %d a cell; want 730, 2636 and 9", loops, c.triangles, c.most)
	}
	equal(t, "loops by length", c.lengths,
		map[int]int{3: 160, 4: 97, 5: 116, 6: 120, 7: 84, 8: 73, 9: 52, 10: 20, 11: 8})
	equal(t, "cases by triangles", c.byTriangles,
		map[int]int{0: 2, 1: 8, 2: 18, 3: 52, 4: 99, 5: 112, 6: 110, 7: 76, 8: 27, 9: 8})
}

// TestLoopsCoverCrossedEdges checks that every crossed edge lies on exactly one loop of its case.
func TestLoopsCoverCrossedEdges(t *testing.T) {
	for k := range Cases {
		var seen uint16
		for _, l := range Loops(uint8(k)) {
			for _, e := range l.Edges {
				if seen>>e&1 != 0 {
					t.Errorf("case %d: edge %d lies on two loops", k, e)
				}
				seen |= 1 << e
			}
		}
		if seen != Crossed(uint8(k)) {
			t.Errorf("case %d: loops pass edges %012b, crossed are %012b", k, seen, Crossed(uint8(k)))
		}
	}
	for k := range TransitionCases {
		value := func(c int) int {
			if c >= FullSamples {
				c = int(HalfSample[c-FullSamples])
			}
			return k >> c & 1
		}
		var seen, want uint32
		for _, l := range TransitionLoops(uint16(k)) {
			for _, e := range l.Edges {
				seen |= 1 << e
			}
		}
		for e := range TransitionEdges {
			if a, b := TransitionEdge(e); value(a) != value(b) {
				want |= 1 << e
			}
		}
		if seen != want {
			t.Errorf("transition case %d: loops pass edges %016b, crossed are %016b", k, seen, want)
		}
	}
}

// TestFacesMatch checks the rule that closes every mesh: what a case draws on a face depends on that face's
// corners alone, and the cell on the other side draws the same lines the other way round.
func TestFacesMatch(t *testing.T) {
	for axis := range 3 {
		low, high := 2*axis, 2*axis+1
		drawn := map[int][][2]uint8{} // by the four bits of the face
		for k := range Cases {
			for _, f := range []int{low, high} {
				bitsOfFace, lines := 0, [][2]uint8(nil)
				for c := range Corners {
					if c>>axis&1 == f&1 && k>>c&1 != 0 {
						bitsOfFace |= 1 << (c &^ (1 << axis))
					}
				}
				for _, l := range regular.lines(nil, uint32(k)) {
					if int(l.face) != f {
						continue
					}
					from, to := onLowFace(l.from, axis), onLowFace(l.to, axis)
					if f == high {
						from, to = to, from
					}
					lines = append(lines, [2]uint8{from, to})
				}
				slices.SortFunc(lines, func(a, b [2]uint8) int { return int(a[0]) - int(b[0]) })
				if prev, ok := drawn[bitsOfFace]; ok && !slices.Equal(prev, lines) {
					t.Errorf("case %d draws %v on face %d, another draws %v", k, lines, f, prev)
				}
				drawn[bitsOfFace] = lines
			}
		}
	}
}

// onLowFace returns the edge of the axis' low face that lies where e does on its face.
func onLowFace(e uint8, axis int) uint8 {
	a, b := EdgeCorners(int(e))
	return edgeBetween(uint8(a&^(1<<axis)), uint8(b&^(1<<axis)))
}

func TestParts(t *testing.T) {
	most, split := 0, 0
	for k := range Cases {
		loops, parts := Loops(uint8(k)), Parts(uint8(k))
		most = max(most, len(parts))
		if len(parts) > len(loops) {
			split++
		}
		sides := map[[2]uint8]int{}
		for _, p := range parts {
			if p.repeats() {
				t.Errorf("case %d: part %v passes a face twice: %v", k, p.Edges, p.Faces)
			}
			if bits.OnesCount16(p.Mask()) != len(p.Edges) || len(p.Edges) < 3 {
				t.Errorf("case %d: part %v is no polygon", k, p.Edges)
			}
			for i, e := range p.Edges {
				next := p.Edges[(i+1)%len(p.Edges)]
				sides[[2]uint8{e, next}]++
				if p.Faces[i] == Chord && regular.shareFace(e, next) {
					t.Errorf("case %d: a chord joins edges %d and %d of one face", k, e, next)
				}
			}
		}
		for s, n := range sides {
			if n != 1 {
				t.Errorf("case %d: side %v is used %d times", k, s, n)
			}
		}
		for _, l := range loops {
			for i, e := range l.Edges {
				if sides[[2]uint8{e, l.Edges[(i+1)%len(l.Edges)]}] != 1 {
					t.Errorf("case %d: line %d of loop %v is lost", k, i, l.Edges)
				}
			}
		}
	}
	t.Logf("at most %d parts a case, %d cases with a loop that is cut", most, split)
	if split == 0 {
		t.Error("no loop passes twice over a face: the test tests nothing")
	}
}
