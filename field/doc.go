// Package field computes the density of the generated ground. Density is in meters, roughly, and positive inside the
// ground; signed distances exist only where shapes are computed (internal/eval/sdf).
//
// A [graph.Graph] of nodes is the compact form of a world; package template has ready-made ones. [Compile] checks it and
// makes a [Terrain] of it. What computes a kind of node (internal/eval/ops) does it in three ways that must agree: at a
// sample ([Field]), over a block of a grid ([Filler]), bit for bit the same, and as an interval that holds every sample
// of a box ([Bounder]). fieldtest.Test holds any terrain to that.
//
// Between samples the density is what a mesh shows ([AtPlace], [AtMeters] and their gradients).
//
// # Who may share what
//
// A [Program], which [Prepare] makes, is read-only and shared by any number of goroutines. A [Terrain] is one reader of
// it: it holds scratch memory and is for one goroutine at a time, which it checks as far as that costs nothing: two at
// once panic. What reads the files of a graph is called by the goroutine that prepares or, for tiles, uses a terrain.
//
// # How a grid is filled
//
// Nodes that do not depend on y are computed once a column. The others are computed in blocks of a few rows
// along x. Before a block is computed the intervals of its nodes are: where they show that a node has one
// value in the block, or equals one of its inputs (a side of a union that cannot win), it is left out, and so
// is what only it needs. The intervals of the whole grid are looked at first and cut the list for its blocks.
//
// What is left costs mostly passes over rows, so chains of nodes that are common are computed as one step (tunnels, and
// surfaces displaced by noise), and noise that is weighed is computed for the rows only where its weight is not 0.
//
// # Speed
//
// What a viewer at the origin of the hills sees, 8 chunks far, on one thread of an AMD EPYC (Zen 2) with vectors of
// 256 bits (terrane bench chunk): 0.42 ms from 35³ samples to the mesh of a chunk with normals and materials, on
// average over those that have one, of which the density takes 0.22, the materials 0.07 and the mesh 0.12; 0.67 ms to
// find a column's chunks; 90 % of the chunks that are sampled hold surface. With vectors of 128 bits a chunk takes a
// quarter longer. The speed of noise stands in package noise.
//
// # Materials
//
// A graph may say of what each sample is made ([graph.KindPaintedWorld], [MaterialSource]): a node's value, rounded, is a
// number of the palette. Such nodes are constants chosen by [graph.KindSelect] from depth (graph.KindHeight of the ground),
// height, [graph.KindSlope], noise and [graph.KindSaw], and share what they can with the density. They are computed after
// the density and the edits laid over it, for the rows of a grid that the surface touches, block by block and
// cut by intervals as it is.
//
// # Fields of a program's own
//
// A type with a method At is a [Field]. [graph.Builder.Field] joins it to a graph, where it can be dug, warped round
// and mixed like any node: each sample is asked for by itself, and nothing is skipped unless it is a [Bounder]
// too. fieldtest.Test holds it to what the engine relies on. Such a graph has no binary form.
//
// # Rules
//
// Values are float32, every product rounded before it is added, so that no machine fuses the two; minima and
// maxima compare and select. No value is ever −0 or NaN: operations that could make −0 add 0, and Compile
// follows the ranges of all nodes from the parameters on and refuses a graph in which one could overflow.
// Shapes are placed by a sample and an offset and noise runs on fixed-point phase, so both are as exact ten
// million meters out as at the origin. A changed kernel is a new semantics version (see graph.Semantics); the
// hashes of testdata/golden.txt are never rewritten for an old one.
package field
