// What the solver, the forces, the contacts, the certificate and the independent check remember
// from step to step, as the extra bytes of a checkpoint.
#pragma once

#include "solve/linear.h"
#include "step/certificate.h"
#include "step/reactions.h"
#include "step/spin_loss.h"

// What the simulation itself remembers.
typedef struct StRunMemory {
  StEnergyRecord energy;
  StRecoveryRecord recovery;
  StRigidRecord rigidity;
  StSpinRecord spin;
  StLossRecord loss;
  // Energies of the committed state, for the balance of the next step:
  double kinetic_energy, total_energy;
  double force_energy[ST_RECORD_FORCES];
  double lost_energy; // J, in recent steps, with decreasing weight
  bool restart;       // bodies met or separated in the last step: two-step methods must restart
} StRunMemory;

typedef struct StSavedState {
  StLinear *linear;
  StSystem *system;           // its forces and contacts
  StCertificate *certificate; // NULL if nothing can touch
  StRunMemory *run;
  StSpinLoss *spin_loss;
  StReactions *reactions;
  StJudgeRecord *judged;
  const StAnchors *anchors; // to be packed; NULL if nothing can touch
  const StFactors *factors; // to be packed
} StSavedState;

// All ranks' anchors on the first, packed in the order they have for any number of ranks; free()
// *all. Collective.
StStatus st_saved_state_gather_anchors(const StSavedState *saved, char **all, size_t *size,
                                       StError *error);

// Collective.
StStatus st_saved_state_pack(const StSavedState *extra, StCheckpoint *checkpoint, StError *error);

// Whether it matches this system. Collective.
StStatus st_saved_state_check(const StSavedState *extra, const StCheckpoint *checkpoint,
                              StError *error);

// Collective: rank 0 has the checkpoint, all need what is in it.
StStatus st_saved_state_unpack(const StSavedState *extra, const StCheckpoint *checkpoint,
                               StError *error);
