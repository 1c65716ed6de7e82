// Package bits works with samples as bits, 64 to a word, set where a sample is above the iso level: it packs
// rows of samples, lists set bits, tells the cases of 64 cells from the bits at their corners, and emits
// marching cubes' triangles case by case. It knows no mesh and no view; package mesher walks.
//
// Each kernel has a plain version, named …Generic, that says what is right. The versions with vectors must
// equal it bit for bit, and the tests hold them to it.
package bits
