// Package sqlite keeps a world's log in one SQLite file: a world is the file NAME and, beside it, the small file
// NAME-head. While the world is open, or after a crash, NAME-wal is part of it too.
//
// The file NAME is an SQLite database with the application id "TRRN" and the user version 1:
//
//	meta(id, data)        one row: Meta.AppendBinary
//	entry(seq, record)    the log: AppendRecord
//	content(hash, data)   the document, assets, brick pieces, by SHA-256
//	snapshot(level, data) Snapshot.AppendBinary
//
// Nothing in it is only there for speed: the heads, each region's entries and each session's mark are derived from
// the log when the world is opened, which reads all of it and checks every entry (see BenchmarkOpen).
//
// The head file holds the end of what has been acknowledged, in two slots written in turn, at 0 and 4096:
//
//	0  4  magic "TRHD"
//	4  1  version, 1
//	5  3  reserved, 0
//	8  8  generation: the higher is the newer
//	16 16 world
//	32 8  seq of the last entry
//	40 8  the link that follows its record
//	48 4  CRC-32C
//
// A commit is durable in the write-ahead log first, then in the head file, and is acknowledged after that. SQLite
// has no checksums on its pages, and takes a damaged write-ahead log for one that ends there: a log that does not
// reach the acknowledged head, or reaches another entry, has lost something. So does one put back from an older
// copy, unless both files are. What a crash left beyond the head is kept: it was not acknowledged, but a client
// may ask again and hear that it is there.
//
// [Open] refuses a world that has lost anything and names what; [Repair] sets it aside and makes a world of the rest.
//
// # Gotchas
//
// After a write or a sync that failed for any reason but a full disk, the store refuses to write until the world is
// opened again: the kernel forgets what a failed sync should have written, and the next sync answers well.
// Opening checkpoints the whole write-ahead log before anything is acknowledged, for the same reason.
//
// A world is moved, copied or backed up with both files, while it is closed.
package sqlite
