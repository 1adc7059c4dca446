// A mass point on an elastic support in the plane, pressed onto a belt that slides along under it:
// the smallest system in which friction can make contact unstable. docs/experiments.md derives it.
// Here: its forces, whole and linearised, one step of any integrator, and how much a step
// amplifies.
#ifndef ST_EXPERIMENT_POINT_H
#define ST_EXPERIMENT_POINT_H

#include "contact/friction.h"
#include "step/integrator.h"

#include <complex.h>

typedef struct StPointContact {
  double mass;              // kg
  double support[2][2];     // N/m, symmetric: along the belt, across it
  double damping;           // N s/m, of the support, in all directions alike
  double contact_stiffness; // k_c, N/m, where it rests
  double normal_force;      // N, where it rests
  double belt_speed;        // m/s, along x
  StFrictionLaw friction;
} StPointContact;

// A support whose stiff direction is turned from the belt's by an angle.
void st_point_support(StPointContact *point, double stiff, double soft, double angle);

// Forces at displacement q from rest and velocity v: [0] of the support, [1] of contact and
// friction; and their derivatives, row by row.
typedef struct StPointForce {
  double force[2][2];
  double by_position[2][2][2], by_velocity[2][2][2];
} StPointForce;

typedef void StPointLaw(const StPointContact *point, const double q[2], const double v[2],
                        StPointForce *force);

StPointLaw st_point_whole;  // cubic penalty and smoothed friction, as in simulations
StPointLaw st_point_linear; // about steady sliding: friction is μ times the normal force

// Positions and velocities, now and one step before.
typedef struct StPointState {
  double q[2], v[2], q_before[2], v_before[2];
} StPointState;

// One step of constant size. False: Newton did not get there.
bool st_point_step(const StPointContact *point, StPointLaw *law, const StIntegrator *integrator,
                   double h, StPointState *state);

// Eigenvalues λ of the linearised motion e^{λt}: two, and their conjugates or second roots.
void st_point_eigenvalues(const StPointContact *point, double complex root[4]);

// Largest real part, 1/s: positive where small disturbances grow.
double st_point_growth(const StPointContact *point);

// Coefficient of friction from which on the undamped point flutters; INFINITY: never.
double st_point_threshold(const StPointContact *point);

// By what factor one step multiplies small disturbances in the long run: the spectral radius of its
// matrix.
double st_point_amplification(const StPointContact *point, const StIntegrator *integrator,
                              double h);

#endif
