// Package preview draws maps of ground: shaded relief seen from above with contours, and slices down into the ground
// along the middle of the map. It reads a field alone, and knows neither files nor documents.
//
// The relief is lit from the northwest, as maps are by convention: lit from the south, hills read as hollows. Cast
// shadows and the darkening of hollows are computed from the heights of the map's own pixels, so ground outside the map
// casts none.
package preview
