// Cases with a known answer, run by the program on itself: `stiction verify` prints them. A case
// builds small worlds, runs them and hands in rows; the runner judges and passes them on.
#pragma once

#include "stiction/stiction.h"

#include "verify/world.h"

#define ST_VERIFY_GRAVITY 9.81

typedef enum StVerifyVerdict {
  ST_VERIFY_PASS,
  ST_VERIFY_FAIL,
  ST_VERIFY_REPORTED, // no claim is made: shown beside those that count
} StVerifyVerdict;

typedef struct StVerifyRow {
  const char *case_name;
  const char *method; // of contact, "primitives" or "smooth"; "": the case is not about contact
  const char *stick;  // how friction holds, "anchored" or "velocity"; "": nothing has_friction
  char what[96];      // "be, h = 0.1 s, cold: distance"
  const char *unit;   // "" for a pure number
  double expected;    // NAN where only a bound is known
  double computed;    // NAN: there is no number, see note
  double error;       // relative to expected; where that is NAN, computed itself
  double allowed;     // of the error; NAN where nothing is claimed
  char note[512];     // why there is no number; else empty
  StVerifyVerdict verdict;
} StVerifyRow;

typedef struct StVerifySettings {
  StContactMethod method; // set by the runner: see `both` below
  StStick stick;          // the same: see `has_friction`
  StFrictionMode friction;
  int friction_iterations; // of lagged friction
  bool full;               // fine meshes too
  const char *plots;       // folder for SVG files, NULL: none
} StVerifySettings;

typedef struct StVerify {
  StVerifySettings settings;
  Stiction *session; // for cases that stand on the public interface
  void (*take)(void *context, const StVerifyRow *row); // called as soon as a row is known
  void *context;
  const char *case_name; // of the case that runs
  const char *method;    // of its rows …
  const char *stick;     // … the same
  int passed, failed, reported;
} StVerify;

typedef struct StVerifyCase {
  const char *name;
  const char *summary; // one sentence: the simulation and the expected result
  bool both; // run by primitives and then by smooth surfaces, for all that touches or has_friction
  bool has_friction; // each of these with friction that holds by anchors, then by velocity
  bool full_only;
  StStatus (*run)(StVerify *verify, StError *error);
} StVerifyCase;

StTouch st_verify_touch(const StVerifySettings *settings); // how things touch by them

extern const StVerifyCase *const st_verify_cases[]; // NULL-terminated
const StVerifyCase *st_verify_find(const char *name);

// Runs one case. A step that could not be solved is a row that fails; other trouble comes back.
StStatus st_verify_run(StVerify *verify, const StVerifyCase *one, StError *error);

// |computed/expected - 1| must not exceed `allowed`; NAN allowed: reported only.
void st_verify_compare(StVerify *verify, const char *unit, double expected, double computed,
                       double allowed, const char *what, ...) __attribute__((format(printf, 6, 7)));

// computed must not exceed `allowed` (in its unit).
void st_verify_bound(StVerify *verify, const char *unit, double computed, double allowed,
                     const char *what, ...) __attribute__((format(printf, 5, 6)));
