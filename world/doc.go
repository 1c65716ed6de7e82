// Package world joins a field, its confirmed edits and the edits still on their way: it builds chunks, casts
// rays, applies edits and says what an edit touches.
//
// A [World] is the field, then the confirmed bricks (edits in the server's order only), then the pending edits,
// laid over the samples in their own order whenever samples are read. A confirmed edit moves from pending into
// the bricks ([World.Confirm]), a refused one is dropped ([World.Refuse]); both say which samples look different
// afterwards, which is none when the server ordered the edit as it was predicted.
//
// A World is seen at one level. Levels share nothing but the field; each applies every edit with its own reach.
// A World has scratch memory and one owner.
package world
