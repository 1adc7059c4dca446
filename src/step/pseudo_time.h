// Equilibria that something has to move to first: a body falls onto what carries it, tips over, or
// slides to where friction holds it. By pseudo-transient continuation: rounds of overdamped motion,
//   r(v) = m (h/τ)² (v - v_k) - h f(q + h v, 0) = 0,
// each from rest at the end of the last one, v_k. The period τ grows from that of a wave through a
// body to `reach`; then the term is dropped. So the solution is an equilibrium of the load step,
// and the rounds decide only which one.
#pragma once

#include "step/strategies.h"

// Goes on from `unknown`. ST_NOT_SOLVED: nothing comes to rest. Collective.
StStatus st_pseudo_time_solve(StSolving *solving, StError *error);
