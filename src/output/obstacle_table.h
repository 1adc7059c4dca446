// obstacles.csv: where the obstacles are that a program moves, for every frame. The scene says
// where all others are. Rows are kept in memory and the whole file is published at once.
#pragma once

#include "model/description.h"

typedef struct StObstacleTable StObstacleTable;

StStatus st_obstacle_table_create(StObstacleTable **table, StError *error);
void st_obstacle_table_destroy(StObstacleTable *table); // NULL is fine

StStatus st_obstacle_table_add(StObstacleTable *table, const StDescription *description,
                               double time, StError *error);
void st_obstacle_table_cut(StObstacleTable *table, double time); // drops rows from a time (s) on

// Nothing is written where no program moves any.
StStatus st_obstacle_table_publish(const StObstacleTable *table, const char *path, StError *error);

// Takes over the rows of a published file, if there is one.
StStatus st_obstacle_table_load(StObstacleTable *table, const char *path, StError *error);
