// Samples as floats.
@group(0) @binding(5) var<storage, read> samples: array<f32>;

fn sample(i: u32) -> f32 { return samples[i]; }
