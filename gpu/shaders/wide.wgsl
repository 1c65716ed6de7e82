// Arithmetic on numbers of two words, low first: WGSL has no wider integers than 32 bits.

// The product of two words as two words, low first.
fn multiply_wide(a: u32, b: u32) -> vec2<u32> {
	let al = a & 0xffffu;
	let ah = a >> 16u;
	let bl = b & 0xffffu;
	let bh = b >> 16u;
	let low = al * bl;
	let m1 = ah * bl + (low >> 16u);
	let m2 = al * bh + (m1 & 0xffffu);
	return vec2<u32>((m2 << 16u) | (low & 0xffffu), ah * bh + (m1 >> 16u) + (m2 >> 16u));
}

// The sum of two numbers of two words, low first.
fn add_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
	let low = a.x + b.x;
	return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}
