// Package ingest reads heightmaps and volumes from files that other programs wrote.
//
// Samples keep the file's own numbers. A Heightmap's row 0 is its northern edge, x grows east and z
// south; voids are NaN until Fill is called. What a reader had to assume because the
// file does not state it (a byte order, a gray of three colors) stands in Notes, for people to see.
//
// Files are not trusted: sizes are compared with Options.MaxSamples and with
// what the file's length can justify before memory is spent, and a file cut short, or one that is not what
// its name says, is an error that tells what was found and what would be right.
//
// Options.Crop asks for a part; of a GeoTIFF and of a volume no more than that is kept in memory.
//
// # Heightmaps
//
//   - PNG, 1 to 16 bits a channel: gray as it stands; of color the luma of ITU-R BT.601, (299 R + 587 G +
//     114 B) / 1000, not rounded, so that equal channels give exactly their value; fully transparent pixels
//     are voids. Elevations packed into colors (Terrarium, Mapbox) are not unpacked.
//   - GeoTIFF: one band of 8 or 16-bit integers or 32 or 64-bit floats, in strips or tiles, unpacked or with
//     LZW or deflate, with predictors 1 to 3, in both byte orders, with nodata, south side up too. Where the
//     image is too large, the finest of its overviews that is not. BigTIFF and other packings are refused.
//     Its place in its projection is kept, in meters.
//   - Esri ASCII grids. They state no unit: degrees are assumed where cell and corner fit them.
//   - Raw .r16 and .raw: unsigned 16-bit samples without a header, and .r32: floats; north row first. The
//     size is given, or stands in the name (ground_640x480.r16), or is that of a square. The byte order is
//     given, or is the one in which neighbors differ less (.r16) or more samples look like heights (.r32).
//   - SRTM .hgt: signed 16-bit big-endian meters, 1201 or 3601 a side, the void −32768. The name (N47E009)
//     gives the latitude and with it the distance between columns.
//
// Degrees are converted to meters on a sphere of 6,378,137 m, at the middle of the raster: within 0.7 % of the
// ellipsoid anywhere. Any of the formats may be gzipped. The PNG reader is the standard library's.
//
// # Volumes
//
// A Volume keeps the file's own space: the step along each axis of its lattice as a vector, the place of its
// first sample, and the unit. A step may be negative or oblique; Mirrored says whether the lattice is
// left-handed there. NaN marks missing samples.
//
//   - NRRD 1 to 5, attached and detached; raw, gzip, bzip2 and ascii; every spelling of the types; spacings
//     or space directions; line and byte skips. The first axis of a left-handed space is reversed.
//   - NIfTI-1 in one file, both byte orders; slope and intercept; placed by its matrix, its quaternion or its
//     spacing alone. NIfTI-2, files of more than one frame, colors and complex numbers are refused.
//   - MRC2014 and CCP4 maps of modes 0, 1, 2 and 6, with their axis order, in ångströms.
//   - Raw samples whose size and kind are given or stand in the name (engine_256x256x128_uint8.raw).
package ingest
