// Command gen writes the kernels of package rows from a list (list.go): a loop in plain Go, one over vectors, and the
// exported function that chooses between them. Run it by go generate in that package; its test compares what is
// committed.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

func main() {
	files, err := generate()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}

//go:embed kernels.tmpl
var templates string

// generate returns the files by name.
func generate() (map[string][]byte, error) {
	t, err := template.New("").Parse(templates)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range []string{"plain.go", "vector_simd.go", "doors_simd.go", "doors_other.go"} {
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, name, kernels); err != nil {
			return nil, err
		}
		if files[name], err = format.Source(b.Bytes()); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
	}
	return files, nil
}

// What the templates ask of a kernel.

func (k kernel) Name() string      { return k.name }
func (k kernel) Lower() string     { return strings.ToLower(k.name[:1]) + k.name[1:] }
func (k kernel) Doc() string       { return k.doc }
func (k kernel) Inputs() []string  { return strings.Fields(k.in) }
func (k kernel) Rows() bool        { return k.rows }
func (k kernel) Heights() bool     { return k.heights }
func (k kernel) Some() bool        { return k.some }
func (k kernel) Large() bool       { return k.large }
func (k kernel) Vector() []string  { return k.vector[:len(k.vector)-1] }
func (k kernel) Result() string    { return k.vector[len(k.vector)-1] }
func (k kernel) Negated() string   { return k.negated }
func (k kernel) Arguments() string { return strings.Join(names(k.Parameters()), ", ") }

// Zero reports whether the kernel needs a vector of zeros.
func (k kernel) Zero() bool {
	return k.negated != "" || regexp.MustCompile(`\bzero\b`).MatchString(strings.Join(k.vector, " "))
}

// Parameters returns the declared parameters.
func (k kernel) Parameters() string {
	list := []string{"dst []float32", "some [][16]uint32", strings.Join(k.Inputs(), ", ") + " []float32"}
	if !k.some {
		list = []string{"dst, " + list[2]}
	}
	if k.rows {
		list = append(list, "count int")
	}
	if k.heights {
		list = append(list, "y, dy int32")
	}
	if k.args != "" {
		list = append(list, k.args)
	}
	return strings.Join(list, ", ")
}

// names returns the names among declared parameters.
func names(parameters string) []string {
	var list []string
	for p := range strings.SplitSeq(parameters, ",") {
		list = append(list, strings.Fields(p)[0])
	}
	return list
}

// Each returns the inputs, suffix behind each name, separated by commas.
func (k kernel) Each(suffix string) string {
	return strings.Join(k.Inputs(), suffix+", ") + suffix
}

// Plain returns the plain expression with each input's element of the loop in place of its name.
func (k kernel) Plain() string {
	text := k.plain
	for _, in := range k.Inputs() {
		text = regexp.MustCompile(`\b`+in+`\b`).ReplaceAllString(text, in+"[i]")
	}
	return text
}

// A constant is a vector that does not change along a row.
type constant struct{ Name, Value string }

// Constants returns the constants of the kernel, zero aside.
func (k kernel) Constants() []constant {
	var list []constant
	if k.constants == "" {
		return nil
	}
	for c := range strings.SplitSeq(k.constants, ", ") {
		name, value, _ := strings.Cut(c, "=")
		list = append(list, constant{name, value})
	}
	return list
}

// Held returns the names of all vectors that do not change along a row.
func (k kernel) Held() []string {
	var list []string
	for _, c := range k.Constants() {
		list = append(list, c.Name)
	}
	if k.heights {
		list = append(list, "yv")
	}
	if k.Zero() {
		list = append(list, "zero")
	}
	return list
}

// At returns the call of the work on the vector at i.
func (k kernel) At(dst, i string) string {
	return fmt.Sprintf("%sAt(%s)", k.Lower(), strings.Join(append([]string{dst, k.Each(""), i}, k.Held()...), ", "))
}

// AtParameters returns the parameters of the function that does the work on one vector.
func (k kernel) AtParameters() string {
	p := "dst, " + k.Each("") + " []float32, i int"
	if held := k.Held(); len(held) > 0 {
		p += ", " + strings.Join(held, ", ") + " simd.Float32s"
	}
	return p
}
