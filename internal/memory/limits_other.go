//go:build !linux && !darwin

package memory

// resourceLimits returns nothing: processes have no such limits here.
func resourceLimits() []int64 { return nil }
