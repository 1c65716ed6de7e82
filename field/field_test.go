package field_test

import (
	"testing"

	"github.com/terrane/terrane/field"
	"github.com/terrane/terrane/field/fieldtest"
)

func compile(t testing.TB, g *field.Graph) field.Terrain {
	t.Helper()
	f, err := field.Compile(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTemplates(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *field.Graph
	}{
		{"hills", field.Hills(1)},
		{"shape", field.Shape()},
		{"flat", field.Flat()},
	} {
		t.Run(c.name, func(t *testing.T) { fieldtest.Test(t, compile(t, c.g), 1) })
	}
}
