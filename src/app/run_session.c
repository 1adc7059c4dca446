// Progress and final messages around st_run.
#include "app/run_session.h"

#include "app/command.h"
#include "app/progress.h"
#include "app/signals.h"
#include "base/crew.h"
#include "base/memory.h"
#include "mesh/second_order.h"
#include "model/body.h"
#include "output/facts.h"
#include "output/run_folder.h"
#include "solve/runtime.h"
#include "step/energy.h"
#include "step/rigidity.h"
#include "step/recovery.h"
#include "step/verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Session {
  StProgress progress;
  StRunProgress last; // its report is not kept
  long steps;
  bool has_contact;
  StContactRecord contact;
  StEnergyRecord energy;
  StRecoveryRecord recovery;
  StRigidRecord rigidity;
  StJudgeRecord judged;
} Session;

static void show_progress(void *context, const StRunProgress *now) {
  Session *session = context;
  session->last = *now;
  session->steps = now->report->step;
  session->energy = *now->report->energy;
  session->recovery = *now->report->recovery;
  session->rigidity = *now->report->rigidity;
  session->has_contact = now->report->record != NULL;
  if (session->has_contact)
    session->contact = *now->report->record;
  session->judged = *now->report->judged;
  StMoment moment = {.time = now->time,
                     .duration = now->duration,
                     .h = now->report->h,
                     .newton_iterations = now->report->newton_iterations,
                     .frame = now->frames_written - 1,
                     .frame_count = now->frame_count,
                     .seconds_left = now->seconds_left};
  st_progress_update(&session->progress, &moment, now->on_frame);
}

// "0.5 s of motion"; of a static analysis how far along its path of loads.
static void print_extent(const StDescription *description, double time) {
  if (description->statics)
    printf("load parameter 0 to %g", time / description->time.duration);
  else
    printf("%g s of motion", time);
}

static void print_opening(const StDescription *description, const char *folder) {
  int ranks = st_runtime_size(), vertices = 0, tets = 0, triangles = 0;
  bool second_order = false;
  for (int i = 0; i < description->body_count; i++) {
    vertices += st_body_vertex_count(&description->body[i]);
    tets += st_mesh_element_count(description->body[i].mesh);
    second_order |= description->body[i].mesh->second_order;
    triangles += description->body[i].mesh->triangle_count;
  }
  printf("%d vertices, ", vertices);
  if (tets > 0)
    printf("%d tets%s, ", tets, second_order ? " (order 2)" : "");
  if (triangles > 0)
    printf("%d triangles, ", triangles);
  print_extent(description, description->time.duration);
  printf(" into %s", folder);
  int asked = description->solver.threads, threads = asked > 0 ? asked : st_crew_default_size();
  if (ranks > 1)
    printf(", %d processes", ranks);
  if (ranks == 1 ? threads > 1 : asked > 1)
    printf(", %d threads%s", threads, ranks > 1 ? " each" : "");
  putchar('\n');
  fflush(stdout);
}

static void print_words(const char *words) {
  if (words[0])
    printf("%s\n", words);
}

static void print_verdict(const StDescription *description, const Session *session, FILE *stream) {
  char words[ST_VERDICT_SIZE];
  st_verdict_words(description, &session->judged, session->has_contact ? &session->contact : NULL,
                   words, sizeof words);
  fprintf(stream, "%s\n", words);
}

// The independent check's findings, how steps were solved and the energy balance, up to where the
// run got.
static void print_record(const StDescription *description, const Session *session) {
  char words[1024];
  print_verdict(description, session, stdout);
  st_recovery_words(&session->recovery, words, sizeof words);
  print_words(words);
  st_energy_words(&session->energy, words, sizeof words);
  print_words(words);
  st_rigidity_words(description, &session->rigidity, words, sizeof words);
  print_words(words);
}

// All that a quiet run says when it is done; where it fails, the reason is enough.
static void print_warnings(const StDescription *description, const Session *session) {
  char words[2][1024];
  st_energy_words(&session->energy, words[0], sizeof words[0]);
  st_rigidity_words(description, &session->rigidity, words[1], sizeof words[1]);
  for (int i = 0; i < 2; i++)
    if (words[i][0])
      fprintf(stderr, "%s\n", words[i]);
}

// A failed or interrupted run reports on its steps as well.
static void print_stop(const StDescription *description, const Session *session) {
  if (session->steps == 0)
    return;
  if (description->statics)
    printf("Stopped at load parameter %g", session->last.time / description->time.duration);
  else
    printf("Stopped at t = %g s", session->last.time);
  printf(", after %ld steps.\n", session->steps);
  print_record(description, session);
}

static void print_result(const StDescription *description, const Session *session,
                         const char *folder) {
  char wall[32];
  st_duration_text(session->last.wall_seconds, wall, sizeof wall);
  printf("Done: ");
  print_extent(description, session->last.time);
  printf(", %ld steps and %d frames in %s.\n", session->steps, session->last.frames_written, wall);
  print_record(description, session);
  ST_FINALLY(st_facts_free) StFacts facts = {0};
  ST_FREE char *path = st_run_folder_file(folder, "run.json");
  if (path && st_facts_read(path, &facts, NULL) == ST_OK)
    printf("Results are in %s. To look at them: %s view %s (or paraview %s/%s)\n", folder,
           st_command_program(), folder, folder, facts.series);
}

// Failing to print a message does not make a completed run a failed one.
static void forgive_output(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return;
  int reason = errno;
  __fpurge(stdout);
  clearerr(stdout);
  fprintf(stderr, "stiction: warning: standard output could not be written: %s\n",
          strerror(reason));
}

// All ranks exit with the same code: each has the same reports, but only rank 0 shows progress.
static int judge(const StDescription *description, const Session *session, StManner manner) {
  bool found = st_runtime_sum((double)session->judged.found) > 0;
  if (!manner.strict || !found)
    return ST_EXIT_GOOD;
  if (st_command_prints()) {
    fflush(stdout);
    if (manner.quiet)
      print_verdict(description, session, stderr);
    fputs("stiction: --strict: this run fails because of what the judge found\n", stderr);
  }
  return ST_EXIT_FOUND;
}

static int run_description(const StDescription *description, StRunOptions *options,
                           StManner manner) {
  bool prints = st_command_prints(), quiet = manner.quiet;
  Session session = {
      .progress = {.stream = stdout, .style = st_progress_style(stdout, quiet || !prints)}};
  StError error = {0};
  if (manner.strict && description->output.judge == ST_JUDGE_OFF) {
    st_fail(&error, ST_BAD_INPUT,
            "--strict needs the judge, which the scene turns off: set output.judge to \"step\"");
    return st_command_fail(&error);
  }
  StLog log = st_progress_log(&session.progress);
  options->progress = show_progress;
  options->context = &session;
  options->log = prints ? &log : NULL;
  options->stop = st_signals_listen();
  if (prints && !quiet)
    print_opening(description, options->folder);
  StStatus status = st_run(description, options, &error);
  st_progress_clear(&session.progress);
  if (prints && !quiet && status == ST_OK)
    print_result(description, &session, options->folder);
  else if (prints && !quiet)
    print_stop(description, &session);
  else if (prints && status == ST_OK)
    print_warnings(description, &session);
  forgive_output();
  if (status != ST_OK)
    return st_command_fail(&error);
  return judge(description, &session, manner);
}

int st_run_session(const StSceneSource *source, int threads, StRunOptions *options,
                   StManner manner) {
  ST_FINALLY(st_description_destroy_at) StDescription *description = NULL;
  StError error;
  if (st_scene_source_parse(source, &description, &error) != ST_OK)
    return st_command_fail(&error);
  if (threads > 0)
    description->solver.threads = threads;
  // The text as it was parsed: the run's folder gets the same bytes.
  options->scene_path = source->path;
  options->scene_text = source->text;
  options->scene_size = source->size;
  return run_description(description, options, manner);
}
