// The certificate of contact and friction: what every pair carries in a committed state and how
// well the laws of friction are met, over all ranks; and the worst of it over a run.
#ifndef ST_STEP_CERTIFICATE_H
#define ST_STEP_CERTIFICATE_H

#include "contact/readout.h"
#include "step/gather.h"
#include "step/system.h"

typedef struct StCertificate {
  const StSystem *system;
  StPairReadouts sum; // of all ranks
  StPairReport *pair; // [pairs] handed out in reports
  int *touching;      // [pairs] those with something to report, in their order
  StContactRecord record;
} StCertificate;

// *certificate is NULL where nothing can touch, which all functions here take.
StStatus st_certificate_create(const StSystem *system, StCertificate **certificate, StError *error);
void st_certificate_destroy(StCertificate *certificate);

// Fills the contact part of the report for a committed state, seen at the time its forces were
// applied. Collective.
StStatus st_certificate_measure(StCertificate *certificate, const StPoint *at, StReport *report,
                                StError *error);

// Takes the report of a committed step into the record.
void st_certificate_count(StCertificate *certificate, StReport *report, int repeats);

// Contact's fields of a frame. Collective.
StStatus st_certificate_gather(const StCertificate *certificate, const StGather *gather,
                               const StPoint *at, StSnapshot *snapshot, StError *error);

// The smallest gap that contact itself measured in a run, as one sentence; step/verdict.h puts what
// the judge saw before it.
void st_certificate_words(const StDescription *description, const StContactRecord *record,
                          char *text, size_t size);

#endif
