// A run read back from its folder: every step's values by name, its cost, and the shapes of its
// frames. Pictures, plots and exports use it, also while the run is in progress.
#pragma once

#include "base/log.h"
#include "model/description.h"

typedef enum StRecordingState {
  ST_RECORDING_MISSING, // none: the case was skipped
  ST_RECORDING_FINISHED,
  ST_RECORDING_FAILED,      // a step could not be solved; everything before it is there
  ST_RECORDING_INTERRUPTED, // stopped on request; "stiction resume" continues it
  ST_RECORDING_RUNNING,     // in progress, or killed: contains what was written so far
} StRecordingState;

// As summary.json has it: "finished" …; missing: none of these words.
const char *st_recording_state_name(StRecordingState state);
StRecordingState st_recording_state_of(const char *word); // NULL is fine

// The cost of a run.
typedef struct StCost {
  long tets, steps;
  double wall; // s, over all sessions
  double newton_per_step;
} StCost;

typedef struct StRecording {
  StRecordingState state;
  char *folder;      // of the run
  char *name_of_run; // of its scene, without path and extension: "swing"
  char *reason;      // of a failure or an interruption, otherwise NULL
  StDescription *description;
  size_t point_count, cell_count; // of its bodies together, as frames should have them
  StCost cost;
  long rows; // committed steps, the initial state first
  int column_count;
  char **name;   // [column_count] headings of history.csv without units, then pairs without columns
                 // there that contacts.csv has (replay/contact_columns.h)
  char **unit;   // [column_count] "m/s"; "" for a pure number
  double *value; // [column_count][rows]
  StFrameFormat format;
  int frame_count;               // written so far, in a row from 0 on
  double *frame_time;            // [frame_count] s
  struct StObstaclePoses *poses; // of obstacles that a program moved; NULL: none
} StRecording;

// Opens a run from its folder alone and reads its scene again: finished, failed, interrupted or
// still in progress. ST_BAD_INPUT, with an explanation, if it is not the folder of a run.
StStatus st_recording_load(const char *folder, const StLog *log, StRecording *recording,
                           StError *error);

// Updates the state, history and list of frames of a run in progress. The description stays. On
// failure the recording is unchanged.
StStatus st_recording_refresh(StRecording *recording, StError *error);

// For callers that already have the scene. Takes ownership of the description on success.
// ST_BAD_INPUT if the folder has no history.
StStatus st_recording_open(const char *folder, StDescription *description, StRecording *recording,
                           StError *error);
void st_recording_close(StRecording *recording); // also for a missing one

// Frees the description. What follows from it cannot be asked for then; history and frames can.
void st_recording_leave_scene(StRecording *recording);

// [rows] "time", "centre_of_mass_z", "volume(ball)", "normal(pad|bowl)"; NULL: no such column, or
// nothing recorded.
const double *st_recording_column(const StRecording *recording, const char *name);

int st_recording_column_index(const StRecording *recording, const char *name); // -1: none

// Value in the last step; NAN if there is no such column.
double st_recording_last(const StRecording *recording, const char *name);

// Positions of all vertices in frame 0, 1 …; [vertices][3], free() them.
StStatus st_recording_frame(const StRecording *recording, int frame, double **position,
                            StError *error);
double st_recording_frame_time(const StRecording *recording, int frame);

// The box in which the run takes place: that of the bodies at rest, moved with the common centre of
// mass. Cheap, and good enough to choose a view or the size of a floor.
void st_recording_bounds(const StRecording *recording, double low[3], double high[3]);

// Number of a body's first vertex among those of all bodies.
int st_recording_first_vertex(const StRecording *recording, int body);
