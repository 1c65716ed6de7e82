// Package brick lays edits over a field.
//
// A [Brick] holds the edited samples of a cube of 32³ samples: a mask with one bit per sample and the values of
// the edited ones in order. The samples without a bit are the field's, and no brick costs nothing. A [Layer]
// is a field.Terrain with edited bricks over it, at one level, and is a field.Terrain again.
//
// A sample's bit is set by the first edit that changes its stored bits, and stays. A brick never changes once
// it was handed out: an edit replaces it, so snapshots and jobs may keep it for as long as they like.
//
// Hashes compare worlds. A brick's is the xor over its edited samples of mix(sample number, level, value
// bits), a region's the xor of its bricks', a layer's the xor of its regions'; all are kept as edits come in.
// mix is not cryptographic: it finds mistakes, not malice.
//
// # Encoded form
//
// [Brick.AppendBinary] writes and [Parse] reads, little-endian. There is one encoding for a content, so its
// SHA-256 names it:
//
//	 0  4  magic "TRBK"
//	 4  1  version, 1
//	 5  1  level
//	 6  2  reserved, 0
//	 8 12  brick number x, y, z, int32
//	20  4  n, the number of edited samples, 1 … 32768
//	24  4  layers: bit z is set when layer z holds an edited sample
//	then for each bit of layers, from the lowest:
//	    4  rows: bit y is set when row y of the layer holds an edited sample
//	    then for each bit of rows, from the lowest:
//	    4  samples: bit x is set when sample x of the row is edited
//	then the values, in order (x fastest, then y, then z) and parted into bytes, which compresses better:
//	    n  the lowest bytes of the n float32, then n second bytes, n third bytes, n highest bytes
//	    4  CRC-32C (Castagnoli) of all bytes before it
//
// Values are finite and never −0.
package brick
