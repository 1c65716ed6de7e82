// Package memory tells how much memory this process may use, and asks the system for memory in large pages.
package memory

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// unknownMemory stands for a machine that does not say how much memory it has.
const unknownMemory = 2 << 30

// Fitting returns how many things of so many bytes each fit into three quarters of the memory that is available; the
// rest is for what works on them. It returns no more than most.
func Fitting(each, most int64) int { return fitting(Available(), each, most) }

func fitting(available, each, most int64) int { return int(min(available/4*3/each, most)) }

// Available returns how many bytes this process may still use: the least of what the machine has free and of the
// limits that the process was given.
func Available() int64 {
	least := int64(unknownMemory)
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		if _, rest, ok := bytes.Cut(data, []byte("MemAvailable:")); ok {
			if kB := firstNumber(rest); kB > 0 {
				least = kB << 10
			}
		}
	}
	if limit := givenLimit(); limit > 0 {
		least = min(least, limit)
	}
	return min(least, debug.SetMemoryLimit(-1))
}

// givenLimit returns the least of the limits that end the process when it takes more, 0 if it has none.
func givenLimit() (least int64) {
	for _, limit := range append(resourceLimits(), controlGroupLimit()) {
		if limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
	}
	return least
}

// controlGroupLimit returns the memory limit of the control group (version 2) that the process is in, or of the
// nearest group above it that has one; 0 if there is none.
func controlGroupLimit() int64 {
	data, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	_, group, ok := strings.Cut(strings.TrimSpace(string(data)), "0::")
	if !ok {
		return 0
	}
	for at := filepath.Join("/sys/fs/cgroup", group); strings.HasPrefix(at, "/sys/fs/cgroup"); at = filepath.Dir(at) {
		if text, err := os.ReadFile(filepath.Join(at, "memory.max")); err == nil {
			if limit := firstNumber(text); limit > 0 {
				return limit
			}
		}
	}
	return 0
}

// firstNumber returns the number that data begins with, after spaces; 0 if it begins with none.
func firstNumber(data []byte) int64 {
	words := bytes.Fields(data)
	if len(words) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(string(words[0]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Bound has the garbage collector keep within the limits that the process was given, which would end it without
// a word, until the function that it returns is called.
func Bound() (restore func()) {
	least := givenLimit()
	before := debug.SetMemoryLimit(-1)
	if least == 0 || before <= least {
		return func() {}
	}
	debug.SetMemoryLimit(least / 10 * 9)
	return func() { debug.SetMemoryLimit(before) }
}
