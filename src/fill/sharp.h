// Sharp lines of a surface: edges between triangles that meet at an angle, and borders of labels.
#pragma once

#include "fill/net.h"

// Marks edges of the net and the kinds of its vertices. Groups of sharp edges that are shorter in
// all than `shortest` are roughness of a scanned surface and stay unmarked.
StStatus st_sharp_mark(StNet *net, double shortest, StError *error);

// The sharp edges as a mesh of triangles without width, for fill/nearest.h.
StStatus st_sharp_lines(const StNet *net, StMesh **lines, StError *error);
