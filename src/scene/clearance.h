// The play of bodies at the start: how far a body can move to and fro between two opposite sides
// that cannot make way, such as the walls of a tunnel or a hole.
#pragma once

#include "scene/pair_extras.h"
#include "scene/reader.h"

// Adds the pairs that are confined, with the play of one of the two bodies between sides of which
// the other is one, unless it is more than twice the thickness. Collective where several processes
// read a scene together.
StStatus st_clearance_measure(StReader *reader, StPairExtras *confined);
