package document

import (
	"fmt"
	"strings"
)

// Reference returns the part of the manual that lists all keys and nodes, in Markdown.
func Reference() string {
	var b strings.Builder
	b.WriteString("### The document\n\n| key | what it is |\n|---|---|\n")
	for _, k := range topKeys {
		about := k.about
		if k.example != "" {
			about += "; must be there"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.name, about)
	}
	group := ""
	for i := range operations {
		o := &operations[i]
		if o.group != group {
			group = o.group
			fmt.Fprintf(&b, "\n### %s\n", group)
		}
		fmt.Fprintf(&b, "\n**%s**: %s\n\n    %s\n\n| key | what it is | values | if left out |\n|---|---|---|---|\n", o.name, o.about, o.example)
		o.head.row(&b)
		for i := range o.params {
			o.params[i].row(&b)
		}
	}
	return b.String()
}

// row writes the parameter's row of its table.
func (p *param) row(b *strings.Builder) {
	left := "must be there"
	switch {
	case p.def != "":
		left = "`" + p.def + "`"
	case p.instead != "":
		left = "`" + p.instead + "` must be there"
	case p.optional:
		left = "nothing"
		if p.name == "seed" {
			left = "from the name"
		}
	}
	about := p.about
	if p.kind == nodeParam || p.kind == nodesParam {
		if p.material {
			about += " (a node or a material)"
		}
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.name, about, p.valuesText(), left)
}

// valuesText returns the values that a parameter takes, for the manual.
func (p *param) valuesText() string {
	switch p.kind {
	case nodeParam:
		return "a node"
	case nodesParam:
		return countOf(p.count) + " nodes"
	case wordParam:
		return "`" + strings.Join(p.words, "`, `") + "`"
	case seedParam:
		return "any whole number"
	case assetParam:
		return "a name"
	case wholeParam:
		return "whole, " + p.rangeText()
	case vectorParam:
		return countOf(p.count) + " numbers, " + p.rangeText()
	case placeParam:
		if p.count[0] == 1 {
			return p.rangeText()
		}
		return "3 numbers, " + p.rangeText()
	case periodParam:
		return p.rangeText()
	case pointsParam:
		return countOf(p.count) + " pairs, " + p.rangeText()
	case rotationParam:
		return p.rangeText() + ", or of each axis"
	case bandsParam:
		return "nodes and numbers, taking turns"
	}
	return p.rangeText()
}
