// Poses of obstacles that a program moved, from obstacles.csv, as motions of the recording's
// description.
#pragma once

#include "model/description.h"

typedef struct StObstaclePoses StObstaclePoses;

// Lets the poses move the description's obstacles until they are destroyed. *poses stays NULL
// without the file. ST_BAD_INPUT: a row is damaged.
StStatus st_obstacle_poses_load(const char *folder, StDescription *description,
                                StObstaclePoses **poses, StError *error);
void st_obstacle_poses_destroy(StObstaclePoses *poses); // NULL is fine
