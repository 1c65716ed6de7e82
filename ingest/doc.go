// Package ingest reads files that other programs wrote: heightmaps of ground to stand on.
//
// What comes out keeps the file's own numbers. A Heightmap's row 0 is its northern edge, x grows east and z
// south; voids are NaN until Fill is called. What a reader had to decide for lack of a word in the file (a
// byte order, a gray of three colors) stands in Notes, for people to see.
//
// Nothing in a file is believed before it is checked: sizes are compared with Options.MaxSamples and with
// what the file's length can justify before memory is spent, and a file cut short, or one that is not what
// its name says, is an error that tells what was found and what would be right.
//
// # Heightmaps
//
//   - PNG, 1 to 16 bits a channel: gray as it stands; of color the luma of ITU-R BT.601, (299 R + 587 G +
//     114 B) / 1000, not rounded, so that equal channels give exactly their value; fully transparent pixels
//     are voids. Elevations packed into colors (Terrarium, Mapbox) are not unpacked.
//   - Raw .r16 and .raw: unsigned 16-bit samples without a header, north row first. The size is given, or
//     stands in the name (ground_640x480.r16), or is that of a square. The byte order is given, or is the
//     one in which neighboring samples differ less.
//   - SRTM .hgt: signed 16-bit big-endian meters, 1201 or 3601 a side, the void −32768. The name (N47E009)
//     gives the latitude and with it the distance between columns. Degrees are turned into meters on a
//     sphere of 6,378,137 m, at the tile's middle: within 0.7 % of the ellipsoid anywhere.
//
// Any of them may be gzipped. The PNG reader is the standard library's.
package ingest
