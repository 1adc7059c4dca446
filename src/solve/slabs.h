// An order of rows that lets threads share an incomplete elimination, found from the pattern alone.
// Rows are cut into slabs as numbered. First come rows coupled to no lower slab: everything they
// depend on is in their own slab. Then, again slab by slab, rows that are coupled across but not to
// each other, and finally the rest, one after the other.
#pragma once

#include "base/crew.h"
#include "math/block_matrix.h"

enum { ST_SLAB_PHASES = 3 };

typedef struct StSlabs {
  int count;
  int *order; // [rows] the matrix' row at a place
  int *place; // [rows] where a row is
  int *start; // [ST_SLAB_PHASES × count + 1] places where the slabs of a phase begin
} StSlabs;

StStatus st_slabs_create(const StBlockMatrix *matrix, StSlabs *slabs, StError *error);
void st_slabs_free(StSlabs *slabs);

// How many parts of a phase may be worked on at once, and the places of one.
static inline int st_slabs_parts(const StSlabs *slabs, int phase) {
  bool alone = phase == ST_SLAB_PHASES - 1;
  const int *start = slabs->start + phase * slabs->count;
  return start[slabs->count] == start[0] ? 0 : alone ? 1 : slabs->count;
}

static inline StSpan st_slabs_rows(const StSlabs *slabs, int phase, int part) {
  bool alone = phase == ST_SLAB_PHASES - 1;
  const int *start = slabs->start + phase * slabs->count;
  return alone ? (StSpan){start[0], start[slabs->count]} : (StSpan){start[part], start[part + 1]};
}
