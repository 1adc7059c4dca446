// summary.json: what a run was, how far it got and what it cost. Kept up to date while it runs.
#pragma once

#include "model/description.h"
#include "output/zone_course.h"
#include "step/record.h"

typedef struct StSummary {
  const StDescription *description;
  const char *state;         // "running", "finished", "interrupted", "failed"
  const char *reason;        // why interrupted or failed, NULL otherwise
  const StReport *report;    // of the last committed step
  const StZoneCourse *zones; // NULL: the scene has no volumes
  long total_newton, total_linear, total_retries;
  double wall_seconds;      // over all sessions
  double processor_seconds; // the same, of all ranks together
  int ranks;
  int threads; // of each rank
  int frames_written, frame_count;
  long peak_memory;   // bytes, of all ranks together, in this session
  double sent;        // bytes of vertex data sent between ranks, in this session
  const char *series; // file name of the list of frames
} StSummary;

StStatus st_summary_write(const char *path, const StSummary *summary, StError *error);
