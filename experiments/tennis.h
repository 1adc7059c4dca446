// A tennis ball, written out for scenes, pumped up before it flies, and what is measured on a
// bounce. It flies down onto a level face, which is a wall where there is no gravity.
#ifndef EXPERIMENTS_TENNIS_H
#define EXPERIMENTS_TENNIS_H

#include "lab.h"

typedef struct TennisBall {
  double radius, rubber, felt; // m: outside, thickness of the layers
  int cells, layers;           // along a quarter circle, through the rubber; the felt has one
  double poisson;              // of the rubber
  double damping;              // s, by stiffness, of the felt
  bool pressurised;            // 2 atm inside instead of 1
  bool gas;                    // ideal_gas, else quadratic
  double compressibility;      // of the quadratic model, 1/atm
} TennisBall;

// Parameters that experiments with this ball have in common, for their lists.
#define TENNIS_PARAM(key, text, ...)                                                               \
  { .name = key, .doc = text, __VA_ARGS__ }
#define TENNIS_PARAMS                                                                              \
  TENNIS_PARAM("cells", "Cells along a quarter of the circumference of the ball.",                 \
               .kind = INTEGER, .fallback = 6, .min = 2, .max = 1000),                             \
      TENNIS_PARAM("layers", "Cells through the rubber; the felt has one.", .kind = INTEGER,       \
                   .fallback = 1, .min = 1, .max = 100),                                           \
      TENNIS_PARAM("rubber", "Thickness of the rubber.", .unit = "m", .fallback = 5.4e-3,          \
                   .max = 0.02, .min_open = true),                                                 \
      TENNIS_PARAM("felt", "Thickness of the felt.", .unit = "m", .fallback = 0.9e-3, .max = 0.01, \
                   .min_open = true),                                                              \
      TENNIS_PARAM("damping", "Rayleigh damping of the felt by stiffness.", .unit = "s",           \
                   .fallback = 7e-4, .max = 1)

TennisBall tennis_ball(const Lab *lab, bool pressurised); // filled with gas

// Materials, solver, the body above the face at z = 0 with that speed downwards, the air in it, and
// where it starts from: `inflated`, a case of tennis_inflate, or NULL for a ball as it was made.
void tennis_ball_add(const TennisBall *ball, double speed, const char *inflated,
                     StictionBuild *scene);

// The ball at rest with its pressure, as a case that others start from. starter: the only one that
// does, without which it is left out; NULL: there are several.
StictionStatus tennis_inflate(Lab *lab, const TennisBall *ball, const char *name,
                              const char *starter);

typedef struct Bounce {
  double mass;         // kg
  double contact_time; // s, first to last touch
  double approach;     // m, how far the centre of mass goes on after the first touch
  double speed;        // m/s, of the centre of mass away from the face; NAN: it touches still
  double least_volume; // inside, of that at first
  double pressure;     // Pa, the greatest inside
  double force;        // N, the greatest on the face
  double leaves;       // s, the last touch
} Bounce;

// face: name of the obstacle; speed: at which the ball comes. All NAN when there is no recording.
Bounce bounce_measure(const Recording *recording, const char *face, double speed);

// A figure of a bounce that is over; NAN: why it is not.
void bounce_cell(Table *table, StictionRunState state, double value);

#endif
