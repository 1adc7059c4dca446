// Derivative of a simulation's state by one number: positions and velocities of this step and of
// the last one, and what anchored friction remembers.
#pragma once

#include "contact/friction/anchors.h"
#include "step/state.h"

// Of each anchor in a list: its weights, its point on an obstacle, and its stiffness.
typedef struct StAnchorRates {
  int count;
  size_t used;
  size_t room, weight_room;
  double *weight;    // [used]
  double *point;     // [count][3]
  double *stiffness; // [count]
} StAnchorRates;

typedef struct StTangent {
  int size; // of the state's arrays
  double *position, *velocity, *position_before, *velocity_before;
  StAnchorRates anchors;
} StTangent;

StStatus st_tangent_create(int size, StTangent *tangent, StError *error);
void st_tangent_free(StTangent *tangent);
void st_tangent_clear(StTangent *tangent);
bool st_tangent_is_zero(const StTangent *tangent);

// Makes the state, and a copy of the anchors, those of another one moved by this amount of a
// tangent; NULL: not moved. A tangent of other anchors moves none. False: out of memory.
void st_tangent_move(const StTangent *tangent, double amount, const StState *from, StState *to);
bool st_tangent_move_anchors(const StTangent *tangent, double amount, const StAnchors *from,
                             StAnchors *to);

// Adds the state's part of a difference quotient.
void st_tangent_add(StTangent *tangent, double weight, const StState *state);

// Rates of `of`, all zero.
StStatus st_anchor_rates_begin(StAnchorRates *rates, const StAnchors *of, StError *error);

// Adds a difference quotient of lists near that one: the sum of weights times lists, whose weights
// sum to zero. An anchor that is not in all of them, on the same places, keeps its rates. Returns
// how many those are.
int st_anchor_rates_add(StAnchorRates *rates, const StAnchors *of, int count,
                        const StAnchors *const *near, const double *weight);
