// Contact by primitives starts with open gaps: bodies that start in contact or slightly inside each
// other are moved apart (contact/start/separation.h), and scenes in which that is impossible are
// rejected.
#pragma once

#include "base/log.h"
#include "step/gather.h"
#include "step/state.h"
#include "step/system.h"

// Moves positions of the state, and reports bodies that moved farther than the contact's thickness.
// Bodies with prescribed vertices or bearings stay. ST_BAD_INPUT names both bodies, the place and
// the depth.
StStatus st_separate_bodies(const StSystem *system, const StGather *gather, StState *state,
                            const StLog *log, StError *error);

// The same without moving anything: rejects states in which anything meets. Collective.
StStatus st_separate_bodies_check(const StSystem *system, const StGather *gather,
                                  const StState *state, StError *error);
