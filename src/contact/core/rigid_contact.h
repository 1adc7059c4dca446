// The rigid bodies of a small contact. The forces and Jacobian of a contact between rigid bodies
// depend only on the carriers of its one or two bodies, and all other contacts between the same
// bodies have the same carriers.
#pragma once

#include "contact/core/contact_set.h"

enum { ST_CONTACT_BODIES = 2, ST_CONTACT_CARRIERS = ST_CONTACT_BODIES * ST_CARRIERS };

typedef struct StRigidContact {
  int count;                              // 0: the contact has many places, or involves a soft body
  const int *carrier[ST_CONTACT_BODIES];  // [ST_CARRIERS] of each body
  int of[ST_CONTACT_SMALL];               // body of each place; -1: an obstacle
  const double *weight[ST_CONTACT_SMALL]; // [ST_CARRIERS] of each place on a body
} StRigidContact;

void st_rigid_contact(const StContactSet *set, const StContactArray *list, const StContact *contact,
                      StRigidContact *bodies);

static inline bool st_rigid_contact_same(const StRigidContact *a, const StRigidContact *b) {
  return a->count == b->count && *a->carrier[0] == *b->carrier[0] &&
         (a->count == 1 || *a->carrier[1] == *b->carrier[1]);
}

// Sums over places, times their weights, become sums over carriers: vector [count][size] →
// [carriers][size].
void st_rigid_contact_carry(const StRigidContact *bodies, int count, int size, const double *vector,
                            double *carried);

// Adds a Jacobian over the places of a contact, [3 count][3 count], to one over the carriers:
// [carriers][ST_TOUCH_BODIES][3 axes][3 axes][ST_CARRIERS], of which the second, the fourth and the
// last are the columns'.
void st_rigid_contact_fold(const StRigidContact *bodies, int count, const double *jacobian,
                           double *sum);

// Adds the row of one carrier in such a sum to blocks of a matrix, [][9]. slot: one for each
// carrier; negative: there is none.
enum { ST_CONTACT_BODIES_ROW = 9 * ST_CONTACT_CARRIERS };
void st_rigid_contact_add_row(const StRigidContact *bodies, const double *row, const int *slot,
                              double *value);
