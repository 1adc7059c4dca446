// Every experiment by name. To add one: declare it here, name it in list.c.
#ifndef ST_EXPERIMENT_LIST_H
#define ST_EXPERIMENT_LIST_H

#include "experiment/experiment.h"

extern const StExperiment st_experiment_friction_curves;
extern const StExperiment st_experiment_volume_energy;
extern const StExperiment st_experiment_block_slide;
extern const StExperiment st_experiment_bowl_grasp;
extern const StExperiment st_experiment_ball_in_box;
extern const StExperiment st_experiment_tube_cloth_bend;
extern const StExperiment st_experiment_ball_squish;
extern const StExperiment st_experiment_tennis_ball;
extern const StExperiment st_experiment_tennis_drop;
extern const StExperiment st_experiment_tyre_wrinkle;
extern const StExperiment st_experiment_point_contact;

#endif
