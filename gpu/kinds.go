package gpu

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terrane/terrane/graph"
)

// functionOf returns the WGSL function of a kind: op_ and the kind's name in package graph's table. Warped noise is the
// noise looked up elsewhere. (A strings.Replacer would add ten kilobytes to the page.)
func functionOf(k *graph.Info) string {
	name := strings.TrimPrefix(k.Name, "warped ")
	function := []byte("op_")
	for _, c := range []byte(name) { // strings' functions for this would weigh more in the page than the shaders of a kind
		switch {
		case c == ' ':
			function = append(function, '_')
		case 'A' <= c && c <= 'Z':
			function = append(function, c-'A'+'a')
		case c != '-':
			function = append(function, c)
		}
	}
	return string(function)
}

// A source is a part of the shaders that has functions of kinds, and what these need besides.
type source struct {
	part  string
	needs []string
}

// sources are searched for the function of a kind.
var sources = []source{
	{"combine", nil}, {"shapes", nil}, {"raster", nil}, {"curves", []string{"number"}},
	{"value", []string{"number", "noise"}}, {"gradient", []string{"number", "noise"}}, {"simplex", []string{"number", "noise"}},
	{"cellular", []string{"number", "noise"}}, {"cracks", []string{"number", "noise", "cellular"}},
}

// sourceOf returns where the function of a kind is, nil if it has none.
func sourceOf(k *graph.Info) *source {
	begin := "\nfn " + functionOf(k)
	for i := range sources {
		text := part(sources[i].part)
		if strings.Contains(text, begin+"(") || strings.Contains(text, begin+"_x(") { // a cylinder's, of each axis
			return &sources[i]
		}
	}
	return nil
}

// inline reports whether a kind is an expression without a function.
func inline(k graph.Kind) bool {
	switch k {
	case graph.KindConstant, graph.KindCoordinate, graph.KindHeight, graph.KindWorld, graph.KindPaintedWorld:
		return true
	}
	return false
}

// A Fallback is a kind of node that only the processor computes.
type Fallback struct {
	Kind   graph.Kind
	Reason string
}

// Fallbacks returns the kinds that only the processor computes, with the reason.
func Fallbacks() []Fallback {
	var list []Fallback
	infos := graph.Infos()
	for i := range infos {
		if why := reason(&infos[i]); why != "" {
			list = append(list, Fallback{infos[i].Kind, why})
		}
	}
	return list
}

// reason returns why a kind falls back, "" if it does not.
func reason(k *graph.Info) string {
	switch {
	case k.Kind == graph.KindRough:
		return "it needs 64-bit floats: its hash is made of the last bits of a sine"
	case k.Kind == graph.KindVolume:
		return "its samples are not brought to the GPU yet"
	case k.Kind == graph.KindField:
		return "it is a program of its own"
	case !inline(k.Kind) && sourceOf(k) == nil:
		return "no shader is written for it yet"
	}
	return ""
}

var errNoRasters = errors.New("it reads a raster, and none are there")

// ErrUnsupported is wrapped by the errors of Supported and Generate about nodes that only the processor computes.
var ErrUnsupported = errors.New("gpu: only the processor computes this graph")

// Supported returns nil if every step that the density of p needs can be written as a shader; otherwise an error that
// names those that cannot, with the reason.
func Supported(p *graph.Program) error {
	needed := needs(p, len(p.Steps)-1)
	var bad []string
	for i := range p.Steps {
		if s := &p.Steps[i]; needed[i] {
			if why := reason(s.Info); why != "" {
				bad = append(bad, fmt.Sprintf("node %d (%v): %s", i, s.Kind, why))
			}
		}
	}
	if bad != nil {
		return fmt.Errorf("%w: %s", ErrUnsupported, strings.Join(bad, "; "))
	}
	return nil
}

// needs returns which of the steps up to last the value of last is made of.
func needs(p *graph.Program, last int) []bool {
	needed := make([]bool, last+1)
	needed[last] = true
	for i := last; i >= 0; i-- {
		if needed[i] {
			for _, k := range p.Steps[i].Density() {
				needed[k] = true
			}
		}
	}
	return needed
}

// parts returns the parts of the shaders that the function of a kind needs.
func parts(k *graph.Info) []string {
	if inline(k.Kind) {
		return nil
	}
	s := sourceOf(k)
	return append(slices.Clone(s.needs), s.part)
}
