// `stiction stop`: asks the run that writes a folder to save and end, and waits until it has.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"
#include "output/folder_lock.h"
#include "output/run_folder.h"
#include "replay/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// s between two looks; short beside a step that is worth stopping.
static const double interval = 0.1;

static bool has_ended(const StFolderState *state) {
  return state->state != ST_RECORDING_MISSING && state->state != ST_RECORDING_RUNNING;
}

static StStatus fail_killed(const char *folder, StError *error) {
  return st_fail(error, ST_BAD_INPUT,
                 "%s: no process writes there: the run was killed; continue it from its last "
                 "checkpoint with \"stiction resume %s\"",
                 folder, folder);
}

// Whether there is a run to ask.
static StStatus check(const char *folder, StFolderHolder *holder, StError *error) {
  ST_TRY(st_recording_check_folder(folder, error));
  *holder = st_folder_lock_look(folder);
  if (holder->running)
    return ST_OK;
  StFolderState state = st_folder_state(folder);
  if (has_ended(&state))
    return st_fail(error, ST_BAD_INPUT, "%s: the run has ended already (%s at t = %g s)", folder,
                   st_recording_state_name(state.state), state.time);
  return holder->certain ? fail_killed(folder, error) : ST_OK;
}

// A run that had just been resumed when it was asked may have taken the request for an old one;
// where the lock is seen to be held, asking again costs nothing.
static StStatus wait_for_end(const char *folder, StFolderHolder holder, StError *error) {
  const struct timespec a_while = {.tv_nsec = (long)(interval * 1e9)};
  if (!holder.running) { // as seen from here
    while (st_stop_requested(folder))
      nanosleep(&a_while, NULL);
    return ST_OK;
  }
  while (st_folder_lock_look(folder).running) {
    if (!st_stop_requested(folder))
      ST_TRY(st_stop_request(folder, error));
    nanosleep(&a_while, NULL);
  }
  st_stop_withdraw(folder);
  return ST_OK;
}

static int report_end(const char *folder) {
  StFolderState state = st_folder_state(folder);
  StError error;
  if (!has_ended(&state)) {
    fail_killed(folder, &error);
    error.status = ST_SYSTEM_FAULT;
    return st_command_fail(&error);
  }
  if (state.state == ST_RECORDING_INTERRUPTED)
    printf("%s: stopped at t = %g s; everything is saved; continue with \"%s resume %s\"\n", folder,
           state.time, st_command_program(), folder);
  else
    printf("%s: the run %s at t = %g s before it saw the request\n", folder,
           st_recording_state_name(state.state), state.time);
  return ST_EXIT_GOOD;
}

static int ask(const char *folder, bool leave) {
  StFolderHolder holder;
  StError error;
  if (check(folder, &holder, &error) != ST_OK || st_stop_request(folder, &error) != ST_OK)
    return st_command_fail(&error);
  if (!holder.running)
    fprintf(stderr,
            "stiction: warning: the run began on %s, and whether it still runs cannot be known "
            "here\n",
            holder.host[0] ? holder.host : "another machine");
  printf("%s: asked to stop after the current step%s\n", folder,
         leave ? "" : "; waiting (Ctrl-C ends only the waiting)");
  fflush(stdout);
  if (leave)
    return ST_EXIT_GOOD;
  if (wait_for_end(folder, holder, &error) != ST_OK)
    return st_command_fail(&error);
  return report_end(folder);
}

static int run_stop(int argc, char **argv) {
  const char *folder = NULL;
  bool leave = false;
  const StArgument option[] = {{.name = "no-wait", .flag = &leave}};
  int operands;
  StError error;
  if (st_options_parse(argc, argv, option, ST_LENGTH(option), &folder, 1, &operands, &error) !=
      ST_OK)
    return st_command_misused("stop", "%s", error.text);
  if (operands == 0)
    return st_command_misused("stop", "the folder of a run is needed");
  return st_command_prints() ? ask(folder, leave) : ST_EXIT_GOOD;
}

const StCommand st_command_stop = {
    .name = "stop",
    .summary = "ask a run to save and end, wherever it was started",
    .usage = "Usage: stiction stop DIR [--no-wait]\n"
             "\n"
             "Asks the run that writes into the folder to finish its current step, write a\n"
             "checkpoint and end, with exit code 130, and waits until it has. Works on one\n"
             "process and on several, under every launcher, and from every machine that sees\n"
             "the folder: the request is the file DIR/stop. `stiction resume` continues.\n"
             "\n"
             "Options:\n"
             "  --no-wait    return as soon as the request is made\n"
             "\n"
             "Examples:\n"
             "  stiction stop out/swing\n"
             "  stiction stop out/swing --no-wait\n",
    .run = run_stop,
};
