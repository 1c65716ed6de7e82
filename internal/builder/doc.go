// Package builder runs in a builder worker: it turns a job, a chunk with the edits round it, into a result, the chunk's
// mesh as buffers that the renderer uploads. It keeps a compiled field and a cache of bricks, and knows neither the
// protocol nor the session.
//
// Jobs and results stay on one machine, between workers of one program, so they carry no checksum. All numbers
// are little-endian.
//
// # Job
//
//	 0  4  magic "TRJB"
//	 4  1  version, 2
//	 5  1  level of the chunk
//	 6  1  mesher (mesher.Kind)
//	 7  1  faces with a finer neighbor, 0 until there are levels of detail
//	 8 12  chunk x, y, z, int32
//	20  4  version of the chunk, returned with the result
//	24  2  number of bricks, at most 27: those the grid reads that are edited
//	26  2  number of pending edits, at most 4096: in order
//	28  4  number of tiles of rasters that the grid reads, at most 64
//	then for each tile:
//	    32  SHA-256 of its asset
//	     4  length of the asset, 0 if the builder is believed to have it
//	        the asset
//	then for each brick:
//	    12  brick x, y, z, int32, each at most 1 from the chunk's, none twice
//	     8  hash of the brick
//	     4  length of its encoding, 0 if the builder is believed to have it
//	        its encoding (brick.Brick.AppendBinary)
//	then for each pending edit:
//	        its encoding (edit.Checked.AppendBinary)
//
// # Result
//
// Every part begins at a multiple of 4, so that JavaScript lays typed arrays over the bytes:
//
//	 0  4  magic "TRMB"
//	 4  4  version, 2
//	 8 12  chunk x, y, z, int32
//	20  4  level of the chunk
//	24  4  version of the chunk, from the job
//	28  4  mesher
//	32  4  n, the number of vertices
//	36  4  m, the number of indices, three a triangle
//	40  4  bytes per index: 2 for up to 65,535 vertices, else 4
//	44  4  flags: 1 for a chunk without surface, 2 when bricks or tiles are missing and the job must be sent
//	       again with all of them; with either, n and m are 0; 4 if the vertices have materials; 8 if it
//	       holds samples in place of a mesh (see Builder.Samples)
//	48  4  microseconds that the build took
//	52 12  0
//	64 12n positions x, y, z, float32, meters from the chunk's low corner
//	    4n normals x, y, z and 0, int8, times 127
//	    4n depths in meters below the generated ground, float32
//	    4n materials, with flag 4 only: numbers in the palette of the solid's and of the air's, weight of the
//	       second from 0 to 255, 0
//	       m indices, uint16 or uint32, and zero bytes up to a multiple of 4
//
// With flag 8, n and m are 0 and after the header come the chunk's grid: 35³ samples and 35² heights of the ground,
// float32, and with flag 4 35³ materials, a byte each, and zero bytes up to a multiple of 4.
package builder
