// Items joined in pairs, and the resulting groups (union–find): parts of a mesh.
#pragma once

#include "base/status.h"

typedef struct StGroups {
  int item_count, group_count;
  int *parent; // [item_count] towards the lowest item of the group
} StGroups;

StStatus st_groups_create(int item_count, StGroups *groups, StError *error); // each item alone
void st_groups_free(StGroups *groups);

void st_groups_join(StGroups *groups, int a, int b);

// number[item_count] gets each item's group, counted in the order of their lowest items.
void st_groups_number(StGroups *groups, int *number);
