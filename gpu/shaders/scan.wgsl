// Third and fourth pass: sums of the counts in the words before each, in blocks of 4096 words and then over the
// blocks. They make every vertex's and every triangle's place a function of the samples alone.

const block_words = 4096u;

// What is drawn, and what the page reads now and then to learn whether its buffers are large enough.
struct Drawn {
	// Arguments of an indexed indirect draw of triangles, then of their edges.
	triangles: array<u32, 5>,
	edges: array<u32, 5>,
	vertices_needed: u32,
	triangles_needed: u32,
	frame: u32, // counts up with every extraction
	spare: array<u32, 3>,
}

@group(0) @binding(5) var<storage, read_write> drawn: Drawn;

var<workgroup> sums: array<vec2<u32>, 256>;

// Replaces sums by the sums of those before each, and returns the sum of all.
fn scan_sums(i: u32) -> vec2<u32> {
	for (var d = 1u; d < 256u; d *= 2u) {
		workgroupBarrier();
		var v = sums[i];
		if (i >= d) { v += sums[i - d]; }
		workgroupBarrier();
		sums[i] = v;
	}
	workgroupBarrier();
	let all = sums[255];
	let mine = select(sums[max(i, 1u) - 1u], vec2<u32>(0u), i == 0u);
	workgroupBarrier();
	sums[i] = mine;
	return all;
}

@compute @workgroup_size(256)
fn scan_words(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) i: u32) {
	let block = group.x + group.y * groups.x;
	let first = block * block_words + i * 16u;
	var n: array<vec2<u32>, 16>;
	var sum = vec2<u32>(0u);
	for (var k = 0u; k < 16u; k++) {
		n[k] = sum;
		if (first + k < batch.words) { sum += words[first + k].xy; }
	}
	sums[i] = sum;
	let all = scan_sums(i);
	for (var k = 0u; k < 16u; k++) {
		if (first + k < batch.words) {
			let w = words[first + k];
			words[first + k] = vec4<u32>(sums[i] + n[k], w.zw);
		}
	}
	if (i == 0u && block * block_words < batch.words) { blocks[block] = all; }
}

// One workgroup runs over all blocks and writes what to draw: never more than there is room for.
@compute @workgroup_size(256)
fn scan_blocks(@builtin(local_invocation_index) i: u32) {
	let n = (batch.words + block_words - 1u) / block_words;
	var carry = vec2<u32>(0u);
	for (var first = 0u; first < n; first += 256u) {
		let block = first + i;
		sums[i] = vec2<u32>(0u);
		if (block < n) { sums[i] = blocks[block]; }
		let all = scan_sums(i);
		if (block < n) { blocks[block] = carry + sums[i]; }
		carry += all;
	}
	if (i == 0u) {
		let triangles = min(carry.y, batch.max_triangles);
		drawn.triangles = array<u32, 5>(3u * triangles, 1u, 0u, 0u, 0u);
		drawn.edges = array<u32, 5>(6u * triangles, 1u, 0u, 0u, 0u);
		drawn.vertices_needed = carry.x;
		drawn.triangles_needed = carry.y;
		drawn.frame += 1u;
	}
}
