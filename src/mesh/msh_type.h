// The element types of Gmsh.
#pragma once

#include <stdint.h>

enum { ST_MSH_NODE_MAX = 56, ST_MSH_SECOND_ORDER = 11 };

typedef struct StMshType {
  int dimension;
  int node_count;
  int corner_count; // these come first; 0 for shapes that cannot be simulated
  const char *name;
} StMshType;

const StMshType *st_msh_type(int64_t number); // NULL: unknown
