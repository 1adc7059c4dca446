// The order in which `stiction experiment list` names them.
#include "experiment/list.h"

#include <stddef.h>

const StExperiment *const st_experiments[] = {
    &st_experiment_friction_curves, &st_experiment_volume_energy, &st_experiment_block_slide,
    &st_experiment_bowl_grasp,      &st_experiment_ball_in_box,   &st_experiment_tube_cloth_bend,
    &st_experiment_ball_squish,     &st_experiment_tennis_ball,   &st_experiment_tennis_drop,
    &st_experiment_tyre_wrinkle,    &st_experiment_point_contact, NULL,
};
