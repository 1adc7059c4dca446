// Tunables of contact. Rows: name, value, unit, meaning, reason (base/tunables.h).
#ifndef ST_CONTACT_TUNABLES_H
#define ST_CONTACT_TUNABLES_H

#include "base/tunables.h"

#define ST_CONTACT_TUNABLES(T)                                                                     \
  T(overlap_allowed, 0.05, "of the smaller body", "overlaps up to this are corrected",             \
    "chosen: more is a mistake in the scene")                                                      \
  T(overlap_same_way, 0.7, "cosine", "normals that lead out in the same direction",                \
    "chosen: 45 degrees")                                                                          \
  T(overlap_edge_decides, 0.05, "cosine",                                                          \
    "a normal is decided by an edge's own side, inside a surface", "chosen")                       \
  T(overlap_rim_decides, 0.3, "cosine", "the same at a rim", "chosen")                             \
  T(overlap_stands_out, 0.05, "cosine", "how far a neighbour may protrude", "chosen")              \
  T(overlap_opposed, 0.1, "cosine", "normals of two sides are opposed", "chosen")                  \
  T(overlap_lies_on, 0.3, "cosine", "a sheet's normal and a face it may lie on", "chosen")         \
  T(overlap_stands_on, 0.3, "cosine", "a rim's direction and a sheet it stands on", "chosen")      \
  T(separation_deepest, 2, "of overlap_allowed", "overlaps are searched down to this", "chosen")   \
  T(separation_enough, 1e-3, "of the target", "shortfalls below this do not matter", "chosen")     \
  T(separation_work, 1e7, "spots times sweeps",                                                    \
    "limit of the search for a place without overlaps", "chosen: some seconds")                    \
  T(separation_upper, 0.1, "cosine", "a spot with more has an upper and a lower side", "chosen")

typedef struct StContactTunables {
  ST_CONTACT_TUNABLES(ST_TUNABLE_FIELD)
} StContactTunables;

extern StContactTunables st_contact_tunables; // in force
extern const StTunableTable st_contact_tunable_table;

#endif
