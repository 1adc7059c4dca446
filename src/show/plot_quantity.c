// The list of quantities, and the search for their columns.
#include "show/plot_quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS(...) ((const char *const[]){__VA_ARGS__, NULL})

const StPlotQuantity st_plot_quantities[] = {
    {"energy", "energy", .column = COLUMNS("*_energy"), .usual = true},
    {"height", "height of the centre of mass", .column = COLUMNS("centre_of_mass_z"),
     .usual = true},
    {"position", "centre of mass", .column = COLUMNS("centre_of_mass_*")},
    {"heights", "heights of bodies", .column = COLUMNS("centre_z(*)")},
    {"speeds", "vertical speeds of bodies", .column = COLUMNS("velocity_z(*)")},
    {"centres", "centres of bodies", .column = COLUMNS("centre_?(*)")},
    {"velocities", "velocities of bodies", .column = COLUMNS("velocity_?(*)")},
    {"kinetic", "kinetic energy of bodies", .column = COLUMNS("kinetic(*)")},
    {"elastic", "elastic energy of bodies", .column = COLUMNS("elastic(*)")},
    {"probes", "places of probes", .column = COLUMNS("x(*)", "y(*)", "z(*)"), .usual = true},
    {"distances", "distances", .column = COLUMNS("distance(*)"), .usual = true},
    {"momentum", "momentum", .column = COLUMNS("momentum_*")},
    {"angular_momentum", "angular momentum", .column = COLUMNS("angular_momentum_*")},
    {"volume", "volume", .column = COLUMNS("volume(*)"), .usual = true},
    {"pressure", "absolute pressure", .column = COLUMNS("pressure(*)"), .usual = true},
    {"pressure_volume", "absolute pressure", .column = COLUMNS("pressure(*)"),
     .against = "volume(*)", .usual = true},
    {"angle", "angle", .column = COLUMNS("angle(*)"), .usual = true},
    {"speed", "speed", .column = COLUMNS("speed(*)")},
    {"torque", "torque", .column = COLUMNS("torque(*)")},
    {"contact", "normal force", .column = COLUMNS("normal(*)")},
    {"friction", "friction and normal force", .column = COLUMNS("contact_*_force"), .usual = true},
    {"reactions", "reactions of boundaries and obstacles", .column = COLUMNS("reaction_?(*)")},
    {"touching", "vertices in contact", .column = COLUMNS("touching", "sticking")},
    {"gap", "deepest gap", .column = COLUMNS("deepest_gap"), .usual = true},
    {"findings", "findings of the judge",
     .column = COLUMNS("crossings", "self_crossings", "obstacle_crossings", "vertices_inside",
                       "inverted_tets", "passages")},
    {"newton", "Newton iterations", .column = COLUMNS("newton_iterations"), .usual = true},
    {"linear", "linear iterations", .column = COLUMNS("linear_iterations"), .usual = true},
    {"retries", "attempts that were repeated", .column = COLUMNS("retries", "contact_repeats")},
    {"residual", "residual", .column = COLUMNS("residual"), .logarithmic = true},
    {"step", "step size", .column = COLUMNS("h")},
    {"seconds", "wall time of a step", .column = COLUMNS("seconds")},
    {0},
};

static bool fits(const char *pattern, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!name[i] || (pattern[i] != '?' && pattern[i] != name[i]))
      return false;
  return true;
}

bool st_plot_match(const char *pattern, const char *name, int *begin, int *length) {
  const char *star = strchr(pattern, '*');
  size_t size = strlen(name), before = star ? (size_t)(star - pattern) : strlen(pattern);
  size_t after = star ? strlen(star + 1) : 0;
  const char *letter = strchr(pattern, '?');
  *begin = !star && letter ? (int)(letter - pattern) : 0;
  *length = !star && letter ? 1 : (int)size;
  if (!star)
    return size == before && fits(pattern, name, size);
  if (size <= before + after || !fits(pattern, name, before) ||
      !fits(star + 1, name + size - after, after))
    return false;
  *begin = (int)before;
  *length = (int)(size - before - after);
  return true;
}

bool st_plot_is_nonzero(const StRecording *run, int column) {
  const double *value = run->value + column * run->rows;
  for (long row = 0; row < run->rows; row++)
    if (isfinite(value[row]) && value[row] != 0)
      return true;
  return false;
}

// Whole names are needed if several patterns match, or one with more than one star.
static bool needs_whole_names(const StPlotQuantity *quantity) {
  int stars = 0;
  for (int p = 0; quantity->column[p]; p++)
    stars +=
        (strchr(quantity->column[p], '*') != NULL) + (strchr(quantity->column[p], '?') != NULL);
  return stars > 1;
}

// The column for the other axis; false: none.
static bool find_against(const StRecording *run, const StPlotQuantity *quantity, const char *name,
                         int *column) {
  char wanted[256];
  *column = -1;
  if (!quantity->against)
    return true;
  const char *star = strchr(quantity->against, '*');
  snprintf(wanted, sizeof wanted, "%.*s%s%s", (int)(star - quantity->against), quantity->against,
           name, star + 1);
  *column = st_recording_column_index(run, wanted);
  return *column >= 0;
}

static void add_column(const StRecording *run, const StPlotQuantity *quantity, int c, int begin,
                       int length, int most, StPlotColumns *columns) {
  char name[ST_PLOT_NAME];
  int against;
  if (needs_whole_names(quantity))
    begin = 0, length = (int)strlen(run->name[c]);
  snprintf(name, sizeof name, "%.*s", length, run->name[c] + begin);
  if (!find_against(run, quantity, name, &against))
    return;
  if (columns->count == most) {
    columns->left_out++;
    return;
  }
  memcpy(columns->legend[columns->count], name, sizeof name);
  columns->against[columns->count] = against;
  columns->column[columns->count++] = c;
}

void st_plot_find(const StRecording *run, const StPlotQuantity *quantity, bool also_zero, int most,
                  StPlotColumns *columns) {
  *columns = (StPlotColumns){0};
  for (int p = 0; quantity->column[p]; p++)
    for (int c = 0; c < run->column_count; c++) {
      int begin, length;
      if (st_plot_match(quantity->column[p], run->name[c], &begin, &length) &&
          (also_zero || st_plot_is_nonzero(run, c)))
        add_column(run, quantity, c, begin, length, most, columns);
    }
  if (columns->count == 0 && !also_zero)
    st_plot_find(run, quantity, true, most, columns);
}
