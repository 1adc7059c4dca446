// Bodies connected by springs: how far forces move them. Only translations count.
#ifndef ST_STEP_SPRING_NET_H
#define ST_STEP_SPRING_NET_H

#include "contact/pressing.h"

// Which bodies springs connect to something that does not move, directly or by others that do.
// Collective.
void st_spring_net_find_held(const StSpring *spring, size_t count, const bool *moves,
                             int body_count, bool *held);

// Marks the bodies that may be and that springs connect to marked ones, directly or by others.
// Collective.
void st_spring_net_spread(const StSpring *spring, size_t count, const bool *may, int body_count,
                          bool *marked);

// Fills shift[bodies][3] with the displacements at which the springs balance force[bodies][3], to
// about a tenth; bodies that do not move have none. Springs are this rank's, everything else is the
// same on all ranks. room: [10 bodies]. Collective.
void st_spring_net_solve(const StSpring *spring, size_t count, const bool *moves, int body_count,
                         const double *force, double *shift, double *room);

#endif
