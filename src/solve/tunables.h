// Tunables of Newton's method and of partitions. Rows: name, value, unit, meaning, reason
// (base/tunables.h).
#pragma once

#include "base/tunables.h"

#define ST_SOLVE_TUNABLES(T)                                                                       \
  T(partition_imbalance, 0.01, "", "how much larger than the mean a part may be", "chosen")        \
  T(descent_failures, 6, "", "linear solves that may fail before the shift is not the cause",      \
    "chosen")                                                                                      \
  T(descent_raises, 20, "", "times that the shift may be raised", "chosen")                        \
  T(descent_extra, 15, "iterations", "beyond the limit of a search whose residual falls",          \
    "fitted")                                                                                      \
  T(descent_arriving, 0.2, "", "a residual that falls to this within some iterations is falling",  \
    "fitted")                                                                                      \
  T(descent_stuck, 0.5, "of the residual before",                                                  \
    "a residual above it hardly fell: descent may have come to round-off", "fitted")               \
  T(descent_almost, 0.98, "of the free path", "a path this long is as good as free", "chosen")     \
  T(least_curvature, 0.05, "of that of masses alone",                                              \
    "less curvature along a direction of descent is too little, and a smaller shift is none",      \
    "fitted")                                                                                      \
  T(first_shift, 1, "of that of masses", "first shift of the Jacobian", "the masses' own")         \
  T(shift_factor, 4, "", "growth and fall of the shift", "fitted")                                 \
  T(shift_shortened, 0.5, "of the free path", "a shorter step raises the shift", "fitted")         \
  T(shift_predicted, 0.3, "",                                                                      \
    "a step whose merit fell by this part of the prediction lowers the shift", "fitted")           \
  T(shift_drop, 64, "", "largest fall of the shift at once", "fitted")                             \
  T(well_placed_patience, 3, "rounds",                                                             \
    "cuts of a line search after which any length that lowers the residual will do", "fitted")     \
  T(armijo, 1e-4, "", "c1 of the line search", "customary")                                        \
  T(newton_relative_goal, 1e-3, "of the first residual",                                           \
    "accuracy of a solution by Newton's method, where cheap", "chosen")                            \
  T(newton_smallest_goal, 1e-5, "of the tolerance", "Newton's method goes no further than this",   \
    "chosen")                                                                                      \
  T(newton_within_reach, 100, "",                                                                  \
    "residuals so many times above the goal are solved for accurately", "fitted")                  \
  T(newton_short, 0.13, "of a full step", "shorter steps are too short", "fitted")                 \
  T(newton_short_steps, 3, "", "so many of them in a row end the attempt", "fitted")               \
  T(inexact_iterations, 8, "iterations", "then couplings that were left out have to be in",        \
    "fitted")                                                                                      \
  T(lu_block_time, 2.4, "blocks",                                                                  \
    "LU per block of the factors, in iterations of GMRES with incomplete factors per block of "    \
    "the matrix, in which prices of LU are counted",                                               \
    "measured: an iteration takes 5 ns per block")                                                 \
  T(lu_operation_time, 0.0024, "blocks", "LU per operation, likewise", "measured")                 \
  T(lu_body_time, 800, "blocks", "LU per rigid body that is reduced to its motions, likewise",     \
    "measured")                                                                                    \
  T(lu_rows_per_price, 10, "rows per iteration",                                                   \
    "price of LU on several processes, where it is not planned",                                   \
    "fitted: MUMPS is too dear from 20 000 vertices on")                                           \
  T(lu_dearest, 2000, "iterations", "LU that costs more is not used",                              \
    "fitted: by then factors take 50 to 100 times the memory of the matrix")                       \
  T(gmres_patience, 150, "iterations",                                                             \
    "systems that take more are left to multigrid where LU is too dear", "fitted")                 \
  T(lu_single_work, 2e8, "operations", "LU is in single precision from this on",                   \
    "measured: faster there")                                                                      \
  T(lu_good_residual, 1e-11, "of the right-hand side", "factors are refined to this", "chosen")    \
  T(lu_fair_residual, 1e-7, "of the right-hand side", "a larger residual is no solution",          \
    "chosen")                                                                                      \
  T(lu_reuse_iterations, 10, "iterations",                                                         \
    "factors that take more iterations of GMRES are made anew", "derived: LU costs 10 to 30")      \
  T(lu_reuse_tolerance, 1e-2, "of the right-hand side",                                            \
    "factors of an earlier system of the step solve another at least this well",                   \
    "the forcing term of an inexact Newton method")                                                \
  T(ilu_price, 5, "iterations", "price of incomplete factors", "measured")                         \
  T(linear_rest, 64, "steps",                                                                      \
    "a method that failed is tried again after 1, 2, 4 … steps, this many at most", "chosen")      \
  T(mode_error, 0.1, "of the eigenvalue",                                                          \
    "a negative eigenvalue of a static Jacobian is found when its error is below this",            \
    "chosen: far less than what would change its sign")

typedef struct StSolveTunables {
  ST_SOLVE_TUNABLES(ST_TUNABLE_FIELD)
} StSolveTunables;

extern StSolveTunables st_solve_tunables; // in force
extern const StTunableTable st_solve_tunable_table;
