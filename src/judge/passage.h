// Passages of surfaces through each other in a step: the independent check of the motion from its
// start to its end. Triangles that meet on the way are a passage where the two surfaces touch at
// neither end, or where one is on the other side of the other afterwards.
#pragma once

#include "judge/course.h"

// Two surfaces, or one twice. Their trees are used, and fitted to other positions.
typedef struct StPassing {
  StHull *hull[2];
  const StCourse *course[2];
  double reach; // m, nearer than that they touch
} StPassing;

// Called for each pair of triangles that passed through each other, corners in the hulls' numbers.
typedef struct StPassageVisit {
  void (*found)(void *context, const int first[3], const int second[3]);
  void *context;
} StPassageVisit;

// Scratch: positions in the numbers of either hull at both ends of a part of the step.
typedef struct StPassageRoom {
  double *place[2][2]; // [side][end]
  int count;
  struct StMet *met; // [count]
  size_t capacity;
} StPassageRoom;

void st_passage_room_free(StPassageRoom *room); // frees the list, not the places

// False: out of memory.
bool st_passages_find(const StPassing *passing, StPassageRoom *room, const StPassageVisit *visit);
