// A block on a slope: the world of most friction cases. Gravity is tilted instead of the floor, so
// that x is downhill, z the normal, and the floor is z = 0.
#pragma once

#include "verify/stop.h"
#include "verify/trial.h"
#include "verify/verify.h"

// Velocities are solved to this share of the sticking speed; what is settled is slower than that
// one, found in long steps.
#define ST_BLOCK_TOLERANCE 1e-4
#define ST_BLOCK_REST 0.1
#define ST_BLOCK_SETTLING_STEP 0.05 // s

typedef struct StBlock {
  double size[3]; // m; it stands half of δ above the floor with one corner over the origin
  int cells[3];   // 0: one
  StWorldMaterial material;
  bool rigid, slab;                 // the block; on a rigid slab that is held, not on the floor
  double slope;                     // rad
  double friction, static_friction; // coefficients; 0 static: as dynamic
  double sticking_speed;            // ε
  double stribeck_speed;            // 0: 10 ε
  double thickness;                 // δ
  StTouch touch;
  const char *integrator;
  double step, duration;
} StBlock;

// A metre of stiff material with the friction the settings ask for: the start of most cases.
StBlock st_block_default(const StVerifySettings *settings);

double st_block_mass(const StBlock *block);

// κ that carries the weight at half the thickness if the floor bore it evenly.
StContactDesc st_block_contact(const StBlock *block);

// How fast the floor's force changes with the gap where it carries the weight, 1/m: its slope over
// itself, at half the thickness.
double st_block_press_slope(const StBlock *block);

// How far an anchor under it can be stretched; 0 where friction holds by velocity.
double st_block_yield(const StBlock *block);

// Body 0 is the block, obstacle 0 the floor or body 1 the slab.
StWorld st_block_world(const StBlock *block);

// The block in equilibrium on its slope: at rest, held by friction that lets nothing slip (v = 0),
// or sliding at v.
StStatus st_block_settle(const StBlock *block, double v, StSnapshot *rest, StError *error);

// The settled block, or (cold) one at gap δ where contact has not begun, with velocity v along x.
StStatus st_block_launch(const StBlock *block, double v, bool cold, StTrial *trial, StError *error);

// Runs a launched block until it has stopped (slower than ε) or the time is over.
StStatus st_block_stop(const StBlock *block, StTrial *trial, StStop *stop, StError *error);

// How far from the right place it may then be, m, and from the right time, s, when friction slows
// it down by `deceleration`; NAN: not known. drop: how far it sinks on the way.
double st_block_stop_error(const StBlock *block, double deceleration, double drop);
double st_block_time_error(const StBlock *block, double deceleration);
