// Forward sensitivities: the derivatives of a running simulation's state by a few numbers of its
// scene, which follow every step that is committed (docs/gradients.md).
//
// A step is a map from the state it begins with, and from the scene, to the state it ends with. In
// between velocities solve r = 0, so that with the Jacobian S = ∂r/∂v their derivative follows from
// S δv = −δr, where δr is the derivative of r along the change of the state and of the scene at
// fixed velocities. Derivatives along this direction are difference quotients of fourth order,
// between variants of the simulation that follow its step (gradient/variant.h): they have all that
// the step has, and the contacts of their own state. State and scene are moved together, since
// derivatives along either alone need not exist: an anchor that is as stiff as its contact stays so
// when both change. That δv fits is checked by the same quotient with it, and improved until it
// does.
#pragma once

#include "step/simulation.h"

typedef struct StSensitivity StSensitivity;

// Describes the scene with another value of one of the numbers.
typedef struct StSceneMaker {
  // Of this number and that much beside its value; st_description_destroy it.
  StStatus (*describe)(void *context, int index, double beside, StDescription **description,
                       StError *error);
  void *context;
} StSceneMaker;

typedef struct StSensitivityReport {
  long steps;             // that were followed
  long cut;               // of them, were shorter than the scene's: sizes are fixed as they were
  long stiffness_changes; // factors of contact stiffness that changed from step to step, likewise
  long anchors_lost;      // of friction, whose derivatives were lost because a variant set another
  bool settled;           // bodies were moved apart at the start: how far is fixed, likewise
  double error;           // largest part of the velocities' derivatives that a check found missing
} StSensitivityReport;

// From its start on: the simulation has taken no step. It must not outlive what is given here.
// ST_BAD_INPUT: something in the scene is not covered; the text says what.
// size: [count] of each number, in its unit.
StStatus st_sensitivity_create(StSimulation *simulation, StSceneMaker maker, const double *size,
                               int count, StSensitivity **sensitivity, StError *error);
void st_sensitivity_destroy(StSensitivity *sensitivity); // NULL is fine

// Whether the simulation still has the state that the derivatives belong to.
bool st_sensitivity_is_current(const StSensitivity *sensitivity);

// Derivatives of positions and velocities by one of the numbers, [vertex_count][3] as the scene
// numbers vertices.
StStatus st_sensitivity_read(const StSensitivity *sensitivity, int index, double *position,
                             double *velocity, StError *error);

StSensitivityReport st_sensitivity_report(const StSensitivity *sensitivity);
