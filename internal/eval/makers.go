package eval

import (
	"fmt"

	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/internal/eval/ops"
)

// A maker makes the op of a step.
type maker func(s *graph.Step, c *compiler) (ops.Op, error)

// makers holds the maker of every kind.
var makers = [...]maker{
	graph.KindConstant:     func(s *graph.Step, _ *compiler) (ops.Op, error) { return ops.Constant(s.Constants[0]), nil },
	graph.KindCoordinate:   leaf(ops.NewCoordinate),
	graph.KindHeight:       func(*graph.Step, *compiler) (ops.Op, error) { return ops.Height{}, nil },
	graph.KindWorld:        func(*graph.Step, *compiler) (ops.Op, error) { return ops.WorldOp{}, nil },
	graph.KindPaintedWorld: newPaintedWorld,

	graph.KindBall: leaf(ops.NewSolid), graph.KindCylinder: leaf(ops.NewSolid), graph.KindBox: leaf(ops.NewSolid), graph.KindCapsule: leaf(ops.NewSolid), graph.KindTorus: leaf(ops.NewSolid),
	graph.KindPlane: leaf(ops.NewSolid), graph.KindEllipsoid: leaf(ops.NewSolid), graph.KindCone: leaf(ops.NewSolid),
	graph.KindSlab: leaf(ops.NewSlab),

	graph.KindUnion:              two(ops.Union{}),
	graph.KindIntersection:       two(ops.Intersection{}),
	graph.KindDifference:         two(ops.Difference{}),
	graph.KindSmoothUnion:        smooth(func(k float32) ops.Binary { return ops.SmoothUnion{K: k} }),
	graph.KindSmoothIntersection: smooth(func(k float32) ops.Binary { return ops.SmoothIntersection{K: k} }),
	graph.KindSmoothDifference:   smooth(func(k float32) ops.Binary { return ops.SmoothDifference{K: k} }),
	graph.KindAdd:                two(ops.Add{}),
	graph.KindSubtract:           two(ops.Subtract{}),
	graph.KindMultiply:           two(ops.Multiply{}),
	graph.KindHypot:              two(ops.Hypot{}),

	graph.KindScale:      one(func(c []float32) ops.Unary { return ops.Scale{Factor: c[0], Term: c[1]} }),
	graph.KindAbs:        one(func([]float32) ops.Unary { return ops.Abs{} }),
	graph.KindClamp:      one(func(c []float32) ops.Unary { return ops.Clamp{Lo: c[0], Hi: c[1]} }),
	graph.KindSmoothstep: one(func(c []float32) ops.Unary { return ops.Smoothstep{Low: c[0], Inverse: c[1]} }),
	graph.KindBump:       one(func(c []float32) ops.Unary { return ops.Bump{Inverse: c[0]} }),
	graph.KindCurve:      one(func(c []float32) ops.Unary { return ops.NewCurve(c) }),
	graph.KindTerrace:    one(func(c []float32) ops.Unary { return ops.Terrace{Height: c[0], Inverse: c[1], Rise: c[2]} }),
	graph.KindSpline:     one(func(c []float32) ops.Unary { return ops.NewSpline(c) }),
	graph.KindSaw:        one(func(c []float32) ops.Unary { return ops.Saw{Period: c[0]} }),
	graph.KindMix:        func(*graph.Step, *compiler) (ops.Op, error) { return ops.Mix{}, nil },
	graph.KindSelect:     func(s *graph.Step, _ *compiler) (ops.Op, error) { return ops.Selector{Threshold: s.Constants[0]}, nil },
	graph.KindSlope:      newSlope,

	graph.KindValue2: leaf(ops.NewNoiseOp), graph.KindValue3: leaf(ops.NewNoiseOp), graph.KindWarpedValue2: leaf(ops.NewNoiseOp), graph.KindWarpedValue3: leaf(ops.NewNoiseOp),
	graph.KindGradient2: leaf(ops.NewNoiseOp), graph.KindGradient3: leaf(ops.NewNoiseOp), graph.KindWarpedGradient2: leaf(ops.NewNoiseOp), graph.KindWarpedGradient3: leaf(ops.NewNoiseOp),
	graph.KindSimplex2: leaf(ops.NewNoiseOp), graph.KindSimplex3: leaf(ops.NewNoiseOp), graph.KindWarpedSimplex2: leaf(ops.NewNoiseOp), graph.KindWarpedSimplex3: leaf(ops.NewNoiseOp),
	graph.KindCellular2: leaf(ops.NewNoiseOp), graph.KindCellular3: leaf(ops.NewNoiseOp), graph.KindWarpedCellular2: leaf(ops.NewNoiseOp), graph.KindWarpedCellular3: leaf(ops.NewNoiseOp),
	graph.KindEdges2: leaf(ops.NewNoiseOp), graph.KindEdges3: leaf(ops.NewNoiseOp), graph.KindWarpedEdges2: leaf(ops.NewNoiseOp), graph.KindWarpedEdges3: leaf(ops.NewNoiseOp),

	graph.KindHeightmap: leaf(ops.NewHeightmap),
	graph.KindRough:     leaf(ops.NewRough),
	graph.KindCracks:    leaf(ops.NewCracks),
	graph.KindVolume:    leaf(ops.NewVolumeOp),
	graph.KindField:     leaf(ops.NewFieldOp),
}

// leaf makes an op that needs nothing but its step and its file.
func leaf(of func(s *graph.Step, open ops.Files) (ops.Op, error)) maker {
	return func(s *graph.Step, c *compiler) (ops.Op, error) { return of(s, c.asset) }
}

// one makes a function of one number from a step's constants, two a function of two numbers, smooth one with a blend
// radius.
func one(of func(c []float32) ops.Unary) maker {
	return func(s *graph.Step, _ *compiler) (ops.Op, error) { return ops.UnaryOp{Unary: of(s.Constants)}, nil }
}

func two(d ops.Binary) maker {
	return func(*graph.Step, *compiler) (ops.Op, error) { return ops.BinaryOp{Binary: d}, nil }
}

func smooth(of func(k float32) ops.Binary) maker {
	return func(s *graph.Step, _ *compiler) (ops.Op, error) { return ops.BinaryOp{Binary: of(s.Constants[0])}, nil }
}

func newPaintedWorld(s *graph.Step, c *compiler) (ops.Op, error) {
	last := float32(len(c.program.Materials) - 1)
	if m := c.steps[s.Inputs[2]].all; !(m.Lo >= 0 && m.Hi <= last) {
		return nil, fmt.Errorf("its material can reach %g … %g, want 0 … %g, the numbers of the palette", m.Lo, m.Hi, last)
	}
	return ops.WorldOp{}, nil
}
