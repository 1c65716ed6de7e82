// The graph's numbers that shaders look up by place: octaves of noise, points of curves.
@group(0) @binding(2) var<storage, read> numbers: array<u32>;

fn number(at: u32) -> f32 { return bitcast<f32>(numbers[at]); }
