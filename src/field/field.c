// The table of fields, and those that need no more than a loop.
// Tested by tests/field/test_field.c.
#include "field/field.h"

#include "base/memory.h"
#include "field/element.h"
#include "field/nodal.h"
#include "field/traction.h"
#include "math/eigen.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

double st_von_mises(const double stress[6]) {
  double a = stress[0] - stress[1], b = stress[1] - stress[2], c = stress[2] - stress[0];
  double shear = stress[3] * stress[3] + stress[4] * stress[4] + stress[5] * stress[5];
  return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

static StStatus displacement(const StFieldState *state, double *value, StError *error) {
  (void)error;
  const double *position = state->position;
  for (int b = 0; b < state->description->body_count; b++) {
    const StMesh *mesh = state->description->body[b].mesh;
    for (int i = 0; i < 3 * mesh->vertex_count; i++)
      *value++ = *position++ - mesh->position[i];
  }
  return ST_OK;
}

static StStatus shear_magnitude(const StFieldState *state, double *value, StError *error) {
  int count = st_description_vertex_count(state->description);
  ST_FREE double *shear = ST_NEW(double, 3 * (size_t)count);
  ST_TRY_MEMORY(shear, error);
  ST_TRY(st_contact_shear(state, shear, error));
  for (int v = 0; v < count; v++)
    value[v] = vec3_length(shear + 3 * (size_t)v);
  return ST_OK;
}

// Means over an element by volume.
static StElementPoint mean_of(const StElement *element) {
  StElementPoint mean = {0};
  for (int p = 0; p < element->point_count; p++)
    mean.volume += element->point[p].volume;
  for (int p = 0; p < element->point_count; p++) {
    const StElementPoint *point = &element->point[p];
    double share = element->point_count == 1 ? 1 : point->volume / mean.volume;
    mean.energy += share * point->energy;
    for (int i = 0; i < 6; i++) {
      mean.strain[i] += share * point->strain[i];
      mean.stress[i] += share * point->stress[i];
    }
  }
  return mean;
}

static void put_stress(void *context, int cell, const StElement *element) {
  StElementPoint mean = mean_of(element);
  memcpy((double *)context + 6 * (size_t)cell, mean.stress, sizeof mean.stress);
}

static void put_strain(void *context, int cell, const StElement *element) {
  StElementPoint mean = mean_of(element);
  memcpy((double *)context + 6 * (size_t)cell, mean.strain, sizeof mean.strain);
}

void st_principal_values(const double tensor[6], double value[3]) {
  const double *t = tensor, matrix[9] = {t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2]};
  double vector[9];
  mat3_eigen(matrix, value, vector);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2 - i; k++)
      if (value[k] < value[k + 1]) {
        double larger = value[k + 1];
        value[k + 1] = value[k];
        value[k] = larger;
      }
}

static void put_principal(void *context, int cell, const StElement *element) {
  StElementPoint mean = mean_of(element);
  st_principal_values(mean.stress, (double *)context + 3 * (size_t)cell);
}

static void put_von_mises(void *context, int cell, const StElement *element) {
  ((double *)context)[cell] = st_von_mises(mean_of(element).stress);
}

static void put_energy(void *context, int cell, const StElement *element) {
  ((double *)context)[cell] = mean_of(element).energy;
}

static StStatus stress(const StFieldState *state, double *value, StError *error) {
  return st_elements_visit(state, put_stress, value, error);
}

static StStatus strain(const StFieldState *state, double *value, StError *error) {
  return st_elements_visit(state, put_strain, value, error);
}

static StStatus principal_stress(const StFieldState *state, double *value, StError *error) {
  return st_elements_visit(state, put_principal, value, error);
}

static StStatus von_mises(const StFieldState *state, double *value, StError *error) {
  return st_elements_visit(state, put_von_mises, value, error);
}

static StStatus energy_density(const StFieldState *state, double *value, StError *error) {
  return st_elements_visit(state, put_energy, value, error);
}

const StFieldType st_field_types[ST_FIELD_TYPES] = {
    {
        .name = "displacement",
        .unit = "m",
        .summary = "From where the vertex is at rest.",
        .components = 3,
        .compute = displacement,
    },
    {
        .name = "contact_pressure",
        .unit = "Pa",
        .summary = "Normal contact force over the area that it acts on.",
        .components = 1,
        .of_contact = true,
        .compute = st_contact_pressure,
    },
    {
        .name = "contact_shear",
        .unit = "Pa",
        .summary = "Friction over the area that contact acts on.",
        .components = 3,
        .of_contact = true,
        .compute = st_contact_shear,
    },
    {
        .name = "contact_shear_magnitude",
        .unit = "Pa",
        .summary = "The size of contact_shear.",
        .components = 1,
        .of_contact = true,
        .compute = shear_magnitude,
    },
    {
        .name = "nodal_stress",
        .unit = "Pa",
        .summary = "Cauchy stress at vertices, recovered from the elements around each.",
        .components = 6,
        .of_stress = true,
        .compute = st_nodal_stress,
    },
    {
        .name = "stress",
        .unit = "Pa",
        .summary = "Cauchy stress, of shells that of their membrane.",
        .components = 6,
        .of_cells = true,
        .of_stress = true,
        .compute = stress,
    },
    {
        .name = "strain",
        .unit = "",
        .summary = "Green–Lagrange strain, of cloth and shells that of their membrane.",
        .components = 6,
        .of_cells = true,
        .compute = strain,
    },
    {
        .name = "principal_stress",
        .unit = "Pa",
        .summary = "Principal values of the stress, the largest first.",
        .components = 3,
        .of_cells = true,
        .of_stress = true,
        .compute = principal_stress,
    },
    {
        .name = "von_mises",
        .unit = "Pa",
        .summary = "Equivalent stress after von Mises.",
        .components = 1,
        .of_cells = true,
        .of_stress = true,
        .compute = von_mises,
    },
    {
        .name = "energy_density",
        .unit = "J/m^3",
        .summary = "Elastic energy per volume at rest, without that of bending.",
        .components = 1,
        .of_cells = true,
        .compute = energy_density,
    },
};

const StFieldType *st_field_find(const char *name) {
  for (int i = 0; i < ST_FIELD_TYPES; i++)
    if (strcmp(st_field_types[i].name, name) == 0)
      return &st_field_types[i];
  return NULL;
}

int st_field_cell_count(const StDescription *description) {
  int count = 0;
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    count += st_mesh_element_count(mesh) + mesh->triangle_count;
  }
  return count;
}

StStatus st_field_compute(const StFieldType *type, const StFieldState *state, double **value,
                          StError *error) {
  size_t items = type->of_cells ? (size_t)st_field_cell_count(state->description)
                                : (size_t)st_description_vertex_count(state->description);
  double *made = ST_NEW(double, items *(size_t)type->components);
  ST_TRY_MEMORY(made, error);
  StStatus status = type->compute(state, made, error);
  if (status == ST_OK)
    *value = made;
  else
    free(made);
  return status;
}

static double *repeat(const double *value, size_t width, int times, double *to) {
  for (int i = 0; i < times; i++, to += width)
    memcpy(to, value, width * sizeof(double));
  return to;
}

StStatus st_field_give_to_parts(const StDescription *description, int components, double **value,
                                StError *error) {
  size_t parts = 0, width = (size_t)components;
  for (int b = 0; b < description->body_count; b++)
    parts += (size_t)description->body[b].mesh->tet_count +
             (size_t)description->body[b].mesh->triangle_count;
  double *all = ST_NEW(double, parts *width), *from = *value, *to = all;
  ST_TRY_MEMORY(all, error);
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    for (int e = 0; e < st_mesh_element_count(mesh); e++, from += width)
      to = repeat(from, width, st_mesh_part_count(mesh), to);
  }
  memcpy(to, from, (size_t)(all + parts * width - to) * sizeof(double));
  free(*value);
  *value = all;
  return ST_OK;
}
