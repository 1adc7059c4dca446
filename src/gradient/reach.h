// How far the variants of a step may be apart (gradient/variant.h).
#pragma once

#include "contact/core/contact_set.h"

// Parts that a move may be of the gap of a contact that it changes, and of the shortest edge.
// Difference quotients of fourth order then err by 4·part⁴ of a function like 1/gap, 3e-10, and
// rounding of positions by about the same.
#define ST_REACH_GAP 3e-3
#define ST_REACH_LENGTH 1e-3

// The same part of the distance to the kink of friction, and the least displacement of its sides,
// m: rounding hides smaller ones.
#define ST_REACH_KINK 0.3
#define ST_REACH_LEAST 1e-10

typedef struct StReach {
  const double *start, *end; // [size] derivatives of positions at the start and the end of a step
  int size;
  double length;                     // m
  const StContactSet *set;           // at the end; NULL: nothing can touch
  const double *position, *velocity; // [size] there
} StReach;

double st_reach_amount(const StReach *reach); // of the derivatives

// The shortest edge of the elements, and between carriers of rigid bodies, m.
double st_reach_length(const StPiece *piece);
