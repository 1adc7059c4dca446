// Cases that have run.
#include "recording.h"

#include <stdlib.h>

static long count_of(const StictionRecording *run, const char *key) {
  double value = stiction_recording_number(run, key);
  return value >= 0 ? (long)value : 0;
}

static Cost cost_of(const StictionRecording *run) {
  double steps = (double)count_of(run, "steps");
  Cost cost = {.vertices = count_of(run, "vertices"),
               .tets = count_of(run, "tets"),
               .triangles = count_of(run, "triangles"),
               .frames = count_of(run, "frames") - 1,
               .processor_per_frame = NAN,
               .memory = stiction_recording_number(run, "peak_memory_bytes") * 1e-9,
               .newton_per_step = NAN,
               .linear_per_step = NAN};
  if (cost.frames > 0)
    cost.processor_per_frame = stiction_recording_number(run, "processor_s") / (double)cost.frames;
  if (steps > 0) {
    cost.newton_per_step = stiction_recording_number(run, "newton_iterations") / steps;
    cost.linear_per_step = stiction_recording_number(run, "linear_iterations") / steps;
  }
  return cost;
}

StictionStatus recording_open(Stiction *session, const char *folder, StictionScene *scene,
                              Recording *recording) {
  *recording = (Recording){.session = session, .scene = scene};
  StictionStatus status = stiction_recording_open(session, folder, &recording->run);
  if (status != STICTION_OK) {
    recording_close(recording);
    return status;
  }
  recording->state = stiction_recording_state(recording->run);
  recording->rows = stiction_recording_row_count(recording->run);
  recording->cost = cost_of(recording->run);
  return STICTION_OK;
}

void recording_leave_scene(Recording *recording) {
  stiction_scene_free(recording->scene);
  recording->scene = NULL;
}

void recording_close(Recording *recording) {
  stiction_recording_free(recording->run);
  recording_leave_scene(recording);
  *recording = (Recording){0};
}

const double *recording_column(const Recording *recording, const char *name) {
  return stiction_recording_column(recording->run, name);
}

double recording_last(const Recording *recording, const char *name) {
  const double *column = recording_column(recording, name);
  return column ? column[recording->rows - 1] : NAN;
}

StictionStatus recording_frame(const Recording *recording, int frame, double **position) {
  *position = NEW(double, 3 * (size_t)stiction_recording_vertex_count(recording->run));
  StictionStatus status =
      stiction_recording_frame(recording->session, recording->run, frame, *position);
  if (status != STICTION_OK) {
    free(*position);
    *position = NULL;
  }
  return status;
}

double recording_frame_time(const Recording *recording, int frame) {
  return stiction_recording_frame_time(recording->run, frame);
}

StictionBody recording_body(const Recording *recording, int body) {
  StictionBody found = {0};
  stiction_scene_body(recording->scene, body, &found);
  return found;
}

const char *case_lack(StictionRunState state) {
  switch (state) {
  case STICTION_RUN_FINISHED: return NULL;
  case STICTION_RUN_FAILED: return "failed";
  case STICTION_RUN_INTERRUPTED:
  case STICTION_RUN_UNDER_WAY: return "unfinished";
  }
  return "not run";
}

void case_cell_beside(Table *table, StictionRunState state, double value, double paper) {
  const char *lack = isnan(value) ? case_lack(state) : NULL;
  if (lack)
    cell_lacks(table, lack, paper);
  else
    cell_beside(table, value, paper);
}

void case_cell(Table *table, StictionRunState state, double value) {
  case_cell_beside(table, state, value, NAN);
}

const Column cost_columns[COST_COLUMNS] = {{"processor time per frame", "s", 3},
                                           {"memory", "GB", 3},
                                           {"Newton per step", NULL, 3},
                                           {"linear per step", NULL, 3},
                                           {"frames", NULL, 6}};

void cost_cells(Table *table, const Recording *recording, double paper_seconds,
                double paper_memory) {
  StictionRunState state = recording->state;
  bool missing = state == RUN_MISSING;
  const Cost *cost = &recording->cost;
  case_cell_beside(table, state, missing ? NAN : cost->processor_per_frame, paper_seconds);
  case_cell_beside(table, state, missing ? NAN : cost->memory, paper_memory);
  case_cell(table, state, missing ? NAN : cost->newton_per_step);
  case_cell(table, state, missing ? NAN : cost->linear_per_step);
  case_cell(table, state, missing ? NAN : (double)cost->frames);
}
