// The order in which `stiction experiment list` names them.
#include "list.h"

#include <stddef.h>

const Experiment *const experiments[] = {
    &experiment_friction_curves, &experiment_volume_energy, &experiment_block_slide,
    &experiment_bowl_grasp,      &experiment_ball_in_box,   &experiment_tube_cloth_bend,
    &experiment_ball_squish,     &experiment_tennis_ball,   &experiment_tennis_drop,
    &experiment_tyre_wrinkle,    &experiment_point_contact, NULL,
};
