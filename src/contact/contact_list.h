// Contacts one by one, one entry per point and surface or pair of edges. In a concave corner
// several features press on a point and their common part is subtracted again: they are one entry.
#ifndef ST_CONTACT_CONTACT_LIST_H
#define ST_CONTACT_CONTACT_LIST_H

#include "contact/readout.h"

enum { ST_CONTACT_CORNERS = 3 };

// Plain numbers, so that ranks can send them. All as the pair's collider sees it.
typedef struct StContactItem {
  StAnchorKey key;
  int pair;
  int state;    // StSlipState
  int count[2]; // vertices of the features that meet, of the collider's and the other's: 1 a point,
                // 2 an edge, 3 a triangle; 0: an obstacle's; of smooth surfaces the nearest
  int vertex[2][ST_CONTACT_CORNERS]; // the description's; -1: none
  double point[3];                   // m, on the collider
  double normal[3];                  // unit, towards the collider
  double gap;                        // m
  double normal_force;               // N
  double friction[3];                // N, on the collider
  double force[3];                   // N, all of it
  double slip[3];                    // m/s, of the collider over the other
} StContactItem;

typedef struct StContactList {
  int count;
  StContactItem *item;
  size_t capacity;
} StContactList;

// Of this rank's touches, sorted by pairs and keys. `list` is empty.
StStatus st_contact_list_fill(const StTouchSet *set, const double *position, const double *velocity,
                              StContactList *list);
void st_contact_list_free(StContactList *list);

// Into the order they have for any number of ranks, once all are together.
void st_contact_list_sort(StContactList *list);

#endif
