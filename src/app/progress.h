// Progress of a run: a bar redrawn in place on a terminal, plain lines elsewhere. The library does
// not know about it; commands pass it the reports they get.
#pragma once

#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// One moment of a run.
typedef struct StMoment {
  double time, duration; // s, simulated
  double h;              // s, the last step
  int newton_iterations; // in the last step
  int frame, frame_count;
  double seconds_left; // wall time; NAN: unknown
} StMoment;

typedef enum StProgressStyle {
  ST_PROGRESS_QUIET, // nothing but warnings and errors
  ST_PROGRESS_PLAIN, // a line every few seconds
  ST_PROGRESS_ASCII, // a bar of #
  ST_PROGRESS_UTF8,  // a bar of block characters, eight times finer
} StProgressStyle;

// Starts as {stream, style}.
typedef struct StProgress {
  FILE *stream;
  StProgressStyle style;
  double drawn_at; // wall clock at the last output; 0: none yet
  bool bar_shown;  // the current line shows a bar
} StProgress;

// The style for a stream: a terminal or not, UTF-8 or not.
StProgressStyle st_progress_style(FILE *stream, bool quiet);

// Call after every step; limits how often it draws.
void st_progress_update(StProgress *progress, const StMoment *moment, bool on_frame);

// Erases the bar and leaves the line empty: before any other text on the same terminal.
void st_progress_clear(StProgress *progress);

// A log for the library that does not garble the bar; context is the progress.
StLog st_progress_log(StProgress *progress);

// The text of a bar at most width columns wide (without newline). Fields that do not fit are left
// out, least important first. Returns its width in columns.
int st_progress_bar(const StMoment *moment, StProgressStyle style, int width, char *text,
                    size_t size);

// The text of a plain line.
void st_progress_line(const StMoment *moment, char *text, size_t size);

// "42 s", "3 min 20 s", "2 h 5 min"
void st_duration_text(double seconds, char *text, size_t size);

// "10 ms", "2.5 s", "50 us": a simulated time with a fitting unit.
void st_step_text(double seconds, char *text, size_t size);
