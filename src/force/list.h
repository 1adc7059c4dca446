// Every force and every material law by name. To add one: declare it here, name it in list.c.
#pragma once

#include "force/force.h"
#include "force/material.h"

extern const StForceType st_force_solid;
extern const StForceType st_force_membrane;
extern const StForceType st_force_bending;
extern const StForceType st_force_damping;
extern const StForceType st_force_gravity;
extern const StForceType st_force_contact;
extern const StForceType st_force_friction;
extern const StForceType st_force_volume;
extern const StForceType st_force_bearing;
extern const StForceType st_force_load;
extern const StForceType st_force_joint;
extern const StForceType st_force_drive;
extern const StForceType st_force_drag;
extern const StForceType st_force_rigid;

extern const StMaterialLaw st_law_neo_hookean;
extern const StMaterialLaw st_law_stable_neo_hookean;
extern const StMaterialLaw st_law_stvk;
extern const StMaterialLaw st_law_linear;
extern const StMaterialLaw st_law_mooney_rivlin;
