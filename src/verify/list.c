// The order in which `stiction verify` runs.
#include "verify/list.h"

#include <stddef.h>

const StVerifyCase *const st_verify_cases[] = {
    &st_verify_block_slide,   &st_verify_slope,       &st_verify_stopping,    &st_verify_weight,
    &st_verify_curve,         &st_verify_stick_slip,  &st_verify_rolling,     &st_verify_momentum,
    &st_verify_scale,         &st_verify_roll,        &st_verify_plate,       &st_verify_balloon,
    &st_verify_volume_energy, &st_verify_gas,         &st_verify_coupling,    &st_verify_bearing,
    &st_verify_drag,          &st_verify_hang,        &st_verify_drape,       &st_verify_dress,
    &st_verify_hertz,         &st_verify_rigid_turns, &st_verify_rigid_block, NULL,
};
