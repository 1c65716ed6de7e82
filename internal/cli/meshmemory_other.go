//go:build !linux && !darwin

package cli

// resourceLimits returns nothing: processes have no such limits here.
func resourceLimits() []int64 { return nil }
