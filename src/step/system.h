// The rank's share of everything forces act on: local piece, ghost exchange, the forces themselves
// and the matrix their blocks go to. Evaluates whole forces and energies; knows nothing of time
// steps.
#pragma once

#include "base/log.h"
#include "force/force.h"
#include "solve/exchange.h"
#include "step/contact_room.h"
#include "step/folding.h"
#include "step/record.h"
#include "step/contact_cache.h"

enum { ST_REASON = 128, ST_COUPLINGS = 64 };

typedef struct StSystem {
  const StDescription *description;
  StCrew *crew; // NULL: one thread
  StPiece *piece;
  StExchange *exchange;
  // All NULL when nothing can touch:
  StContacts *contacts;
  StContactState *contact_state;
  StContactCache *contact_cache;
  StContactRoom *room;
  struct StNeighbours *neighbours; // NULL also on one process and with smooth surfaces
  int force_count;
  StForce force[ST_RECORD_FORCES];
  StBlockMatrix *matrix;         // of all vertices
  StFolding *folding;            // NULL where no vertex is carried
  int tet_count, triangle_count; // over all ranks
  double *still;                 // [vertex_count][3] zeros; in a static analysis, otherwise NULL
  char *reason;                  // [ST_REASON] what another rank said of the trouble it met
} StSystem;

StStatus st_system_create(const StDescription *description, StSystem **system, StError *error);
void st_system_destroy(StSystem *system);

// The fraction of a force that acts: in the first step of a static analysis gravity and wind
// rise from nothing. Other loads do so by themselves.
double st_system_share(const StSystem *system, const StForceType *type, double time);

// A point as a force sees it: in a static analysis there are no velocities, but contact has those
// with which a step goes its way.
StPoint st_system_seen(const StSystem *system, const StForceType *type, const StPoint *at);

// Energy of the elements owned here, J.
double st_system_energy(const StSystem *system, int index, const StPoint *at);

// total: [vertex_count][3], overwritten; owned entries are complete, and carried vertices have
// handed on to their carriers what acts on them. Contact and friction count contact_weight times (1
// but for decoupled integrators). ST_NOT_SOLVED with *trouble filled when the point is outside some
// force's domain. The same answer on all ranks. Collective.
StStatus st_system_total_force(const StSystem *system, const StPoint *at, double contact_weight,
                               double *total, StTrouble *trouble);

// The matrix of the unknowns: the one above, or the one folded from it.
StBlockMatrix *st_system_unknown_matrix(const StSystem *system);
void st_system_fold(const StSystem *system); // fills it

// Makes room in the matrix for all contacts of a set. keep: keeps that of earlier ones; a run and
// its continuation from a checkpoint must have the same matrix. *changed: on some rank the pattern
// of the unknowns' matrix is another one. Collective.
StStatus st_system_fit_matrix(StSystem *system, const StContactSet *set, bool keep, bool *changed,
                              StError *error);

// Terms of ∂f/∂q that couple all vertices of a volume or a rim: those of one force, and of all, at
// most ST_COUPLINGS.
int st_system_coupling_count(const StForce *force);
int st_system_couplings(const StSystem *system);

// Forces update their memory of a committed state.
void st_system_commit(StSystem *system, const StPoint *at);

// One force alone, without a check of its domain; forces on carried vertices stay on them.
void st_system_single_force(const StSystem *system, int index, const StPoint *at, double *force);

// Whether steps are sought by descent and along arcs: where paths may be blocked, and where rigid
// bodies turn, also without contact.
bool st_system_needs_descent(const StSystem *system);
