// How stiff and heavy materials and bodies are, solids and shells alike: the basis of defaults.
#include "scene/parts.h"

#include "force/material.h"
#include "force/shell_material.h"
#include "model/body.h"
#include "model/rigid.h"
#include "scene/tunables.h"

// From Lamé's constants at rest, which for a shell are those of plane stress, in N/m.
static StElasticity elasticity_of_shell(const StShellStiffness *stiffness) {
  double lambda = stiffness->lambda, mu = stiffness->mu;
  return (StElasticity){.young = 4 * mu * (lambda + mu) / (lambda + 2 * mu),
                        .modulus = lambda + 2 * mu,
                        .poisson = lambda / (lambda + 2 * mu)};
}

// For any law: λ and μ are entries of its tangent, ∂P11/∂F22 and ∂P12/∂F12.
static StElasticity elasticity_of_solid(const StMaterialLaw *law, const double *constants) {
  static const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double tangent[81];
  law->tangent(constants, rest, tangent);
  double lambda = tangent[4], mu = tangent[10];
  return (StElasticity){.young = mu * (3 * lambda + 2 * mu) / (lambda + mu),
                        .modulus = law->modulus(constants),
                        .poisson = lambda / (2 * (lambda + mu))};
}

StElasticity st_scene_elasticity(const StMaterialDesc *material) {
  if (material->shell) {
    StShellStiffness stiffness = {0};
    st_shell_law_find(material->law.name)->prepare(material->law.value, &stiffness);
    return elasticity_of_shell(&stiffness);
  }
  const StMaterialLaw *law = st_material_law_find(material->law.name);
  double constants[ST_LAW_CONSTANTS] = {0};
  law->prepare(material->law.value, constants);
  return elasticity_of_solid(law, constants);
}

static void add_material(const StMaterialDesc *material, StBodyMakeup *makeup) {
  double young = st_scene_elasticity(material).young;
  if (material->shell) {
    makeup->area_density = fmax(makeup->area_density, material->density);
    makeup->tension = fmax(makeup->tension, young);
  } else {
    makeup->density = fmax(makeup->density, material->density);
    makeup->young = fmax(makeup->young, young);
  }
}

void st_scene_body_makeup(const StDescription *description, const StBodyDesc *body,
                          StBodyMakeup *makeup) {
  *makeup = (StBodyMakeup){0};
  if (body->rigid) {
    makeup->density = body->rigid_mass / st_rigid_volume(body);
    makeup->young = st_scene_tunables.tie_rigid * st_rigid_stiffness(description, body);
    return;
  }
  if (body->mesh->tet_count > 0)
    add_material(&description->material[body->material], makeup);
  if (st_body_shell_count(body) > 0)
    add_material(&description->material[body->shell], makeup);
  for (int i = 0; i < body->label_material_count; i++)
    add_material(&description->material[body->label_material[i].material], makeup);
}

double st_scene_stiffest(const StDescription *description, const int *vertex, int count,
                         double radius) {
  double stiffest = 0;
  const StBodyDesc *last = NULL;
  for (int i = 0; i < count; i++) {
    const StBodyDesc *body = st_scene_vertex(description, vertex[i]).body;
    StBodyMakeup makeup;
    if (body == last)
      continue;
    st_scene_body_makeup(description, body, &makeup);
    stiffest = fmax(stiffest, fmax(makeup.tension, makeup.young * radius));
    last = body;
  }
  return stiffest;
}
