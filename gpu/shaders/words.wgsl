// What is counted of each word of signs: vertices and triangles, of which the scan makes those in the words before
// within its block of 4096; crossings along x, along x and y, and along all axes, a byte each; and the cells passed,
// as bits.
//
// blocks holds the vertices and triangles in the blocks before each.
@group(0) @binding(3) var<storage, read_write> words: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> blocks: array<vec2<u32>>;

// The vertices and the triangles in the words before one.
fn before(word: u32) -> vec2<u32> { return words[word].xy + blocks[word >> 12u]; }
