package groundcheck

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/terrane/terrane/internal/document"
	"github.com/terrane/terrane/internal/importer"
)

// Print writes the report for people.
func (r *Report) Print(to io.Writer, d *importer.Compiled, o Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is right", o.File)
	if r.Name != "" {
		fmt.Fprintf(&b, ": %s", r.Name)
	}
	fmt.Fprintf(&b, ".\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\tnode\tis\treads\tvalues\tcost\n")
	far := false
	for i, n := range r.Nodes {
		var reads []string
		for _, k := range n.Inputs {
			reads = append(reads, fmt.Sprint(k))
		}
		cost := "per " + n.Per
		if n.Per == "world" {
			cost = "once"
		} else if n.NS != nil {
			cost = fmt.Sprintf("%s ns per %s", nsText(*n.NS), n.Per)
		}
		mark := ""
		if n.Far {
			mark, far = "  far", true
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s%s\n", i, n.Node, n.Kind, strings.Join(reads, " "), valuesText(n.Low, n.High), cost, mark)
	}
	w.Flush()
	fmt.Fprintln(&b)
	r.printSurface(&b, o.Radius)
	if o.Cost {
		fmt.Fprintf(&b, "cost       %.3g ms for a chunk of 35³ samples with surface in it%s\n", r.ChunkNS/1e6, Heavy(r.ChunkNS))
	}
	if len(r.Materials) > 0 {
		fmt.Fprintf(&b, "materials  %s\n", strings.Join(r.Materials, ", "))
	}
	for _, a := range d.Doc.Assets {
		fmt.Fprintf(&b, "asset      %s, a %v: %s\n", a.Name, a.Use, a.File)
	}
	if r.Seed != nil {
		fmt.Fprintf(&b, "seed       %d\n", *r.Seed)
	}
	fmt.Fprintf(&b, "graph      %d nodes, SHA-256 %s\n", len(r.Nodes), r.Graph)
	if len(r.Unused) > 0 {
		fmt.Fprintf(&b, "\nNothing reads %s.\n", strings.Join(r.Unused, ", "))
	}
	if r.Endless != "" {
		fmt.Fprintf(&b, "\nThe density is the same at all heights, which no world can be made of. Is it a height? Ground below a height is\n%s.\n", importer.BelowHeight(r.Endless))
	}
	if far {
		fmt.Fprintf(&b, "\nFar: a coordinate over 2²⁰ m from its origin has steps of more than ⅛ m. Measure it from nearer with\n{coordinate: x, from: …}, or use noise and shapes, which are exact everywhere.\n")
	}
	_, err := fmt.Fprint(to, document.Visible(b.String()))
	return err
}

// printSurface says where there is surface.
func (r *Report) printSurface(b *strings.Builder, radius int) {
	if r.Endless != "" {
		fmt.Fprintf(b, "surface    upright walls without ends; %d chunks within radius %d can hold some\n", r.Chunks, radius)
	} else if r.Cut {
		fmt.Fprintf(b, "surface    in so many places, or so costly to find, that not all within radius %d was looked at\n", radius)
	} else if r.Lowest != nil {
		fmt.Fprintf(b, "surface    between %d and %d m; %d chunks within radius %d can hold some\n", *r.Lowest, *r.Highest, r.Chunks, radius)
	} else {
		fmt.Fprintf(b, "surface    none within radius %d: all is solid, or all air\n", radius)
	}
}

// valuesText writes bounds in few digits.
func valuesText(low, high float32) string {
	text := func(v float32) string {
		switch a := math.Abs(float64(v)); {
		case a >= 1e7:
			return fmt.Sprintf("%.0e", v)
		case a >= 100:
			return fmt.Sprintf("%.0f", v)
		}
		return fmt.Sprintf("%.3g", v)
	}
	if low == high {
		return text(low)
	}
	return text(low) + " … " + text(high)
}

func nsText(v float64) string {
	switch {
	case v < 0.05:
		return "< 0.1"
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
