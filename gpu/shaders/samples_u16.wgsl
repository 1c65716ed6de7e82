// Samples as numbers of 16 bits, two to a word.
@group(0) @binding(5) var<storage, read> samples: array<u32>;

fn sample(i: u32) -> f32 { return f32((samples[i >> 1u] >> (16u * (i & 1u))) & 0xffffu); }
