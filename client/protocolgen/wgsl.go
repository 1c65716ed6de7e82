package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	comments = regexp.MustCompile(`//[^\n]*`)
	fields   = regexp.MustCompile(`(\w+):\s*(vec[234]<\w+>|array<\w+,\s*\d+>|\w+)`)
	vector   = regexp.MustCompile(`^vec([234])<[iuf]32>$`)
	array    = regexp.MustCompile(`^array<[iuf]32,\s*(\d+)>$`)
)

// layout returns where the fields of a struct of a shader begin and its length, in words of 4 bytes, as WGSL lays out
// structs in storage: a field begins at a multiple of its alignment (WGSL, "Alignment and Size"), and a vector of
// three numbers is aligned as one of four. Fields named spare are left out.
func layout(shader, name string) ([]member, error) {
	found := regexp.MustCompile(`struct ` + name + `\s*\{([^}]*)\}`).FindStringSubmatch(comments.ReplaceAllString(shader, ""))
	if found == nil {
		return nil, fmt.Errorf("no shader has the struct %s", name)
	}
	var members []member
	at, most := 0, 1
	for _, f := range fields.FindAllStringSubmatch(found[1], -1) {
		size, align, err := sizeOf(f[2])
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", name, f[1], err)
		}
		at = roundUp(at, align)
		most = max(most, align)
		if !strings.HasPrefix(f[1], "spare") {
			members = append(members, member{camel(f[1]), int64(at)})
		}
		at += size
	}
	return append(members, member{"Count", int64(roundUp(at, most))}), nil
}

// sizeOf returns the size and the alignment of a type in words.
func sizeOf(kind string) (size, align int, err error) {
	if kind == "u32" || kind == "i32" || kind == "f32" {
		return 1, 1, nil
	}
	if m := vector.FindStringSubmatch(kind); m != nil {
		n := int(m[1][0] - '0')
		return n, roundUp(n, 2), nil
	}
	if m := array.FindStringSubmatch(kind); m != nil {
		n, err := strconv.Atoi(m[1])
		return n, 1, err
	}
	return 0, 0, fmt.Errorf("the type %s is unknown", kind)
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// camel returns row_words as RowWords.
func camel(name string) string {
	var s strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		s.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return s.String()
}
