// The list of shapes, and what they share.
#include "mesh/shape_parts.h"

#include <stdio.h>
#include <string.h>

static const double most_elements = 50e6;

// A beam 20 times as long as thick takes 2500 with five through it.
static const double bending_most = 4000;

const StShapeType *const st_shape_types[] = {
    &st_shape_box,         &st_shape_sphere,
    &st_shape_hollow_ball, &st_shape_cylinder,
    &st_shape_capsule,     &st_shape_tube,
    &st_shape_torus,       &st_shape_sheet,
    &st_shape_pillow,      &st_shape_sleeve,
    &st_shape_tyre,        &st_shape_bowl,
    &st_shape_hollow_box,  NULL,
};

const StShapeType *st_shape_find(const char *name) {
  for (int i = 0; st_shape_types[i]; i++)
    if (strcmp(st_shape_types[i]->name, name) == 0)
      return st_shape_types[i];
  return NULL;
}

static StStatus fail_range(const StShapeType *type, const StParam *param, double value,
                           StError *error) {
  bool real = param->kind == ST_REAL;
  const char *unit = real ? " m" : "";
  char most[40] = "";
  if (isfinite(param->max))
    snprintf(most, sizeof most, " and at most %g%s", param->max, unit);
  return st_fail(error, ST_BAD_INPUT, "%s: %s is %g%s; it must be %s and %s %g%s%s", type->name,
                 param->name, value, unit, real ? "finite" : "whole",
                 param->min_open ? "more than" : "at least", param->min, unit, most);
}

StStatus st_shape_check(const StShapeType *type, const double *value, StError *error) {
  for (int i = 0; i < type->param_count; i++) {
    const StParam *param = &type->param[i];
    bool whole = param->kind == ST_REAL || value[i] == floor(value[i]);
    if (!whole || !isfinite(value[i]) || !st_param_allows(param, value[i]))
      return fail_range(type, param, value[i], error);
  }
  return ST_OK;
}

double st_shape_edge(double radius) {
  return radius / 5;
}

double st_shape_bending_edge(double usual, double bending, double volume) {
  return fmin(usual, fmax(bending, cbrt(volume / bending_most)));
}

double st_shape_cells(double given, double length, double edge, int least, int step) {
  double wanted = given > 0 ? given : length / edge;
  return fmax(least, round(wanted / step) * step);
}

double st_shape_quarter_cells(double given, double length, double edge) {
  return st_shape_cells(given, length, edge, 2, given > 0 ? 1 : 2);
}

double st_shape_circle_cells(double given, double length, double edge) {
  return st_shape_cells(given, length, edge, 6, given > 0 ? 2 : 4);
}

double st_shape_other_edge(double edge_asked, double length, double cells) {
  return edge_asked > 0 ? fmin(edge_asked, length / cells) : length / cells;
}

// The middle of a facet of the angle 2a is R (1 − cos a) away. Even, for the mirror symmetry of
// st_shape_quarter_cells.
static double facet_cells(double part, int quarters) {
  double facet = 2 * acos(1 - part);
  return 2 * ceil(quarters * M_PI / 2 / facet / 2);
}

void st_shape_refine_round(const StShapeType *type, double part, double *value) {
  const StShapeRound *round = &type->round;
  if (round->cells == 0 || value[round->edge] > 0 || value[round->cells] > 0)
    return;
  value[round->cells] = facet_cells(part, round->quarters);
  if (round->along > 0 && !(value[round->along] > 0))
    value[round->along] =
        st_shape_cells(0, value[round->length], st_shape_edge(value[round->radius]), 1, 1);
}

StStatus st_shape_check_size(const StShapeType *type, StShapeFill fill, double cells, double quads,
                             StError *error) {
  bool solid = fill == ST_SHAPE_SOLID;
  double elements = solid ? 5 * cells : 2 * quads;
  if (elements <= most_elements)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: this would be about %.3g %s; at most %.0f million are made: choose a larger "
                 "edge or fewer cells",
                 type->name, elements, solid ? "tets" : "triangles", most_elements / 1e6);
}
