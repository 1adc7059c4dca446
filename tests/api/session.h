// Shared by tests of the public interface: one session for all tests of a program, scenes from
// text, and comparisons in double precision.
#ifndef TESTS_API_SESSION_H
#define TESTS_API_SESSION_H

#include <stiction/stiction.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// cmocka compares in single precision.
static inline void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.17g is not within %g of %.17g", value, tolerance, wanted);
}

static inline int open_session(void **state) {
  Stiction *session = NULL;
  int status = (int)stiction_open(&session);
  *state = session;
  return status;
}

static inline int close_session(void **state) {
  stiction_close(*state);
  return 0;
}

static inline void must(Stiction *session, StictionStatus status) {
  if (status != STICTION_OK)
    fail_msg("status %d: %s", (int)status, stiction_error(session));
}

static inline void must_fail(Stiction *session, StictionStatus status, StictionStatus wanted,
                             const char *text) {
  assert_int_equal(status, wanted);
  if (!strstr(stiction_error(session), text))
    fail_msg("\"%s\" does not say \"%s\"", stiction_error(session), text);
}

static inline StictionScene *parse_scene(Stiction *session, const char *text) {
  StictionScene *scene = NULL;
  must(session, stiction_scene_parse(session, text, NULL, &scene));
  return scene;
}

static inline StictionSimulation *start(Stiction *session, StictionScene *scene) {
  StictionSimulation *simulation = NULL;
  must(session, stiction_simulation_create(session, scene, &simulation));
  return simulation;
}

// To the end, or `steps` times.
static inline void go_on(Stiction *session, StictionSimulation *simulation, int steps) {
  for (int i = 0; i < steps && !stiction_simulation_finished(simulation); i++)
    must(session, stiction_simulation_step(simulation));
}

static inline void finish(StictionScene *scene, StictionSimulation *simulation) {
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

#endif
