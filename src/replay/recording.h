// A run that has taken place, read back from its folder: every step's figures by name, what it
// cost, and the shapes of its frames. Experiments measure on this, so that a case that was run
// before and one that has just been run are the same to them; pictures, plots and exports are made
// of it too, also while the run goes on.
#ifndef ST_REPLAY_RECORDING_H
#define ST_REPLAY_RECORDING_H

#include "base/log.h"
#include "model/description.h"

typedef enum StRecordingState {
  ST_RECORDING_MISSING, // there is none: the case was left out
  ST_RECORDING_FINISHED,
  ST_RECORDING_FAILED,      // a step could not be solved; what came before is there
  ST_RECORDING_INTERRUPTED, // stopped on request; "stiction resume" goes on
  ST_RECORDING_RUNNING,     // under way, or killed: there is what was written so far
} StRecordingState;

// What a run took, as the paper's tables count it.
typedef struct StCost {
  long vertices, tets, triangles;
  long steps, frames;         // committed, and written beside the initial one
  double wall;                // s, over all sessions
  double seconds_per_frame;   // NAN before the first frame
  double processor_per_frame; // the same in processor time, of all processes together
  double memory;              // GB, most that was held at a time, by all processes
  int ranks;                  // processes
  double newton_per_step, linear_per_step;
} StCost;

typedef struct StRecording {
  StRecordingState state;
  char *folder;      // of the run
  char *name_of_run; // of its scene, without path and ending: "swing"
  char *reason;      // of a failure or an interruption, else NULL
  StDescription *description;
  StCost cost;
  long rows; // committed steps, the initial state first
  int column_count;
  char **name;        // [column_count] headings of history.csv without units
  char **unit;        // [column_count] "m/s"; "" for a pure number
  double *value;      // [column_count][rows]
  int frame_count;    // written so far, in a row from 0 on
  double *frame_time; // [frame_count] s
} StRecording;

// A run by nothing but its folder, whose scene is read again: finished, failed, interrupted or
// still under way. What is no folder of a run is ST_BAD_INPUT with a text that says so.
StStatus st_recording_load(const char *folder, const StLog *log, StRecording *recording,
                           StError *error);

// Reads again what a run that is under way adds to: state, history, list of frames. The
// description stays. On failure the recording stays as it was.
StStatus st_recording_refresh(StRecording *recording, StError *error);

// For those who have the scene at hand. Takes the description on success. A folder without a
// history is no recording: ST_BAD_INPUT.
StStatus st_recording_open(const char *folder, StDescription *description, StRecording *recording,
                           StError *error);
void st_recording_close(StRecording *recording); // of a missing one too

// [rows] "time", "centre_of_mass_z", "volume(ball)", "normal(pad|bowl)"; NULL: there is no such
// column, or nothing was recorded.
const double *st_recording_column(const StRecording *recording, const char *name);

int st_recording_column_index(const StRecording *recording, const char *name); // -1: none

// Of the last step; NAN where there is no such column.
double st_recording_last(const StRecording *recording, const char *name);

// Positions of all vertices in frame 0, 1 …; [vertices][3], free() them.
StStatus st_recording_frame(const StRecording *recording, int frame, double **position,
                            StError *error);
double st_recording_frame_time(const StRecording *recording, int frame);

// The box in which the run takes place: that of the bodies at rest, carried along with the centre
// of mass of all. Cheap, and good enough to choose a view or the size of a floor.
void st_recording_bounds(const StRecording *recording, double low[3], double high[3]);

// The centre of mass of one body (of even density) at these positions.
void st_recording_centre(const StRecording *recording, int body, const double *position,
                         double centre[3]);

// The first vertex of a body among those of all bodies.
int st_recording_first_vertex(const StRecording *recording, int body);

#endif
