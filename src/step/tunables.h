// Tunables of steps and of the start. Rows: name, value, unit, meaning, reason (base/tunables.h).
#pragma once

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
    "fitted: at 0.9 a house of cards takes 26 % more iterations")                                  \
  T(settle_squeezed, 10, "weights of all bodies that move",                                        \
    "and if they press with more than this", "chosen")                                             \
  T(net_loose, 1e-4, "of a body's own stiffness",                                                  \
    "directions that springs resist by less are held by nothing", "chosen")                        \
  T(net_tolerance, 0.1, "", "accuracy of the equilibrium of bodies on springs", "chosen")          \
  T(energy_method_error, 1e-3, "of the energy converted in a step",                                \
    "gain that a method may have by its own error", "chosen")                                      \
  T(energy_regained, 9e-3, "of the energy converted in a step",                                    \
    "more that it may regain of what earlier steps lost", "fitted to vibrations")                  \
  T(energy_in_contact, 4e-3, "of the energy converted in a step",                                  \
    "more where bodies touch, since the work is not known exactly", "fitted")                      \
  T(guess_good, 0.05, "of the square of the momentum",                                             \
    "no first guess is looked for that leaves less", "fitted for speed")                           \
  T(step_patience, 16, "steps", "a step that was halved is doubled after so many", "fitted")       \
  T(step_easy_counts, 4, "steps", "an easy step counts for so many", "fitted")                     \
  T(step_easy, 12, "iterations per stage", "with fewer a step is easy", "fitted")                  \
  T(energy_fading, 0.95, "per step", "part of the lost energy that a later step may regain",       \
    "fitted: as long as a swing that steps resolve")                                               \
  T(lu_tets, 2500, "tets", "smaller scenes use LU", "measured")                                    \
  T(lu_triangles, 20000, "triangles", "the same for surfaces, which have less fill-in",            \
    "measured")                                                                                    \
  T(solves_per_size, 8, "", "limit of iterations at one step size, over those of one plain solve", \
    "fitted: beyond it a smaller step is better")                                                  \
  T(path_rounds, 40, "rounds",                                                                     \
    "joins of islands whose paths cross in one step of Newton's method",                           \
    "chosen: few take more than some")                                                             \
  T(ease_widest, 1e4, "of the sticking speed",                                                     \
    "first sticking speed when friction by velocity is eased", "fitted")                           \
  T(ease_narrowing, 0.3, "", "from one sticking speed to the next", "fitted")                      \
  T(descent_iterations, 2, "", "descent may take so many times the iterations of Newton's method", \
    "chosen: its steps are smaller")                                                               \
  T(contact_iterations, 0.6, "of the scene's iterations",                                          \
    "limit of iterations with contact by primitives",                                              \
    "fitted: a step of half the size is often found before a long one is")                         \
  T(rebound_resting, 2, "steps of free fall",                                                      \
    "bodies that meet more slowly rest on each other and do not rebound",                          \
    "chosen: what gravity adds within so many steps is no impact")                                 \
  T(group_own_turn, 0.01, "",                                                                      \
    "part of a rotation about each other that bodies have for themselves, too",                    \
    "chosen: small, since no force without friction turns a ball; 0 is undefined for centres in "  \
    "one place")

typedef struct StStepTunables {
  ST_STEP_TUNABLES(ST_TUNABLE_FIELD)
} StStepTunables;

extern StStepTunables st_step_tunables; // in force
extern const StTunableTable st_step_tunable_table;
