package edit

import "testing"

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		got   interface{ String() string }
		valid bool
		want  string
	}{
		{Dig, Dig.Valid(), "dig"}, {Build, Build.Valid(), "build"}, {Ball, Ball.Valid(), "ball"},
		{Op(0), !Op(0).Valid(), "operation 0"}, {Op(200), !Op(200).Valid(), "operation 200"},
		{Shape(0), !Shape(0).Valid(), "shape 0"}, {Shape(200), !Shape(200).Valid(), "shape 200"},
	} {
		if tt.got.String() != tt.want || !tt.valid {
			t.Errorf("%T %q is known: %v; want the name %q", tt.got, tt.got.String(), tt.valid, tt.want)
		}
	}
}
