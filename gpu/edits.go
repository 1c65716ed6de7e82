package gpu

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/terrane/terrane/edit"
)

// EditWords is the length of an edit in AppendEdits' result.
const EditWords = edit.MaxEncoded / 4

// AppendEdits appends edits as the part edits.wgsl describes them: the words of their encoding, 0 where it is shorter.
// Edits of materials are among them and change no density there: materials come with the engine's samples.
func AppendEdits(dst []uint32, edits ...edit.Checked) []uint32 {
	var data [edit.MaxEncoded]byte
	for _, e := range edits {
		clear(data[:])
		e.AppendBinary(data[:0])
		for i := 0; i < len(data); i += 4 {
			dst = append(dst, binary.LittleEndian.Uint32(data[i:]))
		}
	}
	return dst
}

// editShapes returns the function that tells the shapes of edits apart, and one for each.
func editShapes() string {
	var functions, cases strings.Builder
	for s := edit.Shape(1); s.Valid(); s++ {
		fmt.Fprintf(&functions, "\nfn %v_distance(p: vec3<f32>, radius: f32, extent: vec3<f32>) -> f32 {\n\t%s\n}\n", s, s.Distance())
		fmt.Fprintf(&cases, "\t\tcase %du: { return %v_distance(p, e.radius, extent); }\n", s, s)
	}
	return functions.String() + `
// The signed distance from an edit's shape of a point p, in meters from its place.
fn shape_distance(e: Edit, p: vec3<f32>) -> f32 {
	let extent = vec3<f32>(e.extent_x, e.extent_y, e.extent_z);
	switch (e.kind >> 16u) & 255u {
` + cases.String() + `		default: { return 1e9; }
	}
}
`
}
