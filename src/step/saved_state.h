// What the solver, the forces, the contacts, the certificate and the judge's record remember from
// step to step, as the extra bytes of a checkpoint.
#ifndef ST_STEP_SAVED_STATE_H
#define ST_STEP_SAVED_STATE_H

#include "solve/linear.h"
#include "step/certificate.h"

// What a simulation itself remembers.
typedef struct StRunMemory {
  StEnergyRecord energy;
  StRecoveryRecord recovery;
  StRigidRecord rigidity;
  // Energies of the committed state, against which the next step is balanced:
  double kinetic_energy, total_energy;
  double force_energy[ST_RECORD_FORCES];
  double lost_energy; // J, in the last steps, the very last counting most
  bool restart; // bodies met or parted in the last step: what two-step methods remember misleads
} StRunMemory;

typedef struct StSavedState {
  StLinear *linear;
  StSystem *system;           // its forces and contacts
  StCertificate *certificate; // NULL where nothing can touch
  StRunMemory *run;
  StJudgeRecord *judged;
  const StAnchors *anchors; // what is to be packed; NULL where nothing can touch
} StSavedState;

// Collective.
StStatus st_saved_state_pack(const StSavedState *extra, StCheckpoint *checkpoint, StError *error);

// Whether it can be of this system. Collective.
StStatus st_saved_state_check(const StSavedState *extra, const StCheckpoint *checkpoint,
                              StError *error);

// Collective: rank 0 has the checkpoint, all need what is in it.
StStatus st_saved_state_unpack(const StSavedState *extra, const StCheckpoint *checkpoint,
                               StError *error);

#endif
