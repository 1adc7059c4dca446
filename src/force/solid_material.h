// The laws of all solids' materials of a description, with their constants, ready for element
// loops.
#pragma once

#include "force/material.h"
#include "model/description.h"

typedef struct StSolidMaterial {
  const StMaterialLaw *law;
  double k[ST_LAW_CONSTANTS];
} StSolidMaterial;

// material: [description->material_count], zeros for those of shells; free() it.
StStatus st_solid_materials_create(const StDescription *description, StSolidMaterial **material,
                                   StError *error);

// Cauchy stress at a deformation gradient, xx yy zz xy yz zx, Pa. Laws of small strain report their
// own stress, which does not distinguish rest and current shape.
void st_solid_material_cauchy(const StSolidMaterial *material, const double F[9], double stress[6]);
