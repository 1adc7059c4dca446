// Contacts of rigid bodies in the coordinates of their carriers.
#include "contact/core/rigid_contact.h"

#include "contact/core/contacts.h"
#include "math/hot.h"

#include <string.h>

enum { ROW = 9 * ST_CONTACT_BODIES }; // blocks of bodies in a carrier's rows

static int find_body(StRigidContact *bodies, const int *carrier) {
  for (int i = 0; i < bodies->count; i++)
    if (*bodies->carrier[i] == *carrier)
      return i;
  if (bodies->count == ST_CONTACT_BODIES)
    return -1;
  bodies->carrier[bodies->count] = carrier;
  return bodies->count++;
}

void st_rigid_contact(const StContactSet *set, const StContactArray *list, const StContact *contact,
                      StRigidContact *bodies) {
  const StPiece *piece = set->contacts->piece;
  const StDescription *description = set->contacts->description;
  const int *place = st_contact_array_places(list, contact);
  *bodies = (StRigidContact){.count = 0};
  if (contact->count > ST_CONTACT_SMALL)
    return;
  for (int k = 0; k < contact->count; k++) {
    bodies->of[k] = -1;
    if (place[k] >= piece->vertex_count)
      continue;
    int entry = st_piece_carried_entry(piece, place[k]);
    bool rigid = entry >= 0 && description->body[piece->body[place[k]]].rigid;
    if (rigid)
      bodies->of[k] = find_body(bodies, piece->carried.carrier + ST_CARRIERS * (size_t)entry);
    if (bodies->of[k] < 0) {
      bodies->count = 0;
      return;
    }
    bodies->weight[k] = piece->carried.weight + ST_CARRIERS * (size_t)entry;
  }
}

void st_rigid_contact_carry(const StRigidContact *bodies, int count, int size, const double *vector,
                            double *carried) {
  memset(carried, 0, (size_t)(bodies->count * ST_CARRIERS * size) * sizeof(double));
  for (int p = 0; p < count; p++)
    for (int k = 0; k < ST_CARRIERS && bodies->of[p] >= 0; k++)
      for (int i = 0; i < size; i++)
        carried[(bodies->of[p] * ST_CARRIERS + k) * size + i] +=
            bodies->weight[p][k] * vector[p * size + i];
}

// One number for each carrier of a body.
typedef double Four __attribute__((vector_size(ST_CARRIERS * sizeof(double)), aligned(8)));
_Static_assert(ST_CARRIERS == 4, "a power of two");

// Multiplies the columns of a place's rows by its weights: [bodies][3 axes × 3 axes]. jacobian:
// from its first row on.
static inline void fold_columns(const StRigidContact *bodies, int count, const double *jacobian,
                                Four half[ROW]) {
  for (int i = 0; i < ROW; i++)
    half[i] = (Four){0};
  for (int q = 0; q < count; q++) {
    if (bodies->of[q] < 0)
      continue;
    Four weight = *(const Four *)bodies->weight[q], *to = half + 9 * bodies->of[q];
    const double *from = jacobian + 3 * q;
    for (int i = 0; i < 3; i++, from += 3 * count, to += 3) {
      to[0] += weight * from[0];
      to[1] += weight * from[1];
      to[2] += weight * from[2];
    }
  }
}

// Adds the rows of a body's places to those of its carriers, all places at once.
static inline void fold_rows(int count, const double *const weight[], Four half[][ROW], Four *sum) {
  for (int c = 0; c < ROW; c++) {
    Four to[ST_CARRIERS] = {sum[c], sum[ROW + c], sum[2 * ROW + c], sum[3 * ROW + c]};
    for (int p = 0; p < count; p++) {
      Four from = half[p][c];
      to[0] += weight[p][0] * from;
      to[1] += weight[p][1] * from;
      to[2] += weight[p][2] * from;
      to[3] += weight[p][3] * from;
    }
    sum[c] = to[0], sum[ROW + c] = to[1], sum[2 * ROW + c] = to[2], sum[3 * ROW + c] = to[3];
  }
}

static inline void fold(const StRigidContact *bodies, int count, const double *jacobian,
                        double *sum) {
  Four half[ST_CONTACT_SMALL][ROW];
  const double *weight[ST_CONTACT_SMALL];
  for (int b = 0; b < bodies->count; b++) {
    Four *to = (Four *)sum + ROW * ST_CARRIERS * b;
    int places = 0;
    for (int p = 0; p < count; p++)
      if (bodies->of[p] == b) {
        fold_columns(bodies, count, jacobian + 9 * p * count, half[places]);
        weight[places++] = bodies->weight[p];
      }
    switch (places) {
    case 1: fold_rows(1, weight, half, to); break;
    case 2: fold_rows(2, weight, half, to); break;
    default: fold_rows(places, weight, half, to);
    }
  }
}

// With constant counts the compiler unrolls these loops.
static ST_HOT void hot_fold(const StRigidContact *bodies, int count, const double *jacobian,
                            double *sum) {
  switch (count) {
  case 1: fold(bodies, 1, jacobian, sum); break;
  case 2: fold(bodies, 2, jacobian, sum); break;
  case 3: fold(bodies, 3, jacobian, sum); break;
  default: fold(bodies, 4, jacobian, sum);
  }
}

void st_rigid_contact_fold(const StRigidContact *bodies, int count, const double *jacobian,
                           double *sum) {
  hot_fold(bodies, count, jacobian, sum);
}

void st_rigid_contact_add_row(const StRigidContact *bodies, const double *row, const int *slot,
                              double *value) {
  for (int c = 0; c < ST_CARRIERS * bodies->count; c++) {
    const double *from = row + 9 * ST_CARRIERS * (c / ST_CARRIERS) + c % ST_CARRIERS;
    double *to = value + 9 * (size_t)slot[c];
    if (slot[c] < 0)
      continue;
    for (int i = 0; i < 9; i += 3, from += 3 * ST_CARRIERS) {
      to[i] += from[0];
      to[i + 1] += from[ST_CARRIERS];
      to[i + 2] += from[2 * ST_CARRIERS];
    }
  }
}
