// Runs read back from their folders: how a run ended, what it cost, every column of its history and
// the shapes of its frames. For finished runs, and for those that are still under way or were
// interrupted, which have what was written so far. Every process that opens a recording reads the
// files itself.
#ifndef STICTION_RECORDING_H
#define STICTION_RECORDING_H

#include <stiction/stiction.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StictionRecording StictionRecording;

typedef enum StictionRunState {
  STICTION_RUN_FINISHED = 1,
  STICTION_RUN_FAILED = 2,      // a step could not be solved; what came before is there
  STICTION_RUN_INTERRUPTED = 3, // stopped on request; it can be resumed
  STICTION_RUN_UNDER_WAY = 4,   // still running, or killed
} StictionRunState;

// folder: of a run, as stiction_scene_run or `stiction run` has made it. On failure *recording is
// NULL.
STICTION_API StictionStatus stiction_recording_open(Stiction *session, const char *folder,
                                                    StictionRecording **recording);
STICTION_API void stiction_recording_free(StictionRecording *recording); // NULL is fine

// What follows is valid until the recording is freed, and as it was when it was opened.

STICTION_API StictionRunState stiction_recording_state(const StictionRecording *recording);
STICTION_API const char *
stiction_recording_reason(const StictionRecording *recording); // why it
                                                               // failed or was interrupted; ""

// A number of summary.json by its key: "steps", "newton_iterations", "processor_s",
// "peak_memory_bytes" …; NaN: there is none.
STICTION_API double stiction_recording_number(const StictionRecording *recording, const char *key);

// The history: a row for the initial state and one for each step. Columns have the names of
// history.csv without units: "time", "centre_of_mass_z", "volume(air)", "normal(ball|wall)".
STICTION_API long stiction_recording_row_count(const StictionRecording *recording);
STICTION_API int stiction_recording_column_count(const StictionRecording *recording);
STICTION_API const char *stiction_recording_column_name(const StictionRecording *recording,
                                                        int index); // NULL: no such index
STICTION_API const char *stiction_recording_column_unit(const StictionRecording *recording,
                                                        int index); // "": none

// [rows] NULL: there is no such column.
STICTION_API const double *stiction_recording_column(const StictionRecording *recording,
                                                     const char *name);

// Frames count from 0, the initial state.
STICTION_API int stiction_recording_frame_count(const StictionRecording *recording);
STICTION_API double stiction_recording_frame_time(const StictionRecording *recording,
                                                  int frame); // s
STICTION_API int stiction_recording_vertex_count(const StictionRecording *recording);

// Reads the positions of all vertices, [vertices][3] m.
STICTION_API StictionStatus stiction_recording_frame(Stiction *session,
                                                     const StictionRecording *recording, int frame,
                                                     double *position);

// A field of a frame: those of stiction_field_type, by the materials of the scene, and those that
// the frame holds, such as "velocity" and "force_contact" (without a summary; integers as numbers).
// The first call reads the scene again, which stays with the recording. The array and the name stay
// until the next call for this recording.
STICTION_API StictionStatus stiction_recording_field(Stiction *session,
                                                     StictionRecording *recording, int frame,
                                                     const char *name, StictionField *field);

#ifdef __cplusplus
}
#endif

#endif
