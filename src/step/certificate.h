// The certificate of contact and friction: what every pair carries in a committed state and how
// well the laws of friction are satisfied, over all ranks; and the worst values of a run.
#pragma once

#include "contact/core/readout.h"
#include "step/gather.h"
#include "step/system.h"

typedef struct StCertificate {
  const StSystem *system;
  StPairReadouts sum; // of all ranks
  int pair_count;
  StPairReport *pair; // [pair_count] ascending: the first ones of the scene, and all that touched
  int *touching;      // [sum.count] those with something to report, in order
  size_t pair_capacity, touching_capacity;
  double *mean; // [vertex_count][3] velocities in a step
  StContactRecord record;
} StCertificate;

// *certificate is NULL if nothing can touch; all functions here accept that.
StStatus st_certificate_create(const StSystem *system, StCertificate **certificate, StError *error);
void st_certificate_destroy(StCertificate *certificate);

// The energy that a step took from a pair beyond the work of its forces.
typedef struct StPairLoss {
  int pair;
  double lost; // J
} StPairLoss;

// The step that led to a state. Velocities: [owned][3].
typedef struct StStepTaken {
  double h; // s
  const double *before, *after;
  int loss_count;
  const StPairLoss *loss; // [loss_count] the same on all ranks
} StStepTaken;

// Fills the contact part of the report for a committed state, at the time its forces were applied.
// step: NULL: none led there. Collective.
StStatus st_certificate_measure(StCertificate *certificate, const StPoint *at,
                                const StStepTaken *step, StReport *report, StError *error);

// Adds the report of a committed step to the record.
void st_certificate_count(StCertificate *certificate, StReport *report, int repeats);

// Contact's fields of a frame. Collective.
StStatus st_certificate_gather(const StCertificate *certificate, const StGather *gather,
                               const StPoint *at, StSnapshot *snapshot, StError *error);

// The smallest gap that contact measured in a run, as one sentence; step/verdict.h prefixes the
// result of the independent check.
void st_certificate_words(const StDescription *description, const StContactRecord *record,
                          char *text, size_t size);
