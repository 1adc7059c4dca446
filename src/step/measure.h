// Global quantities of a state: energies, momenta, values of volumes and bearings. All ranks get
// the same numbers.
#pragma once

#include "step/record.h"
#include "step/system.h"

typedef struct StMeasure {
  const StSystem *system;
  StVolumeReport *zone;     // [volumes of the description]
  StBearingReport *bearing; // [bearings]
  int action_count;
  StActionReport *action; // [action_count]
  StAction *sum;          // [action_count]
  // Of the last state measured:
  double mass;  // kg, of all bodies
  int inverted; // inverted tets
} StMeasure;

StStatus st_measure_create(const StSystem *system, StMeasure **measure, StError *error);
void st_measure_destroy(StMeasure *measure);

// Fills energies, momenta and strains of the report.
// position, velocity: [vertex_count][3] with ghosts. Collective.
void st_measure_take(StMeasure *measure, const StPoint *at, StReport *report);

// Fills volumes, bearings, loads and joints, which last until the next call. at: as the forces of
// the step saw it. Collective.
void st_measure_read(StMeasure *measure, const StPoint *at, StReport *report);
