// The list of shapes, and what they share.
#include "mesh/shape_parts.h"

#include <string.h>

static const double most_elements = 50e6;

const StShapeType *const st_shape_types[] = {
    &st_shape_box,      &st_shape_sphere,  &st_shape_hollow_ball,
    &st_shape_cylinder, &st_shape_capsule, &st_shape_tube,
    &st_shape_torus,    &st_shape_sheet,   NULL,
};

const StShapeType *st_shape_find(const char *name) {
  for (int i = 0; st_shape_types[i]; i++)
    if (strcmp(st_shape_types[i]->name, name) == 0)
      return st_shape_types[i];
  return NULL;
}

static bool in_range(const StParam *param, double value) {
  if (!isfinite(value) || value < param->min || value > param->max)
    return false;
  return !(param->min_open && value == param->min) && !(param->max_open && value == param->max);
}

StStatus st_shape_check(const StShapeType *type, const double *value, StError *error) {
  for (int i = 0; i < type->param_count; i++) {
    const StParam *param = &type->param[i];
    bool whole = param->kind == ST_REAL || value[i] == floor(value[i]);
    if (whole && in_range(param, value[i]))
      continue;
    const char *unit = param->kind == ST_REAL ? " m" : "";
    return st_fail(error, ST_BAD_INPUT, "%s: %s is %g%s; it must be %s%s %g%s", type->name,
                   param->name, value[i], unit,
                   param->kind == ST_REAL ? "finite and " : "whole and ",
                   param->min_open ? "more than" : "at least", param->min, unit);
  }
  return ST_OK;
}

double st_shape_cells(double given, double length, double edge, int least) {
  double wanted = given > 0 ? given : length / edge;
  return fmax(1, round(wanted / least)) * least;
}

StStatus st_shape_check_size(const StShapeType *type, StShapeFill fill, double quads, double rim,
                             double layers, StError *error) {
  bool solid = fill == ST_SHAPE_SOLID;
  double elements = solid ? 6 * quads * layers : 4 * quads + 2 * rim * layers;
  if (elements <= most_elements && layers <= most_elements)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: this would be about %.3g %s; at most %.0f million are made: choose a larger "
                 "edge or fewer cells",
                 type->name, elements, solid ? "tets" : "triangles", most_elements / 1e6);
}
