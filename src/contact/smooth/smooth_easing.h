// Easier friction, for first guesses of stages that are hard to solve. Far from the solution,
// friction by velocity jumps at every contact, and a line search on the residual takes tiny steps;
// friction with large sticking speeds does not jump. Friction that falls with speed may have
// several solutions, and Newton's method may get stuck between them; friction that does not fall
// has one.
#pragma once

#include "contact/core/contacts.h"

// The continuation, for method.h: the factor of the sticking speeds that follows `ease`, 0 at
// first.
double st_smooth_next_ease(const StContacts *contacts, StEasing easing, double ease);

// Eases the friction of a pair: it does not fall with speed, and its speeds are larger. Returns by
// how much; 1 if `ease` is 0.
double st_smooth_ease(double ease, StFrictionLaw *law);
