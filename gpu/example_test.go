package gpu_test

import (
	"fmt"

	"github.com/terrane/terrane/gpu"
	"github.com/terrane/terrane/graph"
	"github.com/terrane/terrane/template"
)

func Example() {
	flat, err := graph.Compile(template.Flat())
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := gpu.Generate(flat, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p.Code)
	// Output:
	// const column_slots = 0u;
	//
	// fn column_values(p: vec3<i32>, column: u32) {
	// 	let n0 = 0.5f;
	// }
	//
	// fn density(p: vec3<i32>, column: u32) -> f32 {
	// 	let n1 = 0.5f - f32(p.y);
	// 	let n2 = n1;
	// 	return n2;
	// }
}
