package ingest_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/terrane/terrane/ingest"
)

// A file in memory; ingest.File takes any io.ReaderAt.
func ExampleReadHeightmap() {
	const grid = `ncols 3
nrows 2
cellsize 10
NODATA_value -9999
4 5 6
1 -9999 3
`
	h, err := ingest.ReadHeightmap(ingest.Bytes("hill.asc", []byte(grid)), ingest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	low, high, voids, _ := h.Range()
	fmt.Printf("%s, %d×%d, %v m apart, %v to %v, %d void\n", h.Format, h.Width, h.Height, h.MetersX, low, high, voids)
	if _, err := h.Fill(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("filled with %.2f\n", h.At(1, 1))
	// Output:
	// Esri ASCII grid, 3×2, 10 m apart, 1 to 6, 1 void
	// filled with 3.64
}

func ExampleReadVolume() {
	const header = "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nspacings: 1 1 2.5\n\n"
	v, err := ingest.ReadVolume(ingest.Bytes("cube.nrrd", []byte(header+"\x00\x01\x02\x03\x04\x05\x06\x07")), ingest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Format, v.Dims(), v.Step[2], v.At(1, 1, 1))

	_, err = ingest.ReadVolume(ingest.Bytes("cube.nrrd", []byte(strings.Replace(header, "2 2 2", "9 9 9", 1))), ingest.Options{})
	fmt.Println(err)
	// Output:
	// NRRD, uint8, raw [2 2 2] [0 0 2.5] 7
	// cube.nrrd: damaged or cut short: 9×9×9 samples of uint8 take 729 bytes; the file has 80
}
