// Every case by name. To add one: declare it here, name it in list.c.
#pragma once

#include "verify/verify.h"

extern const StVerifyCase st_verify_block_slide;
extern const StVerifyCase st_verify_slope;
extern const StVerifyCase st_verify_stopping;
extern const StVerifyCase st_verify_weight;
extern const StVerifyCase st_verify_curve;
extern const StVerifyCase st_verify_stick_slip;
extern const StVerifyCase st_verify_rolling;
extern const StVerifyCase st_verify_hertz;
extern const StVerifyCase st_verify_rigid_turns;
extern const StVerifyCase st_verify_rigid_block;
extern const StVerifyCase st_verify_momentum;
extern const StVerifyCase st_verify_scale;
extern const StVerifyCase st_verify_roll;
extern const StVerifyCase st_verify_plate;
extern const StVerifyCase st_verify_balloon;
extern const StVerifyCase st_verify_gas;
extern const StVerifyCase st_verify_coupling;
extern const StVerifyCase st_verify_bearing;
extern const StVerifyCase st_verify_volume_energy;
extern const StVerifyCase st_verify_hang;
extern const StVerifyCase st_verify_drape;
extern const StVerifyCase st_verify_dress;
extern const StVerifyCase st_verify_drag;
