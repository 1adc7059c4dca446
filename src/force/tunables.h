// Tunables of forces. Rows: name, value, unit, meaning, reason (base/tunables.h).
#pragma once

#include "base/tunables.h"

#define ST_FORCE_TUNABLES(T)                                                                       \
  T(guard_modulus, 0.1, "of the modulus at rest",                                                  \
    "where the guard against inversion of a material begins, as a pressure",                       \
    "fitted: at half of that strain the guard reaches the modulus itself")                         \
  T(tet_volume_kept, 0.1, "of the volume",                                                         \
    "a step of Newton's method leaves a tet at least this part of its volume",                     \
    "fitted: small enough not to bind in ordinary deformation")                                    \
  T(cage_least_filled, 0.1, "of the tet",                                                          \
    "a tet of a cage is at least as stiff as if this part of it were filled",                      \
    "fitted: corners of the body that hardly reach into a tet would sink in otherwise")            \
  T(triangle_area_lost, 0.3, "of the smaller area at the ends",                                    \
    "less area than this along a path is a collapse", "fitted")                                    \
  T(triangle_path_taken, 0.8, "of the path",                                                       \
    "part of the path to a collapse that a step may take", "fitted")

typedef struct StForceTunables {
  ST_FORCE_TUNABLES(ST_TUNABLE_FIELD)
} StForceTunables;

extern StForceTunables st_force_tunables; // in force
extern const StTunableTable st_force_tunable_table;
