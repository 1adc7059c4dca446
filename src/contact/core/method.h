// A method of contact: every decision that a pair's provider does not make by itself. Contacts and
// their state belong to one method. The rest of the program asks for the method's flags, never
// which method it is. A new method is a table like this one, chosen in contact/core/contacts.c.
#pragma once

#include "contact/core/contact_check.h"

typedef struct StContactMethodType {
  // In order: the first one that takes a pair handles it, and the last one takes the rest.
  const struct StContactProvider *provider[2]; // [ST_PROVIDERS], contact/core/provider.h
  StNormalLawForm normal_law;
  bool keeps_apart;       // gaps never close: paths are limited, and forces grow without bound
  bool takes_fixed_basis; // its friction can leave out the derivatives of the basis

  // Computes the area of each vertex, [vertex_count] m², for pairs with points.
  StStatus (*areas)(const double *position, const int *triangle, int count, int vertex_count,
                    double *area, StError *error);

  // Builds the method's part of contacts, and of one of their pairs; arrays belong to the contacts
  // (ST_OWN). local: numbers of the description's vertices on this rank. destroy: NULL is fine.
  StStatus (*create)(StContacts *contacts, StError *error);
  StStatus (*add_pair)(StContacts *contacts, StPair *pair, const int *local, StError *error);
  void (*destroy)(StContacts *contacts);

  // The method's part of the state, which owns its arrays. `begin` begins a step at these
  // positions, [vertex_count][3].
  void (*create_state)(const StContacts *contacts, StContactState *state);
  void (*begin)(const StContacts *contacts, StContactState *state, const double *position);
  // κ of a pair; NULL: that of its law.
  double (*stiffness)(const StContactState *state, int pair);

  // State that lasts from step to step; all NULL: none. `forget` resets it, `displaced`
  // forgets what a change of positions from outside makes void, `pack` and `unpack` make bytes of
  // it and restore it, and `rename` gives the pairs in these bytes the numbers of another scene.
  void (*forget)(const StContacts *contacts, StContactState *state);
  void (*displaced)(const StContacts *contacts, StContactState *state);
  char *(*pack)(const StContacts *contacts, StContactState *state, size_t *size);
  StStatus (*unpack)(const StContacts *contacts, StContactState *state, const char *bytes,
                     size_t size);
  void (*rename)(char *bytes, size_t *size, StPairTranslation translate, const void *context);

  // NULL where gaps never close. In order: checks whether a pair's paths in a step lead through a
  // surface; starts the initial state; stiffens the pairs that penetrate at the end of a step; and
  // commits a step. See contact/core/contact_check.h.
  StStatus (*check_pair)(const StContactSet *set, const StContactState *state, int pair,
                         double start, const double *before, const double *after, StPairEnd *end);
  StStatus (*start)(const StContactSet *set, const StPairEnds *ends, StContactState *state,
                    const StLog *log, StError *error);
  int (*stiffen)(const StContacts *contacts, StContactState *state, const StPairEnds *ends);
  void (*commit)(const StContactSet *set, const StPairEnds *ends, StContactState *state);

  // Friction that is easier to solve with; NULL: none. See contact/smooth/smooth_easing.h.
  double (*next_ease)(const StContacts *contacts, StEasing easing, double ease);
  double (*ease)(double ease, StFrictionLaw *law);
} StContactMethodType;

extern const StContactMethodType st_method_primitives, st_method_smooth;
