package main

import (
	"os"
	"slices"
	"testing"
)

// TestUpToDate requires the committed file to be what the constants, shaders and names of today make.
func TestUpToDate(t *testing.T) {
	want, err := protocol()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not up to date: run go generate ./client/protocolgen", output)
	}
}

func TestLayout(t *testing.T) {
	const shader = `
struct Other { a: u32 }
struct S {
	at: vec3<i32>, // of the place
	operation: u32,
	two_words: vec2<f32>,
	list: array<u32, 5>,
	spare: u32,
	last: vec4<u32>,
	end: u32,
}`
	got, err := layout(shader, "S")
	if err != nil {
		t.Fatal(err)
	}
	want := []member{{"At", 0}, {"Operation", 3}, {"TwoWords", 4}, {"List", 6}, {"Last", 12}, {"End", 16}, {"Count", 20}}
	if !slices.Equal(got, want) {
		t.Errorf("layout %v, want %v", got, want)
	}
	for _, wrong := range []string{"struct T {a: u32}", "struct S {a: mat3x3f}"} {
		if _, err := layout(wrong, "S"); err == nil {
			t.Errorf("%s has a layout", wrong)
		}
	}
}
