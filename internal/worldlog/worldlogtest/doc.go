// Package worldlogtest holds every store of a world's log to the contract of worldlog.Store: Test runs the whole
// suite. It also makes metas and entries for tests of what uses a log.
package worldlogtest
