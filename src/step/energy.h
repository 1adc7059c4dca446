// The energy balance of one step: what the total gained beyond external work, and how much of that
// the tolerances and round-off explain.
#pragma once

#include "step/record.h"
#include "step/system.h"
#include "step/work.h"

typedef struct StEnergyEnds {
  const StReport *before, *after;  // energies of both ends of the step, by their forces
  const double *from, *to;         // [vertex_count][3] positions there
  double start, last, end;         // instants: just after its start, just before its end
                                   // and just after
  StWorkDone done;                 // by moving obstacles and boundaries
  double pressing_work;            // J, see st_energy_pressing_work
  double lost;                     // J, in previous steps, with decreasing weight
  double noise;                    // J, of the scene's energies
  double mass, velocity_tolerance; // kg of all bodies, m/s
} StEnergyEnds;

// The energy stored by anchors at a fixed displacement grows with the normal force, without work by
// anything else: counted as external work. Sum over all ranks. Collective.
double st_energy_pressing_work(const StSystem *system, const StPoint *end, const StReport *before);

// Energy that contact and anchors have gained since the report, before the step begins, J: contact
// was stiffened, edges that bent press more, or anchors in folds store more than they did.
// *start: with the current contacts there. Sum over all ranks. Collective.
double st_energy_jump(const StSystem *system, const StPoint *start, const StReport *before);

typedef struct StEnergyBalance {
  double work;    // J, external: by moving obstacles and boundaries, and by what changes over time
                  // (pressure, torque, windows of acceleration)
  double gain;    // J, of the total energy beyond that work; negative: lost; never NAN
  double worst;   // J, that, or what all but friction gained if that is more: what friction takes
                  // must not be given back elsewhere
  double allowed; // J, an insignificant gain
} StEnergyBalance;

// Adds the report of a committed step to the record.
void st_energy_count(StEnergyRecord *record, const StReport *report);

// "Energy grew beyond the work done in 3 steps, by 0.2 J in all …" Empty if it never did.
void st_energy_words(const StEnergyRecord *record, char *text, size_t size);

// J, accuracy of the energies of the scene's elements: small differences of terms as large as
// modulus times volume.
StStatus st_energy_noise(const StDescription *description, double *noise, StError *error);

// Collective.
StEnergyBalance st_energy_balance(const StSystem *system, const StEnergyEnds *ends);
