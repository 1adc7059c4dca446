// Frees what a simulation returned.
#include "step/record.h"

#include <stdlib.h>

void st_snapshot_free(StSnapshot *snapshot) {
  free(snapshot->position);
  free(snapshot->velocity);
  for (int i = 0; i < ST_RECORD_FORCES; i++)
    free(snapshot->force[i]);
  free(snapshot->contact_normal_force);
  free(snapshot->contact_gap);
  free(snapshot->slip_speed);
  free(snapshot->held_displacement);
  free(snapshot->contact_state);
  free(snapshot->findings);
  free(snapshot->inverted);
  free(snapshot->stress);
  *snapshot = (StSnapshot){0};
}

void st_checkpoint_free(StCheckpoint *checkpoint) {
  free(checkpoint->position);
  free(checkpoint->velocity);
  free(checkpoint->position_previous);
  free(checkpoint->velocity_previous);
  free(checkpoint->solved);
  free(checkpoint->force);
  free(checkpoint->extra);
  free(checkpoint->program);
  *checkpoint = (StCheckpoint){0};
}
