// Carried vertices: each is a fixed weighted sum of four others, its carriers, and moves with them.
// It has no mass and no unknowns; forces on it go to its carriers. Code that reads vertices
// (contact, skins, read-outs, files) need not distinguish them.
#pragma once

#include "base/status.h"

enum { ST_CARRIERS = 4 };

// Carried vertices of a body, a piece or a whole description, in its own numbering. Carriers are
// not carried themselves.
typedef struct StCarried {
  int count;
  int *vertex;    // [count]
  int *carrier;   // [count][ST_CARRIERS]
  double *weight; // [count][ST_CARRIERS] sum to 1
} StCarried;

StStatus st_carried_create(int count, StCarried *carried, StError *error);
void st_carried_free(StCarried *carried); // frees the arrays

// The weights of one of them by where it and its carriers are: its barycentric coordinates, tiny
// ones taken for none.
void st_carried_weigh(const StCarried *carried, int index, const double *position);

// field: [vertices][3]. Computes entries `first` to `end` - 1 of the list from their carriers.
void st_carried_follow(const StCarried *carried, int first, int end, double *field);

// force: [vertices][3]. Moves the forces on carried vertices to their carriers, and zeroes them.
void st_carried_hand_on(const StCarried *carried, double *force);

struct StDescription;

// Carried vertices of all bodies, in the description's numbers, and the entry of each vertex.
typedef struct StCarriage {
  StCarried all;
  int *entry; // [vertices] -1: not carried
} StCarriage;

StStatus st_carriage_create(const struct StDescription *description, StCarriage *carriage,
                            StError *error);
void st_carriage_free(StCarriage *carriage); // frees the arrays
