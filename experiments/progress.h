// Where an experiment stands, on a terminal or in a log: a bar redrawn in place, or a line now and
// then.
#ifndef EXPERIMENTS_PROGRESS_H
#define EXPERIMENTS_PROGRESS_H

#include "lab.h"

typedef enum ProgressStyle {
  PROGRESS_QUIET, // nothing but warnings
  PROGRESS_LINES,
  PROGRESS_BAR,
} ProgressStyle;

// Starts with a style, all else zero.
typedef struct Progress {
  ProgressStyle style;
  bool utf8;       // the bar may have block characters
  double drawn_at; // wall clock at the last output; 0: none yet
  bool bar_shown;  // a bar stands on the current line
  bool running;    // a case has run
  double began_at; // wall clock when the first one did
  int skipped;     // cases done before that
} Progress;

Progress progress_begin(bool quiet); // as standard output is a terminal or not
void progress_update(Progress *progress, const Moment *moment);
void progress_message(Progress *progress, int level, const char *text);
void progress_clear(Progress *progress); // takes the bar away

#endif
