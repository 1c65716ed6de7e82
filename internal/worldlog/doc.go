// Package worldlog is the durable, ordered log of a world: its entries, the high-water mark of each client
// session, snapshots, and the document and assets the world is made from. The interface stands apart from its
// stores; worldlogtest.Test holds every store to it.
//
// Three forms of bytes are shared by all stores. They are little-endian and end in a CRC-32C of all before it.
//
// The record of an entry ([AppendRecord], [ParseRecord]):
//
//	0  4  magic "TRLE"
//	4  1  version, 1
//	5  1  kind
//	6  1  author's length a
//	7  1  number of regions r, 1 … 64
//	8  8  seq
//	16 8  time, milliseconds since 1970
//	24 8  the chain: the first bytes of the previous record's SHA-256, before the first that of the meta's form
//	32 8  session
//	40 8  counter
//	48 4  payload's length p
//	52 2  number of contents c
//	54 2  reserved, 0
//	56 a  author, UTF-8
//	   8r regions: x, z, int32 each
//	   32c contents: SHA-256 each
//	   p  payload
//	   4  CRC-32C
//
// The meta of a world ([Meta.AppendBinary], [ParseMeta]):
//
//	0  4  magic "TRME"
//	4  1  version, 1
//	5  3  reserved, 0
//	8  16 world
//	24 8  created, milliseconds since 1970
//	32 32 document's hash
//	64 4  number of assets a
//	68 4  number of semantics s
//	72 4  name's length n
//	76 4  settings' length t
//	80 32a assets' hashes
//	   4s semantics: kind, version, uint16 each
//	   n  name, UTF-8
//	   t  settings
//	   4  CRC-32C
//
// A snapshot ([Snapshot.AppendBinary], [ParseSnapshot]):
//
//	0  4  magic "TRSN"
//	4  1  version, 1
//	5  1  level
//	6  2  reserved, 0
//	8  8  seq
//	16 4  number of pieces p
//	20 44p pieces: brick x, y, z, int32 each; the content's hash
//	   4  CRC-32C
//
// The chain starts at the meta, so a record belongs to one place in one world: an entry that is missing, changed
// or from elsewhere breaks it, and the last record's hash stands for the whole log.
package worldlog
