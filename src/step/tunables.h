// Tunables of steps and of the start. Rows: name, value, unit, meaning, reason (base/tunables.h).
#pragma once

#include "base/tunables.h"

#define ST_STEP_TUNABLES(T)                                                                        \
  T(settle_settled, 0.01, "of a body's weight",                                                    \
    "a body is settled when excess force and imbalance are below", "chosen")                       \
  T(settle_roughly, 1, "of a body's weight", "with less excess force a body needs no more room",   \
    "chosen")                                                                                      \
  T(settle_more, 2, "of the force that carries a body",                                            \
    "estimate of what contact carries in the next round of a start, at most", "fitted")            \
  T(settle_progress, 0.9, "",                                                                      \
    "rounds go on while the imbalance falls to this within settle_patience of them", "fitted")     \
  T(settle_patience, 8, "rounds",                                                                  \
    "rounds within which the imbalance must fall by settle_progress", "fitted")                    \
  T(settle_rounds, 200, "rounds", "limit of rounds", "chosen: some seconds")                       \
  T(settle_free, 0.99, "of the thickness", "larger gaps hardly touch",                             \
    "fitted: at 0.9 a house of cards takes 26 % more iterations")                                  \
  T(settle_squeezed, 10, "weights of all bodies that move",                                        \
    "a body is squeezed at the start if others press on it with more", "chosen")                   \
  T(net_loose, 1e-4, "of a body's own stiffness",                                                  \
    "directions that springs resist by less are held by nothing", "chosen")                        \
  T(net_tolerance, 0.1, "", "accuracy of the equilibrium of bodies on springs", "chosen")          \
  T(energy_method_error, 1e-3, "of the energy converted in a step",                                \
    "gain that a method may have by its own error", "chosen")                                      \
  T(energy_regained, 9e-3, "of the energy converted in a step",                                    \
    "gain that a method may have beyond that from what earlier steps lost",                        \
    "fitted to vibrations")                                                                        \
  T(energy_in_contact, 4e-3, "of the energy converted in a step",                                  \
    "gain beyond that where bodies touch, since the work is not known exactly", "fitted")          \
  T(guess_good, 0.05, "of the square of the momentum",                                             \
    "no first guess is looked for that leaves less", "fitted for speed")                           \
  T(static_reach, 3e3, "times a wave's way through the longest body",                              \
    "period beyond which a static analysis takes a motion for free", "chosen: slender bodies")     \
  T(static_swings, 10, "times √(L/g)", "the same, where that is longer: stiff bodies that rock",   \
    "chosen: an iteration leaves a hundredth of what rocks")                                       \
  T(static_residual, 1e-7, "of the loads", "unbalanced force of an equilibrium", "chosen")         \
  T(static_jump, 1e-3, "of a body's length",                                                       \
    "a vertex that leaves the course of the last load step by more may have jumped", "chosen")     \
  T(static_change, 1e-9, "of the longest body", "what is left to move in an equilibrium",          \
    "chosen")                                                                                      \
  T(step_patience, 16, "steps", "a step that was halved is doubled after so many", "fitted")       \
  T(step_easy_counts, 4, "steps", "an easy step counts for so many", "fitted")                     \
  T(step_easy, 12, "iterations per stage", "with fewer a step is easy", "fitted")                  \
  T(energy_fading, 0.95, "per step", "part of the lost energy that a later step may regain",       \
    "fitted: as long as a swing that steps resolve")                                               \
  T(lu_tets, 2500, "tets", "smaller scenes use LU", "measured")                                    \
  T(lu_triangles, 20000, "triangles",                                                              \
    "scenes of surfaces, which have less fill-in, with fewer use LU", "measured")                  \
  T(solves_per_size, 8, "", "limit of iterations at one step size, over those of one plain solve", \
    "fitted: beyond it a smaller step is better")                                                  \
  T(path_rounds, 40, "rounds",                                                                     \
    "joins of islands whose paths cross in one step of Newton's method",                           \
    "chosen: few take more than some")                                                             \
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
    "one place")                                                                                   \
  T(integrator_loss, 0.05, "of the energy in motion, or of a body's rotation",                     \
    "a run warns when the integrator has taken more than this", "chosen: visible in most motions")

typedef struct StStepTunables {
  ST_STEP_TUNABLES(ST_TUNABLE_FIELD)
} StStepTunables;

extern StStepTunables st_step_tunables; // in force
extern const StTunableTable st_step_tunable_table;
