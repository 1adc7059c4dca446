// Impulses between rigid bodies that strike each other, by generalised reflections: all contacts
// that close at present are solved for the impulses that stop them, which are then given 1 + e
// times; contacts that close thereafter follow, until none does. So momentum passes through a row
// of balls one after the other. No energy is gained: of what the closing motion has, 1 − e² is lost
// (docs/physics.md). No lists of bodies, no ranks, no time.
#pragma once

#include <stdbool.h>

typedef struct StStruckBody {
  double inverse_mass;         // 1/kg; 0: it goes its own way whatever strikes it
  double inverse_inertia[9];   // about its centre
  double centre[3];            // m
  double velocity[3], spin[3]; // m/s, of the centre, and rad/s
} StStruckBody;

typedef struct StStrike {
  int side[2];        // bodies; the normal leads from the second to the first
  double normal[3];   // of unit length
  double point[3];    // m, where impulses act on both
  double restitution; // e
  double friction;    // μ
  double stored;      // J, what contact keeps of the energy that closed
  double slow;        // m/s: contacts that close more slowly do not rebound
  double impulse[3];  // N s, on the first: the result
  // Scratch:
  double closing, share, normal_impulse, tangent[2][3], tangent_impulse[2];
} StStrike;

// Closing velocity of two bodies at a contact: below 0 where they approach.
double st_strike_speed(const StStruckBody *body, const StStrike *strike);

// Adds impulses until nothing approaches any more by more than `tolerance`, m/s. Changes velocities
// and spins, and the impulses of strikes, which it adds to.
void st_reflection_solve(StStruckBody *body, StStrike *strike, int count, double tolerance);
