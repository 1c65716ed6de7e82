package field

import "github.com/terrane/terrane/graph"

// A maker makes the op of a step.
type maker func(s *graph.Step, c *compiler) (op, error)

// makers holds the maker of every kind.
var makers = [...]maker{
	graph.KindConstant:     func(s *graph.Step, _ *compiler) (op, error) { return constant(s.Constants[0]), nil },
	graph.KindCoordinate:   newCoordinate,
	graph.KindHeight:       func(*graph.Step, *compiler) (op, error) { return height{}, nil },
	graph.KindWorld:        func(*graph.Step, *compiler) (op, error) { return worldOp{}, nil },
	graph.KindPaintedWorld: newPaintedWorld,

	graph.KindBall: newSolid, graph.KindCylinder: newSolid, graph.KindBox: newSolid, graph.KindCapsule: newSolid, graph.KindTorus: newSolid,
	graph.KindPlane: newSolid, graph.KindEllipsoid: newSolid, graph.KindCone: newSolid,
	graph.KindSlab: newSlab,

	graph.KindUnion:              two(union{}),
	graph.KindIntersection:       two(intersection{}),
	graph.KindDifference:         two(difference{}),
	graph.KindSmoothUnion:        smooth(func(k float32) dyadic { return smoothUnion{k} }),
	graph.KindSmoothIntersection: smooth(func(k float32) dyadic { return smoothIntersection{k} }),
	graph.KindSmoothDifference:   smooth(func(k float32) dyadic { return smoothDifference{k} }),
	graph.KindAdd:                two(add{}),
	graph.KindSubtract:           two(subtract{}),
	graph.KindMultiply:           two(multiply{}),
	graph.KindHypot:              two(hypot{}),

	graph.KindScale:      one(func(c []float32) monadic { return scale{c[0], c[1]} }),
	graph.KindAbs:        one(func([]float32) monadic { return abs{} }),
	graph.KindClamp:      one(func(c []float32) monadic { return clamp{c[0], c[1]} }),
	graph.KindSmoothstep: one(func(c []float32) monadic { return smoothstep{c[0], c[1]} }),
	graph.KindBump:       one(func(c []float32) monadic { return bump{c[0]} }),
	graph.KindCurve:      one(func(c []float32) monadic { return newCurve(c) }),
	graph.KindTerrace:    one(func(c []float32) monadic { return terrace{c[0], c[1], c[2]} }),
	graph.KindSpline:     one(func(c []float32) monadic { return newSpline(c) }),
	graph.KindSaw:        one(func(c []float32) monadic { return saw{c[0]} }),
	graph.KindMix:        func(*graph.Step, *compiler) (op, error) { return mix{}, nil },
	graph.KindSelect:     func(s *graph.Step, _ *compiler) (op, error) { return selector{s.Constants[0]}, nil },
	graph.KindSlope:      newSlope,

	graph.KindValue2: newNoiseOp, graph.KindValue3: newNoiseOp, graph.KindWarpedValue2: newNoiseOp, graph.KindWarpedValue3: newNoiseOp,
	graph.KindGradient2: newNoiseOp, graph.KindGradient3: newNoiseOp, graph.KindWarpedGradient2: newNoiseOp, graph.KindWarpedGradient3: newNoiseOp,
	graph.KindSimplex2: newNoiseOp, graph.KindSimplex3: newNoiseOp, graph.KindWarpedSimplex2: newNoiseOp, graph.KindWarpedSimplex3: newNoiseOp,
	graph.KindCellular2: newNoiseOp, graph.KindCellular3: newNoiseOp, graph.KindWarpedCellular2: newNoiseOp, graph.KindWarpedCellular3: newNoiseOp,
	graph.KindEdges2: newNoiseOp, graph.KindEdges3: newNoiseOp, graph.KindWarpedEdges2: newNoiseOp, graph.KindWarpedEdges3: newNoiseOp,

	graph.KindHeightmap: newHeightmap,
	graph.KindRough:     newRough,
	graph.KindCracks:    newCracks,
	graph.KindVolume:    newVolumeOp,
	graph.KindField:     newFieldOp,
}

// one makes a function of one number from a step's constants, two a function of two numbers, smooth one with a blend
// radius.
func one(of func(c []float32) monadic) maker {
	return func(s *graph.Step, _ *compiler) (op, error) { return monadicOp{of(s.Constants)}, nil }
}

func two(d dyadic) maker { return func(*graph.Step, *compiler) (op, error) { return dyadicOp{d}, nil } }

func smooth(of func(k float32) dyadic) maker {
	return func(s *graph.Step, _ *compiler) (op, error) { return dyadicOp{of(s.Constants[0])}, nil }
}
