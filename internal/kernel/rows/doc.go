// Package rows holds the evaluator's kernels: what an operation of a graph does to a row of samples, or to many rows
// at once. For each there is a loop in plain Go, which is the truth (plain.go, in terms of package scalar), and one over
// vectors as wide as the machine has them, which equals it bit for bit: the tests compare the two at every width.
// Both are written by gen from a list: a new kernel is an entry of gen/list.go and a line of the test's table.
//
// dst is never one of the inputs, which are at least as long as it. Values are finite and not −0, and so are results.
package rows
