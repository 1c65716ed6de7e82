//go:build linux || darwin

package memory

import "syscall"

// resourceLimits returns the limits of address space and of data that the process has, 0 where it has none.
func resourceLimits() []int64 {
	var list []int64
	for _, which := range []int{syscall.RLIMIT_AS, syscall.RLIMIT_DATA} {
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(which, &limit); err == nil && uint64(limit.Cur) < 1<<62 {
			list = append(list, int64(limit.Cur))
		}
	}
	return list
}
