// A list of contacts for output, with one entry per point and surface or per pair of edges. In a
// concave corner several features press on a point, and the part they share is subtracted again;
// they form one entry.
#pragma once

#include "contact/core/readout.h"

enum { ST_CONTACT_CORNERS = 3 };

// Plain data, so that ranks can send it. Forces and velocities are those of the pair's collider.
typedef struct StContactItem {
  StAnchorKey key;
  int pair;
  int state;    // StSlipState
  int count[2]; // vertices of the features that meet, the collider's and the other's: 1 point,
                // 2 edge, 3 triangle, 0 obstacle; for smooth surfaces the nearest vertices
  int vertex[2][ST_CONTACT_CORNERS]; // numbers of the description; -1: none
  double point[3];                   // m, on the collider
  double normal[3];                  // unit, towards the collider
  double gap;                        // m
  double normal_force;               // N
  double friction[3];                // N, on the collider
  double force[3];                   // N, total
  double slip[3];                    // m/s, of the collider relative to the other
} StContactItem;

typedef struct StContactList {
  int count;
  StContactItem *item;
  size_t capacity;
} StContactList;

// Contacts of this rank, sorted by pair and key. `list` must be empty.
StStatus st_contact_list_fill(const StContactSet *set, const double *position,
                              const double *velocity, StContactList *list);
void st_contact_list_free(StContactList *list);

// Sorts the contacts of all ranks into an order that does not depend on the number of ranks.
void st_contact_list_sort(StContactList *list);
