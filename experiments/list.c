#include "list.h"
const Experiment *const experiments[] = {
    &experiment_block_slide,     &experiment_bowl_grasp,   &experiment_ball_in_box,
    &experiment_tube_cloth_bend, &experiment_ball_squish,  &experiment_tennis_ball,
    &experiment_tennis_drop,     &experiment_tyre_wrinkle, NULL,
};
