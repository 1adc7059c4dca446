// Every experiment by name. To add one: declare it here, name it in list.c.
#ifndef EXPERIMENTS_LIST_H
#define EXPERIMENTS_LIST_H

#include "experiment.h"

extern const Experiment experiment_friction_curves;
extern const Experiment experiment_volume_energy;
extern const Experiment experiment_block_slide;
extern const Experiment experiment_bowl_grasp;
extern const Experiment experiment_ball_in_box;
extern const Experiment experiment_tube_cloth_bend;
extern const Experiment experiment_ball_squish;
extern const Experiment experiment_tennis_ball;
extern const Experiment experiment_tennis_drop;
extern const Experiment experiment_tyre_wrinkle;
extern const Experiment experiment_point_contact;

#endif
