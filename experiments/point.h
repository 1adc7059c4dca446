// A mass point on an elastic support in the plane, pressed onto a belt that slides along under it:
// the smallest system in which friction can make contact unstable. docs/experiments.md derives it.
// Here: its linearised motion in closed form, and the same point as a scene, a tip with a support
// as a force of its own, which the library steps.
#ifndef EXPERIMENTS_POINT_H
#define EXPERIMENTS_POINT_H

#include "lab.h"

#include <complex.h>

typedef struct Point {
  double mass;              // kg
  double support[2][2];     // N/m, symmetric: along the belt, across it
  double damping;           // N s/m, of the support, in all directions alike
  double contact_stiffness; // N/m, where it rests
  double friction;          // coefficient
} Point;

// A support whose stiff direction is turned from the belt's by an angle.
void point_support(Point *point, double stiff, double soft, double angle);

// Eigenvalues λ of the linearised motion e^{λt}: two, and their conjugates or second roots.
void point_eigenvalues(const Point *point, double complex root[4]);

// Largest real part, 1/s: positive where small disturbances grow.
double point_growth(const Point *point);

// Coefficient of friction from which on the undamped point flutters; INFINITY: never.
double point_threshold(const Point *point);

// The integrators in the order of the tables.
typedef struct PointMethod {
  const char *name;
  bool two_steps; // looks back on two states
  bool rings;     // does not damp what is stiff
} PointMethod;

enum { POINT_METHODS = 6 };
extern const PointMethod point_methods[POINT_METHODS];

// The point under one integrator. Close it before the session.
typedef struct PointScene {
  Stiction *session;
  Point point;
  const PointMethod *method;
  double height; // m, of the tip above the belt where it rests
  StictionScene *scene;
  StictionSimulation *simulation;
  bool mixed; // a step since the start was not taken by the method alone, and in one piece
} PointScene;

StictionStatus point_open(Stiction *session, const Point *point, const PointMethod *method,
                          PointScene *scene);
void point_close(PointScene *scene);

// Displacement from rest along and across the belt, and velocity.
typedef struct PointState {
  double q[2], v[2];
} PointState;

// From rest displaced by *state, and one step of size h on from the last; hω from 0.002 to 1000, ω
// being the frequency of the support along the belt.
StictionStatus point_start(PointScene *scene, const PointState *state);
StictionStatus point_step(PointScene *scene, double h, PointState *state);

// By what factor one step multiplies small disturbances in the long run: the spectral radius of its
// matrix, found column by column from steps of the scene. NAN: a step was taken in another way.
StictionStatus point_amplification(PointScene *scene, double h, double *factor);

#endif
