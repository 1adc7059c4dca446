// Reports on each body and probe in a committed state.
#pragma once

#include "step/system.h"

typedef struct StBodies {
  const StSystem *system;
  int sum_count;
  double *sum;    // everything that ranks sum up
  double *energy; // [bodies] one force's
  int *probe_of;  // vertices of probes: 2 × probe, + 1 for its other end, …
  int *vertex_of; // … and the local vertex
  int place_count;
  StBodyReport *body;   // [bodies]
  StProbeReport *probe; // [probes]
} StBodies;

StStatus st_bodies_create(const StSystem *system, StBodies **bodies, StError *error);
void st_bodies_destroy(StBodies *bodies); // NULL is fine

// After the report has its pairs. Collective.
void st_bodies_measure(StBodies *bodies, const StPoint *at, StReport *report);
