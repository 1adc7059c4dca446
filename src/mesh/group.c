// Union–find with halved paths; the lowest item leads, so that numbers do not depend on the order
// of joining.
#include "mesh/group.h"

#include "base/memory.h"

StStatus st_groups_create(int item_count, StGroups *groups, StError *error) {
  *groups = (StGroups){item_count, item_count, ST_NEW(int, item_count)};
  ST_TRY_MEMORY(groups->parent, error);
  for (int i = 0; i < item_count; i++)
    groups->parent[i] = i;
  return ST_OK;
}

void st_groups_free(StGroups *groups) {
  free(groups->parent);
  *groups = (StGroups){0};
}

static int root_of(int *parent, int i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

void st_groups_join(StGroups *groups, int a, int b) {
  int i = root_of(groups->parent, a), j = root_of(groups->parent, b);
  groups->group_count -= i != j;
  groups->parent[i > j ? i : j] = i < j ? i : j;
}

void st_groups_number(StGroups *groups, int *number) {
  int count = 0;
  for (int i = 0; i < groups->item_count; i++) {
    int root = root_of(groups->parent, i);
    number[i] = root == i ? count++ : number[root];
  }
}
