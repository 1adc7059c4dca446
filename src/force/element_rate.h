// Forces of elements against their rate of change: the viscous part of a set's kernel.
#pragma once

#include "force/element_set.h"

// As in StForceType. `add` returns the place of an element in trouble, or -1.
int st_element_rate_add(const StElementSet *set, const StPoint *at, double *force);
void st_element_rate_add_blocks(const StElementSet *set, const StPoint *at, double by_position,
                                double by_velocity, StBlockMatrix *matrix);
void st_element_rate_add_complex(const StElementSet *set, const StDual *position,
                                 const StDual *velocity, StDual *force);
