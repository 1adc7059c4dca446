// A run that has taken place, read back from its folder: every step's figures by name, what it
// cost, and the shapes of its frames. Experiments measure on this, so that a case that was run
// before and one that has just been run are the same to them.
#ifndef ST_REPLAY_RECORDING_H
#define ST_REPLAY_RECORDING_H

#include "model/description.h"

typedef enum StRecordingState {
  ST_RECORDING_MISSING, // there is none: the case was left out
  ST_RECORDING_FINISHED,
  ST_RECORDING_FAILED, // a step could not be solved; what came before is there
} StRecordingState;

// What a run took, as the paper's tables count it.
typedef struct StCost {
  long vertices, tets, triangles;
  long steps, frames;       // committed, and written beside the initial one
  double wall;              // s, over all sittings
  double seconds_per_frame; // NAN before the first frame
  double memory;            // GB, most that was held at a time, by all processes
  int ranks;                // processes
  double newton_per_step, linear_per_step;
} StCost;

typedef struct StRecording {
  StRecordingState state;
  char *folder; // of the run
  char *reason; // of a failure, else NULL
  StDescription *description;
  StCost cost;
  long rows; // committed steps, the initial state first
  int column_count;
  char **name;   // [column_count] headings of history.csv without units
  double *value; // [column_count][rows]
} StRecording;

// Takes the description on success. A folder without a history is no recording: ST_BAD_INPUT.
StStatus st_recording_open(const char *folder, StDescription *description, StRecording *recording,
                           StError *error);
void st_recording_close(StRecording *recording); // of a missing one too

// [rows] "time", "centre_of_mass_z", "volume(ball)", "normal(pad|bowl)"; NULL: there is no such
// column, or nothing was recorded.
const double *st_recording_column(const StRecording *recording, const char *name);

// Of the last step; NAN where there is no such column.
double st_recording_last(const StRecording *recording, const char *name);

// Positions of all vertices in frame 0, 1 …; [vertices][3], free() them.
StStatus st_recording_frame(const StRecording *recording, int frame, double **position,
                            StError *error);
double st_recording_frame_time(const StRecording *recording, int frame);

// The centre of mass of one body (of even density) at these positions.
void st_recording_centre(const StRecording *recording, int body, const double *position,
                         double centre[3]);

// The first vertex of a body among those of all bodies.
int st_recording_first_vertex(const StRecording *recording, int body);

#endif
