// Progress and closing words around st_run.
#include "app/sitting.h"

#include "app/command.h"
#include "app/progress.h"
#include "app/signals.h"
#include "base/text.h"
#include "output/facts.h"
#include "output/run_folder.h"
#include "solve/runtime.h"
#include "step/certificate.h"
#include "step/energy.h"
#include "step/recovery.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Sitting {
  StProgress progress;
  StRunProgress last; // its report is not kept
  long steps;
  bool has_contact;
  StContactRecord contact;
  StEnergyRecord energy;
  StRecoveryRecord recovery;
} Sitting;

static void show_progress(void *context, const StRunProgress *now) {
  Sitting *sitting = context;
  sitting->last = *now;
  sitting->steps = now->report->step;
  sitting->energy = *now->report->energy;
  sitting->recovery = *now->report->recovery;
  sitting->has_contact = now->report->record != NULL;
  if (sitting->has_contact)
    sitting->contact = *now->report->record;
  StMoment moment = {.time = now->time,
                     .duration = now->duration,
                     .h = now->report->h,
                     .newton_iterations = now->report->newton_iterations,
                     .frame = now->frames_written - 1,
                     .frame_count = now->frame_count,
                     .seconds_left = now->seconds_left};
  st_progress_update(&sitting->progress, &moment, now->on_frame);
}

static void print_opening(const StDescription *description, const char *folder) {
  int ranks = st_runtime_size(), tets = 0, triangles = 0;
  for (int i = 0; i < description->body_count; i++) {
    tets += description->body[i].mesh->tet_count;
    triangles += description->body[i].mesh->triangle_count;
  }
  printf("%d vertices, ", st_description_vertex_count(description));
  if (tets > 0)
    printf("%d tets, ", tets);
  if (triangles > 0)
    printf("%d triangles, ", triangles);
  printf("%g s of motion into %s", description->time.duration, folder);
  if (ranks > 1)
    printf(", %d processes", ranks);
  putchar('\n');
  fflush(stdout);
}

static void print_words(const char *words) {
  if (words[0])
    printf("%s\n", words);
}

static void print_closing(const StDescription *description, const Sitting *sitting,
                          const char *folder) {
  char wall[32], words[1024];
  st_duration_text(sitting->last.wall_seconds, wall, sizeof wall);
  printf("Done: %g s of motion, %ld steps and %d frames in %s.\n", sitting->last.time,
         sitting->steps, sitting->last.frames_written, wall);
  if (sitting->has_contact) {
    st_certificate_words(description, &sitting->contact, words, sizeof words);
    print_words(words);
  }
  st_recovery_words(&sitting->recovery, words, sizeof words);
  print_words(words);
  st_energy_words(&sitting->energy, words, sizeof words);
  print_words(words);
  StFacts facts = {0};
  char *path = st_run_folder_file(folder, "run.json");
  if (path && st_facts_read(path, &facts, NULL) == ST_OK)
    printf("Results are in %s. To look at them: stiction view %s (or paraview %s/%s)\n", folder,
           folder, folder, facts.series);
  st_facts_free(&facts);
  free(path);
}

// Words that nobody could be told do not make a run that is written a failed one.
static void forgive_output(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return;
  int reason = errno;
  __fpurge(stdout);
  clearerr(stdout);
  fprintf(stderr, "stiction: warning: standard output could not be written: %s\n",
          strerror(reason));
}

int st_sitting(const StDescription *description, StRunOptions *options, bool quiet) {
  bool speaks = st_command_speaks();
  Sitting sitting = {
      .progress = {.stream = stdout, .style = st_progress_style(stdout, quiet || !speaks)}};
  StLog log = st_progress_log(&sitting.progress);
  options->progress = show_progress;
  options->context = &sitting;
  options->log = speaks ? &log : NULL;
  options->stop = st_signals_listen();
  if (speaks && !quiet)
    print_opening(description, options->folder);
  StError error = {0};
  StStatus status = st_run(description, options, &error);
  st_progress_clear(&sitting.progress);
  if (status != ST_OK)
    return st_command_fail(&error);
  if (speaks && !quiet)
    print_closing(description, &sitting, options->folder);
  forgive_output();
  return ST_EXIT_GOOD;
}
