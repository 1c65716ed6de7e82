// Package ops holds the operations that compute nodes. Each computes its node in three ways that must agree: at a sample,
// over a block of samples, bit for bit the same, and as an interval that holds every sample of a box.
//
// Bounds are argued, not tuned. Rounding is monotone, so where every step of a formula rises or falls with each input,
// the formula of an interval's ends, computed by the very same operations, bounds it exactly. Where it is not monotone
// step by step (a smooth maximum, a spline, a Hermite step) the exact function is, and the bound is widened by what the
// roundings on the way can do: a count of them times half a unit in the last place of the largest number met, rounded
// up to a power of two. Too wide costs blocks computed in vain; too narrow would leave out what matters, which
// interval tests at the very places where functions bend are there to find.
//
// An operation may keep scratch memory: it belongs to one reader, and fork gives another its own.
package ops
