package document

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

	"github.com/terrane/terrane/field"
)

// Limits of a document. They bound what a hostile one can cost.
const (
	MaxBytes  = 1 << 20
	maxTokens = 1 << 17
	maxDepth  = 32 // of lists and mappings in each other
	maxIndent = 200
	// maxLines bounds the keys and items that stand on lines of their own: the parser copies those that are still
	// to come at each.
	maxLines = 3 * field.MaxNodes
)

// A shape says what a value of the document is.
type shape uint8

const (
	nothing shape = iota // a key without a value
	scalar
	list
	mapping
)

func (s shape) String() string {
	return [...]string{"nothing", "a value", "a list", "a mapping"}[s]
}

// A value is a value of the document, with where it stands.
type value struct {
	shape shape
	span
	text   string // of a scalar
	quoted bool   // the scalar is certainly text
	items  []*value
	pairs  []pair
	index  map[string]int // of pairs, by key
}

// A pair is a key of a mapping and its value.
type pair struct {
	key string
	at  span
	*value
}

// find returns the value of a key, nil if it is not there.
func (v *value) find(key string) *value {
	if i, ok := v.index[key]; ok {
		return v.pairs[i].value
	}
	return nil
}

// parseTree reads YAML or JSON. It returns nil if there is no tree to go on with.
func parseTree(src []byte, r *reporter) *value {
	if len(src) > MaxBytes {
		r.at(span{}, "the document has %d bytes; it may have %d", len(src), MaxBytes).hint("large data belongs in assets")
		return nil
	}
	r.lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(src)), "\n")
	for i, line := range r.lines {
		if !utf8.ValidString(line) {
			r.at(span{line: i + 1, column: 1, width: 1}, "the line is not UTF-8 text; a document is YAML or JSON")
			return nil
		}
		if before, _, ok := strings.Cut(line, "\x00"); ok {
			r.at(span{line: i + 1, column: utf8.RuneCountInString(before) + 1, width: 1}, "the line holds a zero byte; a document is YAML or JSON")
			return nil
		}
	}
	text := strings.Join(r.lines, "\n")
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
		r.at(spanOf(file.Docs[1].Start), "a second document begins here; a file holds one")
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		r.at(span{line: 1, column: 1, width: 1}, "the document is empty").hint("the shortest is: {terrane: 1, density: {below: 0.5}}")
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
func checkTokens(tokens token.Tokens, r *reporter) bool {
	if len(tokens) > maxTokens {
		r.at(spanOf(tokens[maxTokens]), "the document has over %d words and signs; large data belongs in assets", maxTokens)
		return false
	}
	good := len(r.list)
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
			p := r.at(spanOf(t), "%s are not part of the language", sign[0])
			if sign[1] != "" {
				p.hint("%s", sign[1])
			}
		}
		if depth == 0 && (t.Type == token.MappingValueType || t.Type == token.SequenceEntryType) {
			if lines++; lines > maxLines {
				r.at(spanOf(t), "more than %d keys and items stand on lines of their own; a graph has at most %d nodes", maxLines, field.MaxNodes)
				return false
			}
		}
		if depth > maxDepth || run > maxDepth || t.Position.IndentNum > maxIndent {
			r.at(spanOf(t), "lists and mappings stand in each other more than %d deep", maxDepth).hint("give inner nodes names under nodes")
			return false
		}
	}
	return len(r.list) == good
}

// reportSyntax reports an error of the YAML parser.
func reportSyntax(err error, r *reporter) {
	var syntax *yaml.SyntaxError
	if !errors.As(err, &syntax) || syntax.Token == nil {
		r.at(span{}, "this is no YAML: %v", err)
		return
	}
	found := false
	for i, line := range r.lines {
		if m := bareColor.FindStringSubmatch(line); m != nil {
			found = true
			r.at(span{i + 1, utf8.RuneCountInString(m[1]) + 1, len(m[2])}, "a # begins a comment, unless it stands in quotes").
				hint("write the color as \"%s\"", m[2])
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
	p := r.at(spanOf(syntax.Token), "%s", message)
	if hint != "" {
		p.hint("%s", hint)
	}
}

// spanOf returns where a token stands.
func spanOf(t *token.Token) span {
	if t == nil || t.Position == nil {
		return span{line: 1, column: 1, width: 1}
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
	return span{line: t.Position.Line, column: t.Position.Column, width: max(width, 1)}
}

// A treeMaker makes values of the parser's nodes.
type treeMaker struct{ *reporter }

func (t treeMaker) value(n ast.Node, depth int) *value {
	v := &value{span: spanOf(n.GetToken())}
	if depth > maxDepth {
		t.at(v.span, "lists and mappings stand in each other more than %d deep", maxDepth).hint("give inner nodes names under nodes")
		return v
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		v.shape = mapping
		if !n.IsFlowStyle && len(n.Values) > 0 { // its token is a colon
			v.span = spanOf(n.Values[0].Key.GetToken())
		}
		for _, p := range n.Values {
			t.pair(v, p, depth)
		}
	case *ast.MappingValueNode:
		v.shape, v.span = mapping, spanOf(n.Key.GetToken())
		t.pair(v, n, depth)
	case *ast.SequenceNode:
		v.shape = list
		for _, item := range n.Values {
			v.items = append(v.items, t.value(item, depth+1))
		}
	case *ast.NullNode:
		v.shape = nothing
	case *ast.LiteralNode:
		v.shape, v.quoted, v.text = scalar, true, n.Value.Value
	default:
		tk := n.GetToken()
		v.shape, v.text = scalar, tk.Value
		v.quoted = tk.Type == token.DoubleQuoteType || tk.Type == token.SingleQuoteType
	}
	return v
}

// pair adds a key with its value to v, unless it is there.
func (t treeMaker) pair(v *value, n *ast.MappingValueNode, depth int) {
	tk := n.Key.GetToken()
	p := pair{key: tk.Value, at: spanOf(tk)}
	if n.Value == nil {
		p.value = &value{span: p.at}
	} else {
		p.value = t.value(n.Value, depth+1)
	}
	if p.shape == nothing {
		p.value.span = p.at
	}
	if i, ok := v.index[p.key]; ok {
		t.reporter.at(p.at, "the key %q stands here a second time; the first is on line %d", p.key, v.pairs[i].at.line).
			hint("keep one of the two, or rename one")
		return
	}
	if v.index == nil {
		v.index = map[string]int{}
	}
	v.index[p.key] = len(v.pairs)
	v.pairs = append(v.pairs, p)
}
