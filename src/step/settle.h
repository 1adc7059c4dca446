// Bodies that start pressed into something, such as a block placed exactly on the floor, would be
// thrown off by the energy stored in contact. They are moved out as a whole until contact carries
// no more than their weight.
#pragma once

#include "base/log.h"
#include "step/state.h"
#include "step/system.h"

// Moves positions of the state. With smooth surfaces it reports every body it moved. Bodies with
// prescribed vertices stay, and so do those that overlap with something. Collective.
StStatus st_settle(const StSystem *system, StState *state, const StLog *log, StError *error);
