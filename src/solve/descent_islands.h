// Islands of unknowns, which J does not couple. In descent each goes downhill by itself: it has its
// own shift of J's diagonal and its own step length. Islands that become coupled on the way are
// merged.
#pragma once

#include "solve/search.h"

typedef struct StDescentIsland {
  double shift;         // of J's diagonal
  double square;        // p·p
  double slope, end;    // r·p where the step begins and at the trial point
  double before, after; // r·r at the same points
  double length, most;  // of its step: what is tried, and the limit
  double near, far;     // lengths that are too short and too long
  bool idle;            // its Newton step and its residual are within the tolerances
  bool ready;           // its direction leads downhill
  bool settled;         // it stays at its trial point
  bool uneven;          // its rows have taken different lengths to the trial point
} StDescentIsland;

typedef struct StDescentIslands {
  StSearch *search;
  int count;
  StDescentIsland *island; // [count]
  int *of;                 // [rows] the island of each
  int *merged, *to;        // [rows] and [count] scratch
  bool *frozen;            // [rows] of islands that are solved
  bool *waiting;           // [rows] of islands that wait while others look for a direction
  double *sum;             // [count] scratch
  bool together;           // none is frozen any more
} StDescentIslands;

// All unknowns are one island; false: no memory.
bool st_descent_islands_create(StSearch *search, StDescentIslands *islands);
void st_descent_islands_free(StDescentIslands *islands);

// a·b of each island; the next call overwrites the last one's.
const double *st_descent_islands_dots(StDescentIslands *islands, const double *a, const double *b);

// Finds the islands of the matrix that was solved for last; they keep the shifts of their rows.
void st_descent_islands_find(StDescentIslands *islands);

// Marks islands whose Newton step and residual are within the tolerances.
void st_descent_islands_find_idle(StDescentIslands *islands);

// Whether the shifted J is positive along each island's p. If not, that island gets a larger shift.
bool st_descent_islands_lead_down(StDescentIslands *islands, bool solved);

// Islands that have their direction wait for those that need another one with a larger shift, and
// then get it back.
void st_descent_islands_wait(StDescentIslands *islands);
void st_descent_islands_meet(StDescentIslands *islands);

void st_descent_islands_share_shifts(StDescentIslands *islands); // with the rows

void st_descent_islands_set(StDescentIslands *islands, double length); // of each, to begin with
void st_descent_islands_unite(StDescentIslands *islands);              // all become one
void st_descent_islands_note_slopes(StDescentIslands *islands);        // of p as a chord

// Goes as far along p as r still points down it, or nearly. Fills trial and t; false: nowhere.
bool st_descent_islands_go_down(StDescentIslands *islands, double *norm);

// p becomes the step to the trial point. Returns the shortest length.
double st_descent_islands_take_lengths(StDescentIslands *islands);

void st_descent_islands_adapt_shifts(StDescentIslands *islands); // by the length of each step

// Freezes islands whose last Newton step and residual were within the tolerance, while others go
// on. Once all are, they are released and solved together to the end.
void st_descent_islands_freeze(StDescentIslands *islands);
void st_descent_islands_release(StDescentIslands *islands); // all of them
