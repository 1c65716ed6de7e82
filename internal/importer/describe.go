package importer

import (
	"fmt"
	"math"
	"strings"

	"github.com/terrane/terrane/ingest"
)

// DescribeHeightmap returns what there is to know of a heightmap, as names and values in turns. What is not known is empty.
func DescribeHeightmap(h *ingest.Heightmap) []string {
	low, high, voids, ok := h.Range()
	heights, unit := "none: all samples are void", ""
	if h.Meters {
		unit = " m"
	}
	if ok {
		heights = fmt.Sprintf("%v … %v%s", low, high, unit)
	}
	spacing := ""
	if h.MetersX > 0 {
		spacing = fmt.Sprintf("%.5g × %.5g m (east–west × north–south)", h.MetersX, h.MetersZ)
	}
	place := ""
	if h.OriginX != 0 || h.OriginZ != 0 {
		place = fmt.Sprintf("first sample at %.10g m east, %.10g m north", h.OriginX, 0-h.OriginZ)
	}
	return []string{"file", "a heightmap: " + h.Format, "samples", fmt.Sprintf("%d×%d of %v", h.Width, h.Height, h.Kind),
		"heights", heights, "voids", fmt.Sprint(voids), "spacing", spacing, "place", place, "notes", strings.Join(h.Notes, "\n             ")}
}

// DescribeVolume does the same for a volume.
func DescribeVolume(v *ingest.Volume) []string {
	low, high, nans, ok := v.Range()
	values := "none: all samples are NaN"
	if ok {
		values = fmt.Sprintf("%v … %v", low, high)
	}
	return []string{"file", "a volume: " + v.Format, "samples", fmt.Sprintf("%d×%d×%d of %v", v.NX, v.NY, v.NZ, v.Kind),
		"values", values, "NaNs", fmt.Sprint(nans), "spacing", spacingText(v), "place", strings.TrimSpace("first sample at " + placeText("%.6g", v.Origin) + " " + v.Unit),
		"mirrored", map[bool]string{true: "yes", false: "no"}[v.Mirrored()], "notes", strings.Join(v.Notes, "\n             ")}
}

// spacingText says how far apart samples are along the axes of the lattice, and where those lead if not along x, y and z.
func spacingText(v *ingest.Volume) string {
	var lengths, ways [3]string
	upright := true
	for i, s := range v.Step {
		lengths[i] = fmt.Sprintf("%.5g", math.Sqrt(s[0]*s[0]+s[1]*s[1]+s[2]*s[2]))
		ways[i] = placeText("%.5g", s)
		upright = upright && s[i] > 0 && s[(i+1)%3] == 0 && s[(i+2)%3] == 0
	}
	unit := v.Unit
	if unit == "" {
		unit = "(the file has no unit)"
	}
	text := strings.Join(lengths[:], " × ") + " " + unit
	if !upright {
		text += ", along " + strings.Join(ways[:], " and ")
	}
	return text
}

// placeText writes three numbers.
func placeText(format string, p [3]float64) string {
	var words [3]string
	for i, v := range p {
		words[i] = fmt.Sprintf(format, v+0) // + 0, since −0 is no place
	}
	return "(" + strings.Join(words[:], ", ") + ")"
}
