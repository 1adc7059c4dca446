// A tennis ball, written out for scenes, pumped up before it flies, and what is measured on a
// bounce. It flies down onto a level face, which is a wall where there is no gravity.
#ifndef ST_EXPERIMENT_TENNIS_H
#define ST_EXPERIMENT_TENNIS_H

#include "experiment/lab.h"

typedef struct StTennisBall {
  double radius, rubber, felt; // m: outside, thickness of the layers
  int cells, layers;           // along a quarter circle, through the rubber; the felt has one
  double poisson;              // of the rubber
  double damping;              // s, by stiffness, of the felt
  bool pressurised;            // 2 atm inside instead of 1
  bool gas;                    // ideal_gas, else quadratic
  double compressibility;      // of the quadratic model, 1/atm
} StTennisBall;

// Parameters that experiments with this ball have in common, for their lists.
#define ST_TENNIS_PARAM(key, text, ...)                                                            \
  { .name = key, .doc = text, __VA_ARGS__ }
#define ST_TENNIS_PARAMS                                                                           \
  ST_TENNIS_PARAM("cells", "Cells along a quarter of the circumference of the ball.",              \
                  .kind = ST_INTEGER, .fallback = 6, .min = 2, .max = 1000),                       \
      ST_TENNIS_PARAM("layers", "Cells through the rubber; the felt has one.", .kind = ST_INTEGER, \
                      .fallback = 1, .min = 1, .max = 100),                                        \
      ST_TENNIS_PARAM("rubber", "Thickness of the rubber.", .dimension = {.m = 1},                 \
                      .fallback = 5.4e-3, .max = 0.02, .min_open = true),                          \
      ST_TENNIS_PARAM("felt", "Thickness of the felt.", .dimension = {.m = 1}, .fallback = 0.9e-3, \
                      .max = 0.01, .min_open = true),                                              \
      ST_TENNIS_PARAM("damping", "Rayleigh damping of the felt by stiffness.",                     \
                      .dimension = {.s = 1}, .fallback = 7e-4, .max = 1)

StTennisBall st_tennis_ball(const StLab *lab, bool pressurised); // filled with gas

// Materials, solver, the body above the face at z = 0 with that speed downwards, the air in it, and
// where it starts from: `inflated`, a case of st_tennis_inflate, or NULL for a ball as it was made.
void st_tennis_ball_write(const StTennisBall *ball, double speed, const char *inflated,
                          StText *scene);

// The ball at rest with its pressure, as a case that others start from. starter: the only one that
// does, without which it is left out; NULL: there are several.
StStatus st_tennis_inflate(StLab *lab, const StTennisBall *ball, const char *name,
                           const char *starter, StError *error);

typedef struct StBounce {
  double mass;         // kg
  double contact_time; // s, first to last touch
  double approach;     // m, how far the centre of mass goes on after the first touch
  double speed;        // m/s, of the centre of mass away from the face; NAN: it touches still
  double least_volume; // inside, of that at first
  double pressure;     // Pa, the greatest inside
  double force;        // N, the greatest on the face
  double leaves;       // s, the last touch
} StBounce;

// face: name of the obstacle; speed: at which the ball comes. All NAN when there is no recording.
StBounce st_bounce_measure(const StRecording *recording, const char *face, double speed);

// A figure of a bounce that is over; NAN: why it is not.
void st_bounce_cell(StResultTable *table, StRecordingState state, double value);

#endif
