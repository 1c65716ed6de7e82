// Samples as bytes, four to a word.
@group(0) @binding(5) var<storage, read> samples: array<u32>;

fn sample(i: u32) -> f32 { return f32((samples[i >> 2u] >> (8u * (i & 3u))) & 0xffu); }
