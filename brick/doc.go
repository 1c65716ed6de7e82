// Package brick lays edits over a field.
//
// A [Brick] holds the edited samples of a cube of 32³ samples: a mask with one bit per sample and the values of
// the edited ones in order. It has two such planes: of densities, which digging and building change, and of materials,
// which painting changes; either may be missing. The samples without a bit are the field's, and no brick costs nothing. A [Layer]
// is a field.Terrain with edited bricks over it, at one level, and is a field.Terrain again.
//
// A sample's bit is set by the first edit that changes its stored bits, and stays. A brick never changes once
// it was handed out: an edit replaces it, so snapshots and jobs may keep it for as long as they like.
//
// Hashes compare worlds. A brick's is the xor over its edited densities and painted materials of mix(sample number,
// level, value bits), a region's the xor of its bricks', a layer's the xor of its regions'; all are kept as edits come in.
// mix is not cryptographic: it finds mistakes, not malice.
//
// # Encoded form
//
// [Brick.AppendBinary] writes and [Parse] reads, little-endian. There is one encoding for a content, so its
// SHA-256 names it:
//
//	 0  4  magic "TRBK"
//	 4  1  version: 1 if nobody painted, else 2
//	 5  1  level
//	 6  2  reserved, 0
//	 8 12  brick number x, y, z, int32
//	20  4  n, the number of edited densities, 0 … 32768, not 0 in version 1
//	 then in version 2
//	    4  m, the number of painted materials, 1 … 32768
//	 then if n > 0
//	       a mask of the samples with a density
//	    n  the lowest bytes of the n float32, then n second bytes, n third bytes, n highest bytes
//	 then in version 2
//	       a mask of the samples with a material
//	    m  materials, one byte each
//	 then
//	    4  CRC-32C (Castagnoli) of all bytes before it
//
// Values come in order, x fastest, then y, then z. Densities are parted into bytes, which compresses better. A mask is
//
//	    4  layers: bit z is set when layer z holds a value
//	then for each bit of layers, from the lowest:
//	    4  rows: bit y is set when row y of the layer holds a value
//	    then for each bit of rows, from the lowest:
//	    4  samples: bit x is set when sample x of the row has a value
//
// Densities are finite and never −0.
package brick
