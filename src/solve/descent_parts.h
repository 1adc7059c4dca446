// Parts of the unknowns that J does not couple, such as groups of bodies that do not touch. During
// descent each goes down for itself: it has its own shift of J's diagonal, and goes as far along
// its part of the direction as suits it. Parts that come to touch on the way are joined.
#ifndef ST_SOLVE_DESCENT_PARTS_H
#define ST_SOLVE_DESCENT_PARTS_H

#include "solve/search.h"

typedef struct StDescentPart {
  double shift;         // of J's diagonal
  double square;        // p·p
  double slope, end;    // r·p where the step begins and at the trial point
  double before, after; // r·r at the same places
  double length, most;  // of its way: what is tried, and what may be
  double near, far;     // lengths that are too short and too long
  double reached;       // r·r at the last length, while that is doubled
  bool goes_on;         // it may be doubled
  bool idle;            // what it asks for is within the tolerance
  bool ready;           // its part of the direction leads down
  bool settled;         // it stays at its trial point
  bool uneven;          // the trial point is at different lengths of its rows
} StDescentPart;

typedef struct StDescentParts {
  StSearch *search;
  int count;
  StDescentPart *part; // [count]
  int *of;             // [rows] the part of each
  int *to;             // [count] scratch
  bool *parked;        // [rows] of parts that are done
  bool *waiting;       // [rows] of parts that wait while others look for a direction
  double *sum;         // [count] scratch
  bool together;       // none is parked any more
} StDescentParts;

bool st_descent_parts_create(StSearch *search,
                             StDescentParts *parts); // all are one; false: no memory
void st_descent_parts_free(StDescentParts *parts);

// a·b of each part; the next call overwrites the last one's.
const double *st_descent_parts_dots(StDescentParts *parts, const double *a, const double *b);

// Finds the parts of the matrix that was solved for last; they keep the shifts of their rows.
void st_descent_parts_find(StDescentParts *parts);

// Which parts ask for no more than the tolerance.
void st_descent_parts_find_idle(StDescentParts *parts);

// Whether the shifted J is positive along each part of p. If not, that part gets a larger shift.
bool st_descent_parts_lead_down(StDescentParts *parts, bool solved);

// Parts that have their direction wait for those that need another one, with a larger shift; and
// then get it back.
void st_descent_parts_wait(StDescentParts *parts);
void st_descent_parts_meet(StDescentParts *parts);

void st_descent_parts_share_shifts(StDescentParts *parts); // with the rows

void st_descent_parts_set(StDescentParts *parts, double length); // of each, to begin with
void st_descent_parts_join(StDescentParts *parts); // those that cannot be told apart go as one
void st_descent_parts_note_slopes(StDescentParts *parts); // of p as a chord

// Goes as far along p as r still points down it, or nearly. Fills trial and t; false: nowhere.
bool st_descent_parts_go_down(StDescentParts *parts, double *norm);

// p becomes the way to the trial point. Returns the length of all parts, or of the shortest.
double st_descent_parts_take_lengths(StDescentParts *parts);

void st_descent_parts_adapt_shifts(StDescentParts *parts); // by how far each went

// Parts that asked for no more than the tolerance, and got it, stay where they are while others go
// on. Once none is left, all go on together to the end.
void st_descent_parts_park(StDescentParts *parts);
void st_descent_parts_release(StDescentParts *parts); // all of them

#endif
