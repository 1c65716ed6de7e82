// Reads what words.wgsl describes.
@group(0) @binding(3) var<storage, read> words: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> blocks: array<vec2<u32>>;

// The vertices and the triangles in the words before one.
fn before(word: u32) -> vec2<u32> { return words[word].xy + blocks[word >> 12u]; }
