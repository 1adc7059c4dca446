// What the solver, the forces, the contacts and the certificate remember from step to step, as the
// extra bytes of a checkpoint.
#ifndef ST_STEP_EXTRA_H
#define ST_STEP_EXTRA_H

#include "solve/linear.h"
#include "step/certificate.h"

typedef struct StExtra {
  StLinear *linear;
  StSystem *system;           // its forces
  StContacts *contacts;       // NULL where nothing can touch
  StCertificate *certificate; // likewise
} StExtra;

// Collective.
StStatus st_extra_pack(const StExtra *extra, StCheckpoint *checkpoint, StError *error);

// Collective: rank 0 has the checkpoint, all need what is in it.
StStatus st_extra_unpack(const StExtra *extra, const StCheckpoint *checkpoint, StError *error);

#endif
