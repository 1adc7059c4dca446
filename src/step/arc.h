// Arcs along which bodies turn. A straight change of positions stretches a turning body, and a
// stiff one then needs many small steps to follow its arc. Here the rotation of each body is taken
// out of a change and put back as a rotation, which differs in second order. A body that is tied to
// something turns about the axis that its change has in space, a free one about its own centre,
// which goes straight.
#pragma once

#include "model/piece.h"

typedef struct StArc StArc;

// body_count: of the whole scene, the same on all ranks. tied: [body_count] whether joints or
// bearings hold it; NULL: none.
StStatus st_arc_create(const StPiece *piece, int body_count, const bool *tied, StArc **arc,
                       StError *error);
void st_arc_destroy(StArc *arc);

// Changes `motion` so that bodies at `position` turn along it instead of stretching. Bodies with
// prescribed coordinates (scale 0) keep theirs. All [owned][3]. Collective.
void st_arc_bend(StArc *arc, const double *position, const double *scale, double *motion);

// Changes `motion` so that bodies go along it as if they were rigid: each keeps its momentum and
// its angular momentum, and is not strained. Those with prescribed coordinates keep theirs.
// Collective.
void st_arc_take_strain(StArc *arc, const double *position, const double *scale, double *motion);
