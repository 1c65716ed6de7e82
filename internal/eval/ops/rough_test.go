package ops

import (
	"math"
	"testing"
)

func TestRoughGolden(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"hash 1,0", sineHash(1, 0), 0.3256236159650143},
		{"hash 0,1", sineHash(0, 1), 0.8193039737561776},
		{"hash -1,0", sineHash(-1, 0), 0.6743763840349857},
		{"hash 5,-3", sineHash(5, -3), 0.9137490773791797},
		{"noise 0.5,0.5", sineNoise(0.5, 0.5), -0.3752002423880185},
		{"noise -0.5,1.5", sineNoise(-0.5, 1.5), 0.02080719985247015},
		{"noise 10.3,-7.9", sineNoise(10.3, -7.9), -0.6506059111355806},
		{"fbm 0,0", sineFBM(0, 0), -1},
		{"fbm 10,-7", sineFBM(10, -7), -0.07727182840918327},
		{"fbm 3.5,12.25", sineFBM(3.5, 12.25), 0.07730649467326568},
		{"height 0,0", RoughHeight(0, 0), -1.005},
		{"height 10,-7", RoughHeight(10, -7), 0.06305690093051898},
		{"height 3.5,12.25", RoughHeight(3.5, 12.25), 0.24856417176400095},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	low, high := 9.0, -9.0
	for i := range 101 {
		for k := range 101 {
			h := RoughHeight(float64(i)*0.5-25, float64(k)*0.5-25)
			low, high = math.Min(low, h), math.Max(high, h)
		}
	}
	if low != -1.005 || math.Abs(high-0.86492) > 5e-6 {
		t.Errorf("heights run from %v to %v, want -1.005 … 0.86492", low, high)
	}
}
