// Tunables of steps and of the start. Rows: name, value, unit, meaning, reason (base/tunables.h).
#ifndef ST_STEP_TUNABLES_H
#define ST_STEP_TUNABLES_H

#include "base/tunables.h"

#define ST_STEP_TUNABLES(T)                                                                        \
  T(settle_settled, 0.01, "of a body's weight",                                                    \
    "a body is settled when excess force and imbalance are below", "chosen")                       \
  T(settle_roughly, 1, "of a body's weight", "below it, it has room enough", "chosen")             \
  T(settle_more, 2, "of the force that carries a body",                                            \
    "it carries no more than this in the next round", "fitted")                                    \
  T(settle_progress, 0.9, "",                                                                      \
    "rounds go on while the imbalance falls to this within settle_patience of them", "fitted")     \
  T(settle_patience, 8, "rounds", "see settle_progress", "fitted")                                 \
  T(settle_rounds, 200, "rounds", "limit of rounds", "chosen: some seconds")                       \
  T(settle_free, 0.99, "of the thickness", "larger gaps hardly touch",                             \
    "derived: the barrier is 1e-6 of that at a half")                                              \
  T(settle_loose, 0.9, "of the thickness", "a body is squeezed by smaller gaps",                   \
    "as in the law of stiffness")                                                                  \
  T(settle_squeezed, 10, "weights of all bodies that move",                                        \
    "and if they press with more than this", "chosen")                                             \
  T(net_loose, 1e-4, "of a body's own stiffness",                                                  \
    "directions that springs resist by less are held by nothing", "chosen")                        \
  T(net_tolerance, 0.1, "", "accuracy of the equilibrium of bodies on springs", "chosen")

typedef struct StStepTunables {
  ST_STEP_TUNABLES(ST_TUNABLE_FIELD)
} StStepTunables;

extern StStepTunables st_step_tunables; // in force
extern const StTunableTable st_step_tunable_table;

#endif
