// Tunables of the model. Rows: name, value, unit, meaning, reason (base/tunables.h).
#pragma once

#include "base/tunables.h"

#define ST_MODEL_TUNABLES(T)                                                                       \
  T(lumping_least, 0.1, "of a vertex's mass",                                                      \
    "masses that give a body of second order its inertia are at least this part",                  \
    "chosen: the solver's tolerance is a force over a mass, so masses may not be tiny")

typedef struct StModelTunables {
  ST_MODEL_TUNABLES(ST_TUNABLE_FIELD)
} StModelTunables;

extern StModelTunables st_model_tunables; // in force
extern const StTunableTable st_model_tunable_table;
