// First pass: one bit a sample, whether it is solid. A sample at the iso level is air.
@group(0) @binding(1) var<storage, read_write> signs: array<u32>;

@compute @workgroup_size(64)
fn pack_signs(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let word = thread(id, groups);
	if (word >= batch.words) { return; }
	let row = row_of(word);
	let first = sample_index(row.grid, vec3<u32>(row.x, row.y, row.z));
	let n = min(32u, batch.samples.x - row.x);
	var bits = 0u;
	for (var i = 0u; i < n; i++) {
		if (sample(first + i) > batch.iso) { bits |= 1u << i; }
	}
	signs[word] = bits;
}
