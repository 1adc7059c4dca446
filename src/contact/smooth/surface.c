// Surfaces: their triangles, their radius, the sorting of samples into cells, and the search.
#include "contact/smooth/surface_internal.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

StSurfaceOptions st_surface_defaults(double thickness) {
  return (StSurfaceOptions){ST_KERNEL_SMOOTH, 2, 0.1, thickness, false};
}

static StStatus check_options(const StSurfaceOptions *options, StError *error) {
  if (!(options->radius_multiplier >= 1 && options->radius_multiplier <= 100))
    return st_fail(error, ST_BAD_INPUT, "radius_multiplier is %g; it must lie between 1 and 100",
                   options->radius_multiplier);
  if (options->kernel == ST_KERNEL_SMOOTH && !(options->smoothing > 0))
    return st_fail(error, ST_BAD_INPUT, "smoothing is %g; it must be positive", options->smoothing);
  if (!(options->thickness > 0 && isfinite(options->thickness)))
    return st_fail(error, ST_BAD_INPUT, "thickness is %g; it must be positive", options->thickness);
  return ST_OK;
}

// Numbers the vertices used by triangles, in the order of the caller's numbers.
static StStatus number_vertices(StSurface *surface, const int *triangle, StError *error) {
  int corners = 3 * surface->triangle_count, most = -1;
  for (int i = 0; i < corners; i++) {
    ST_CHECK(triangle[i] >= 0, error);
    most = triangle[i] > most ? triangle[i] : most;
  }
  ST_FREE int *number = ST_NEW(int, most + 1);
  ST_TRY_MEMORY(number, error);
  for (int i = 0; i < corners; i++)
    number[triangle[i]] = 1;
  for (int v = 0; v <= most; v++)
    surface->vertex_count += number[v];
  surface->vertex = ST_OWN(surface, int, surface->vertex_count);
  ST_TRY_MEMORY(surface->vertex, error);
  for (int v = 0, count = 0; v <= most; v++)
    if (number[v]) {
      surface->vertex[count] = v;
      number[v] = count++;
    }
  for (int i = 0; i < corners; i++)
    surface->corner[i] = number[triangle[i]];
  return ST_OK;
}

static StStatus allocate(StSurface *surface, StError *error) {
  size_t count = (size_t)surface->triangle_count;
  surface->corner = ST_OWN(surface, int, 3 * count);
  surface->cell = ST_OWN(surface, int, count);
  surface->sample = ST_OWN(surface, double, 6 * count);
  surface->path = ST_OWN(surface, double, 6 * count);
  for (int j = 0; j < 3; j++) {
    surface->centroid[j] = ST_OWN(surface, double, count);
    surface->normal[j] = ST_OWN(surface, double, count);
  }
  bool complete =
      st_owner_is_whole(surface) && ST_GROW(surface->grid.item, surface->grid.item_capacity, count);
  return complete ? ST_OK : st_fail_memory(error);
}

static const double *corner_at(const StSurface *surface, const double *position, int triangle,
                               int corner) {
  return position + 3 * (size_t)surface->vertex[surface->corner[3 * triangle + corner]];
}

static double largest_reach(const int *triangle, int count, const double *position) {
  double most = 0;
  for (int t = 0; t < count; t++) {
    const double *x[3];
    for (int v = 0; v < 3; v++)
      x[v] = position + 3 * (size_t)triangle[3 * (size_t)t + (size_t)v];
    for (int v = 0; v < 3; v++) {
      double from[3];
      for (int j = 0; j < 3; j++)
        from[j] = x[v][j] - (x[0][j] + x[1][j] + x[2][j]) / 3;
      most = fmax(most, vec3_dot(from, from));
    }
  }
  return sqrt(most);
}

double st_surface_grown_radius(const int *triangle, int triangle_count, const double *position,
                               const StSurfaceOptions *options, double radius) {
  return fmax(radius, largest_reach(triangle, triangle_count, position) + 2 * options->thickness);
}

double st_surface_rest_radius(const int *triangle, int triangle_count, const double *rest,
                              const StSurfaceOptions *options) {
  double radius = options->radius_multiplier * largest_reach(triangle, triangle_count, rest);
  return st_surface_grown_radius(triangle, triangle_count, rest, options, radius);
}

StStatus st_surface_create(const int *triangle, int triangle_count, const double *rest,
                           const StSurfaceOptions *options, StSurface **surface, StError *error) {
  *surface = NULL;
  ST_CHECK(triangle_count > 0, error);
  ST_TRY(check_options(options, error));
  StSurface *made = ST_OWNER(StSurface);
  ST_TRY_MEMORY(made, error);
  made->options = *options;
  made->triangle_count = triangle_count;
  StStatus status = allocate(made, error);
  if (status == ST_OK)
    status = number_vertices(made, triangle, error);
  if (status == ST_OK && options->two_sided)
    status = st_surface_link(made, error);
  if (status != ST_OK) {
    st_surface_destroy(made);
    return status;
  }
  made->radius = st_surface_rest_radius(triangle, triangle_count, rest, options);
  *surface = made;
  return ST_OK;
}

void st_surface_destroy(StSurface *surface) {
  if (!surface)
    return;
  st_grid_free(&surface->grid);
  st_grid_free(&surface->path_grid);
  st_owner_free(surface);
}

double st_surface_radius(const StSurface *surface) {
  return surface->radius;
}

void st_surface_set_radius(StSurface *surface, double radius) {
  surface->radius = radius;
}

static void place_sample(const StSurface *surface, const double *position, int t,
                         double sample[6]) {
  const double *a = corner_at(surface, position, t, 0), *b = corner_at(surface, position, t, 1),
               *c = corner_at(surface, position, t, 2);
  double e1[3], e2[3], *normal = sample + 3;
  vec3_sub(b, a, e1);
  vec3_sub(c, a, e2);
  vec3_cross(e1, e2, normal);
  double length = vec3_length(normal), inverse = length > 0 ? 1 / length : 0;
  for (int j = 0; j < 3; j++) {
    sample[j] = (a[j] + b[j] + c[j]) / 3;
    normal[j] *= inverse;
  }
}

static StStatus place_samples(StSurface *surface, const double *position, StError *error) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double wrong = 0; // stays 0 while all is finite
  for (int t = 0; t < surface->triangle_count; t++) {
    double *sample = surface->sample + 6 * (size_t)t;
    place_sample(surface, position, t, sample);
    for (int j = 0; j < 3; j++) {
      low[j] = sample[j] < low[j] ? sample[j] : low[j];
      high[j] = sample[j] > high[j] ? sample[j] : high[j];
      wrong += sample[j] - sample[j];
    }
  }
  memcpy(surface->low, low, sizeof low);
  memcpy(surface->high, high, sizeof high);
  if (wrong != 0)
    return st_fail(error, ST_NOT_SOLVED, "a vertex of a contact surface has no finite position");
  return ST_OK;
}

static void sort_samples(StSurface *surface) {
  StGrid *grid = &surface->grid;
  for (int t = 0; t < surface->triangle_count; t++) {
    surface->cell[t] = st_grid_cell(grid, surface->sample + 6 * (size_t)t);
    grid->start[surface->cell[t]]++;
  }
  st_grid_sum(grid);
  for (int t = 0; t < surface->triangle_count; t++) {
    const double *sample = surface->sample + 6 * (size_t)t;
    int place = grid->start[surface->cell[t]]++;
    grid->item[place] = t;
    for (int j = 0; j < 3; j++) {
      surface->centroid[j][place] = sample[j];
      surface->normal[j][place] = sample[3 + j];
    }
  }
  st_grid_rewind(grid);
}

StStatus st_surface_update(StSurface *surface, const double *position, StError *error) {
  ST_TRY(place_samples(surface, position, error));
  ST_TRY(st_grid_lay(&surface->grid, surface->low, surface->high, surface->radius,
                     (size_t)surface->triangle_count, error));
  sort_samples(surface);
  return ST_OK;
}
