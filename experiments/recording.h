// A case that has run, or part of it: its history, its frames, what it cost, and the cells that
// show these in tables.
#ifndef EXPERIMENTS_RECORDING_H
#define EXPERIMENTS_RECORDING_H

#include "common.h"
#include "result.h"

#include <stiction/recording.h>

#define RUN_MISSING ((StictionRunState)0) // the case was left out

// What a run took, as the paper's tables count it.
typedef struct Cost {
  long vertices, tets, triangles;
  long frames;                // written beside the initial one
  double processor_per_frame; // s, of all processes together; NAN before the first frame
  double memory;              // GB, most that was held at a time, by all processes
  double newton_per_step, linear_per_step;
} Cost;

typedef struct Recording {
  StictionRunState state;
  Stiction *session;
  StictionRecording *run;
  StictionScene *scene;
  long rows; // committed steps, the initial state first
  Cost cost;
} Recording;

// Takes the scene, also when it fails.
StictionStatus recording_open(Stiction *session, const char *folder, StictionScene *scene,
                              Recording *recording);
void recording_close(Recording *recording); // of a missing one too

// Frees the scene, with its meshes, so that later cases are not charged with it. No body can be
// asked for then.
void recording_leave_scene(Recording *recording);

// [rows] NULL: there is no such column, or nothing was recorded.
const double *recording_column(const Recording *recording, const char *name);
double recording_last(const Recording *recording, const char *name); // NAN: no such column

// Positions of all vertices in a frame; [vertices][3], free() them.
StictionStatus recording_frame(const Recording *recording, int frame, double **position);
double recording_frame_time(const Recording *recording, int frame);

StictionBody recording_body(const Recording *recording, int body);

// Why a case has no figure that its end would give: "not run", "unfinished" (it was stopped, or
// still runs) or "failed" (a step could not be solved); NULL when it has come to its end.
const char *case_lack(StictionRunState state);

// A figure, or where it is NAN the lack; – when the case has ended and there can be none.
void case_cell(Table *table, StictionRunState state, double value);
void case_cell_beside(Table *table, StictionRunState state, double value, double paper);

// The columns by which the paper's tables count cost, for tables that have them last.
enum { COST_COLUMNS = 5 };
extern const Column cost_columns[COST_COLUMNS];
void cost_cells(Table *table, const Recording *recording, double paper_seconds,
                double paper_memory); // per frame; GB; NAN: the paper has none

#endif
