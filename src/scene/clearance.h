// The play of bodies at the start: how far a body can move to and fro between two opposite sides
// that cannot make way, such as the walls of a tunnel or a hole.
#pragma once

#include "scene/reader.h"

// play: [contacts] m, of one of the two bodies between sides of which the other is one; INFINITY:
// not confined, or by more than twice the thickness, which all contacts must have. Collective where
// several processes read a scene together.
StStatus st_clearance_measure(StReader *reader, double *play);
