// Reactions in a committed state: force and torque of every boundary and every obstacle. On a
// prescribed coordinate a reaction is the force that its motion needs beyond all others,
//   R = m (v+ - v)/h - f,
// with f as the step applied it. Together with weights, loads and joints to the world these forces
// are the rate of change of momentum.
#pragma once

#include "step/boundary.h"
#include "step/state.h"
#include "step/system.h"

typedef struct StReactions {
  const StSystem *system;
  const StBoundary *boundary;
  int count;
  StReactionReport *report; // [count] boundaries, then obstacles
  double *sum;              // [boundaries][2][3] what ranks sum up: forces and torques
  double *force;            // [vertex_count][3] of all forces together
  bool *taken;              // [owned][3] coordinates that a boundary has been given
} StReactions;

StStatus st_reactions_create(const StSystem *system, const StBoundary *boundary,
                             StReactions **reactions, StError *error);
void st_reactions_destroy(StReactions *reactions); // NULL is fine

// Fills the report's reactions, which last until the next call, after it has its pairs. at: as the
// forces of the step saw it. Collective.
StStatus st_reactions_read(StReactions *reactions, const StState *state, const StPoint *at,
                           StReport *report, StError *error);

// Puts the reactions of the last step, or of a checkpoint, into a report.
void st_reactions_report(const StReactions *reactions, StReport *report);

// As bytes of a checkpoint: of the same state they would come out anew with other rounding.
size_t st_reactions_size(const StReactions *reactions);
void st_reactions_pack(const StReactions *reactions, char *to);
void st_reactions_unpack(StReactions *reactions, const char *from);
