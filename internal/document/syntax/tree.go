package syntax

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/terrane/terrane/graph"
)

// Limits of a document. They bound what a hostile one can cost.
const (
	MaxBytes  = 1 << 20
	maxTokens = 1 << 17
	maxDepth  = 32 // of lists and mappings in each other
	maxIndent = 200
	// maxLines bounds the keys and items that stand on lines of their own: the parser copies those that are still
	// to come at each.
	maxLines = 3 * graph.MaxNodes
)

// A Shape is the kind of a value of the document.
type shape uint8

const (
	Nothing shape = iota // a key without a value
	Scalar
	List
	Mapping
)

func (s shape) String() string {
	return [...]string{"nothing", "a value", "a list", "a mapping"}[s]
}

// A Value is a value of the document, with where it stands.
type Value struct {
	Shape shape
	Span
	Text   string // of a scalar
	Quoted bool   // the scalar is certainly text
	Items  []*Value
	Pairs  []Pair
	index  map[string]int // of pairs, by key
}

// A Pair is a key of a mapping and its value.
type Pair struct {
	Key string
	At  Span
	*Value
}

// Find returns the value of a key, nil if it is not there.
func (v *Value) Find(key string) *Value {
	if i, ok := v.index[key]; ok {
		return v.Pairs[i].Value
	}
	return nil
}

// Parse reads YAML or JSON. It returns nil if there is no tree to go on with.
func Parse(src []byte, r *Reporter) *Value {
	if len(src) > MaxBytes {
		r.At(Span{}, "the document has %d bytes; it may have %d", len(src), MaxBytes).Suggest("large data belongs in assets")
		return nil
	}
	r.Lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(src)), "\n")
	for i, line := range r.Lines {
		if !utf8.ValidString(line) {
			r.At(Span{Line: i + 1, Column: 1, Width: 1}, "the line is not UTF-8 text; a document is YAML or JSON")
			return nil
		}
		if before, _, ok := strings.Cut(line, "\x00"); ok {
			r.At(Span{Line: i + 1, Column: utf8.RuneCountInString(before) + 1, Width: 1}, "the line holds a zero byte; a document is YAML or JSON")
			return nil
		}
	}
	text := strings.Join(r.Lines, "\n")
	if strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "{") {
		text = strings.ReplaceAll(text, "\t", " ") // JSON may be indented with tabs, and its strings hold none
	}
	tokens := lexer.Tokenize(text)
	if !checkTokens(tokens, r) {
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		reportSyntax(err, r)
		return nil
	}
	if len(file.Docs) > 1 {
		r.At(spanOf(file.Docs[1].Start), "a second document begins here; a file holds one")
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		r.At(Span{Line: 1, Column: 1, Width: 1}, "the document is empty").Suggest("the shortest is: {terrane: 1, density: {below: 0.5}}")
		return nil
	}
	t := treeMaker{r}
	return t.value(file.Docs[0].Body, 0)
}

// foreign are the signs of YAML that the language does not have: their names, and what to do instead.
var foreign = map[token.Type][2]string{
	token.AnchorType:    {"anchors (&)", "give the node a name under nodes, and use the name"},
	token.AliasType:     {"aliases (*)", "use a node's name, without the *"},
	token.MergeKeyType:  {"merge keys (<<)", ""},
	token.TagType:       {"tags (!)", ""},
	token.DirectiveType: {"directives (%)", ""},
}

// bareColor is a color without quotes, which YAML takes for a comment.
var bareColor = regexp.MustCompile(`^([^#"]*:\s+)(#[0-9a-fA-F]{3,6})\b`)

// checkTokens refuses what the parser need not see: what the language does not have, and nesting without end.
func checkTokens(tokens token.Tokens, r *Reporter) bool {
	if len(tokens) > maxTokens {
		r.At(spanOf(tokens[maxTokens]), "the document has over %d words and signs; large data belongs in assets", maxTokens)
		return false
	}
	good := len(r.List)
	depth, run, line, lines := 0, 0, 0, 0
	seen := map[token.Type]bool{}
	for _, t := range tokens {
		if t.Position.Line != line {
			line, run = t.Position.Line, 0
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType:
			run++
		}
		if sign, ok := foreign[t.Type]; ok && !seen[t.Type] {
			seen[t.Type] = true // one of each kind is enough
			p := r.At(spanOf(t), "%s are not part of the language", sign[0])
			if sign[1] != "" {
				p.Suggest("%s", sign[1])
			}
		}
		if depth == 0 && (t.Type == token.MappingValueType || t.Type == token.SequenceEntryType) {
			if lines++; lines > maxLines {
				r.At(spanOf(t), "more than %d keys and items stand on lines of their own; a graph has at most %d nodes", maxLines, graph.MaxNodes)
				return false
			}
		}
		if depth > maxDepth || run > maxDepth || t.Position.IndentNum > maxIndent {
			r.At(spanOf(t), "lists and mappings stand in each other more than %d deep", maxDepth).Suggest("give inner nodes names under nodes")
			return false
		}
	}
	return len(r.List) == good
}

// reportSyntax reports an error of the YAML parser.
func reportSyntax(err error, r *Reporter) {
	var syntax *yaml.SyntaxError
	if !errors.As(err, &syntax) || syntax.Token == nil {
		r.At(Span{}, "this is no YAML: %v", err)
		return
	}
	found := false
	for i, line := range r.Lines {
		if m := bareColor.FindStringSubmatch(line); m != nil {
			found = true
			r.At(Span{i + 1, utf8.RuneCountInString(m[1]) + 1, len(m[2])}, "a # begins a comment, unless it stands in quotes").
				Suggest("write the color as \"%s\"", m[2])
		}
	}
	if found {
		return // it most likely is why
	}
	message := syntax.Message
	hint := ""
	switch {
	case strings.Contains(message, "tab character"), strings.Contains(message, "character '\t'"):
		message, hint = "a tab indents the line", "YAML is indented with spaces"
	case strings.Contains(message, "mapping value is not allowed"):
		message, hint = "a colon makes a mapping where none may stand", "write a node on one line as {key: value, …}, or put text with a colon in quotes"
	case strings.Contains(message, "mapping end token"):
		message = "the mapping that begins here has no }"
	case strings.Contains(message, "sequence end token"):
		message = "the list that begins here has no ]"
	case strings.Contains(message, "',' or '}' must be specified"):
		message = "a mapping that began with { goes on here without a comma, and without its }"
	case strings.Contains(message, "',' or ']' must be specified"):
		message = "a list that began with [ goes on here without a comma, and without its ]"
	case strings.Contains(message, "end character of"):
		message = "the text that begins here has no closing quote"
	case strings.Contains(message, "value is not allowed in this context"):
		message, hint = "this cannot stand here", "keys of one mapping begin in the same column"
	}
	p := r.At(spanOf(syntax.Token), "%s", message)
	if hint != "" {
		p.Suggest("%s", hint)
	}
}

// spanOf returns where a token stands.
func spanOf(t *token.Token) Span {
	if t == nil || t.Position == nil {
		return Span{Line: 1, Column: 1, Width: 1}
	}
	width := utf8.RuneCountInString(t.Value)
	switch t.Type {
	case token.DoubleQuoteType, token.SingleQuoteType:
		width += 2
	case token.ImplicitNullType:
		width = 1
	}
	if t.Type == token.LiteralType || t.Type == token.FoldedType || strings.Contains(t.Value, "\n") {
		width = 1
	}
	return Span{Line: t.Position.Line, Column: t.Position.Column, Width: max(width, 1)}
}

// A treeMaker makes values of the parser's nodes.
type treeMaker struct{ *Reporter }

func (t treeMaker) value(n ast.Node, depth int) *Value {
	v := &Value{Span: spanOf(n.GetToken())}
	if depth > maxDepth {
		t.At(v.Span, "lists and mappings stand in each other more than %d deep", maxDepth).Suggest("give inner nodes names under nodes")
		return v
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		v.Shape = Mapping
		if !n.IsFlowStyle && len(n.Values) > 0 { // its token is a colon
			v.Span = spanOf(n.Values[0].Key.GetToken())
		}
		for _, p := range n.Values {
			t.pair(v, p, depth)
		}
	case *ast.MappingValueNode:
		v.Shape, v.Span = Mapping, spanOf(n.Key.GetToken())
		t.pair(v, n, depth)
	case *ast.SequenceNode:
		v.Shape = List
		for _, item := range n.Values {
			v.Items = append(v.Items, t.value(item, depth+1))
		}
	case *ast.NullNode:
		v.Shape = Nothing
	case *ast.LiteralNode:
		v.Shape, v.Quoted, v.Text = Scalar, true, n.Value.Value
	default:
		tk := n.GetToken()
		v.Shape, v.Text = Scalar, tk.Value
		v.Quoted = tk.Type == token.DoubleQuoteType || tk.Type == token.SingleQuoteType
	}
	return v
}

// Pair adds a key with its value to v, unless it is there.
func (t treeMaker) pair(v *Value, n *ast.MappingValueNode, depth int) {
	tk := n.Key.GetToken()
	p := Pair{Key: tk.Value, At: spanOf(tk)}
	if n.Value == nil {
		p.Value = &Value{Span: p.At}
	} else {
		p.Value = t.value(n.Value, depth+1)
	}
	if p.Shape == Nothing {
		p.Value.Span = p.At
	}
	if i, ok := v.index[p.Key]; ok {
		t.Reporter.At(p.At, "the key %q stands here a second time; the first is on line %d", p.Key, v.Pairs[i].At.Line).
			Suggest("keep one of the two, or rename one")
		return
	}
	if v.index == nil {
		v.index = map[string]int{}
	}
	v.index[p.Key] = len(v.Pairs)
	v.Pairs = append(v.Pairs, p)
}
