// Package bench measures how fast this build is on this machine: extraction, noise, and the building of what a viewer
// sees. Every report has a hash of what was computed, so that a faster build that computes something else is found out.
package bench
