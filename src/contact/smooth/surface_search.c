// Searches the samples near a point, and builds the stencil of their vertices.
#include "contact/smooth/surface_internal.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

StStatus st_surface_scratch_create(StSurfaceScratch **scratch, StError *error) {
  *scratch = ST_NEW(StSurfaceScratch, 1);
  return *scratch ? ST_OK : st_fail_memory(error);
}

static void free_samples(const StSurfaceScratch *scratch) {
  free(scratch->sample);
  free(scratch->corner);
  free(scratch->stencil);
  free(scratch->work);
  free(scratch->seen);
  free(scratch->moved);
}

void st_surface_scratch_destroy(StSurfaceScratch *scratch) {
  if (!scratch)
    return;
  free(scratch->mark);
  free_samples(scratch);
  st_surface_walks_free(scratch);
  free(scratch);
}

// A scratch serves surfaces of any size; marks of another surface's search are older and thus
// ignored.
static bool reserve_vertices(StSurfaceScratch *scratch, int count) {
  size_t needed = (size_t)count;
  if (needed <= scratch->vertex_capacity)
    return true;
  uint64_t *mark = ST_NEW(uint64_t, needed);
  if (!mark)
    return false;
  free(scratch->mark);
  scratch->mark = mark;
  scratch->vertex_capacity = needed;
  return true;
}

// Takes the memory of another scratch for so many samples.
static void take_samples(StSurfaceScratch *scratch, const StSurfaceScratch *more, size_t capacity) {
  size_t vertices = 3 * capacity + 2;
  scratch->sample = more->sample;
  scratch->corner = more->corner;
  scratch->stencil = more->stencil;
  scratch->work = more->work;
  scratch->seen = more->seen;
  scratch->moved = more->moved;
  scratch->dual = (StGapDual){.gradient = more->seen + 3 * vertices,
                              .mollifier_gradient = more->seen + 6 * vertices,
                              .share = more->seen + 9 * vertices};
  scratch->sample_capacity = capacity;
  scratch->seen_by = NULL;
}

// Samples found so far are kept; the rest is filled only once all are found.
static bool reserve_samples(StSurfaceScratch *scratch, size_t needed) {
  if (needed <= scratch->sample_capacity)
    return true;
  size_t capacity = 64;
  while (capacity < needed)
    capacity *= 2;
  StSurfaceScratch more = {.sample = ST_NEW(int, capacity),
                           .corner = ST_NEW(int, 3 * capacity),
                           .stencil = ST_NEW(int, 3 * capacity + 2),
                           .work = ST_NEW(StDual, ST_SAMPLE_FIELDS * capacity),
                           .seen = ST_NEW(StDual, 10 * (3 * capacity + 2)),
                           .moved = ST_NEW(bool, capacity)};
  bool good = more.sample && more.corner && more.stencil && more.work && more.seen && more.moved;
  if (good && scratch->sample_count)
    memcpy(more.sample, scratch->sample, (size_t)scratch->sample_count * sizeof(int));
  free_samples(good ? scratch : &more);
  if (good)
    take_samples(scratch, &more, capacity);
  return good;
}

// Keeps the items of [first, end) within R of x. Branch-free, because half of the candidates are
// near.
static bool take_run(const StSurface *surface, const double x[3], int first, int end,
                     StSurfaceScratch *scratch) {
  if (first == end)
    return true;
  int count = scratch->sample_count;
  if (!reserve_samples(scratch, (size_t)(count + end - first)))
    return false;
  const double *cx = surface->centroid[0], *cy = surface->centroid[1], *cz = surface->centroid[2];
  double limit = surface->radius * surface->radius;
  int *sample = scratch->sample;
  for (int i = first; i < end; i++) {
    double dx = x[0] - cx[i], dy = x[1] - cy[i], dz = x[2] - cz[i];
    sample[count] = i;
    count += dx * dx + dy * dy + dz * dz < limit;
  }
  scratch->sample_count = count;
  return true;
}

// Cells adjacent along x are adjacent in memory, up to the wrap.
static bool take_row(const StSurface *surface, const double x[3], const StGridBox *box, int row,
                     StSurfaceScratch *scratch) {
  const StGrid *grid = &surface->grid;
  const int *start = grid->start + row;
  int first = st_grid_wrap(grid, box->low[0], 0), end = first + box->count[0];
  int over = end - (1 << grid->bits[0]);
  if (over <= 0)
    return take_run(surface, x, start[first], start[end], scratch);
  return take_run(surface, x, start[first], start[end - over], scratch) &&
         take_run(surface, x, start[0], start[over], scratch);
}

static bool take_cells(const StSurface *surface, const double x[3], StSurfaceScratch *scratch) {
  double low[3], high[3];
  for (int j = 0; j < 3; j++) {
    low[j] = x[j] - surface->radius;
    high[j] = x[j] + surface->radius;
  }
  StGridBox box = st_grid_box(&surface->grid, low, high);
  for (int z = 0; z < box.count[2]; z++)
    for (int y = 0; y < box.count[1]; y++) {
      int row = st_grid_row(&surface->grid, box.low[1] + y, box.low[2] + z);
      if (!take_row(surface, x, &box, row, scratch))
        return false;
    }
  return true;
}

// Whether some sample sees the point closer than δ; otherwise the gap, a mean, is δ or more.
static bool may_touch(const StSurface *surface, const double x[3],
                      const StSurfaceScratch *scratch) {
  double least = INFINITY;
  for (int i = 0; i < scratch->sample_count; i++) {
    int s = scratch->sample[i];
    double p = 0;
    for (int j = 0; j < 3; j++)
      p += surface->normal[j][s] * (x[j] - surface->centroid[j][s]);
    least = p < least ? p : least;
  }
  return least < surface->options.thickness;
}

// A vertex found in this search has mark = base + its place; others have less. Branch-free, because
// whether a vertex is new cannot be predicted; hence one spare entry in the stencil.
static void make_stencil(const StSurface *surface, int point, StSurfaceScratch *scratch) {
  const uint64_t base = scratch->base;
  uint64_t *restrict mark = scratch->mark;
  int *restrict stencil = scratch->stencil, *restrict corner[3];
  for (int c = 0; c < 3; c++)
    corner[c] = scratch->corner + (size_t)c * scratch->sample_capacity;
  unsigned count = 0;
  stencil[count++] = point;
  for (int i = 0; i < scratch->sample_count; i++) {
    const int *from = surface->corner + 3 * (size_t)surface->grid.item[scratch->sample[i]];
    for (int c = 0; c < 3; c++) {
      int v = from[c];
      uint64_t last = mark[v], fresh = base + count;
      bool met = last > base;
      uint64_t now = met ? last : fresh;
      mark[v] = now;
      corner[c][i] = (int)(now - base);
      stencil[count] = surface->vertex[v];
      count += !met;
    }
  }
  scratch->stencil_count = (int)count;
  scratch->base += count;
}

static bool outside(const StSurface *surface, const double x[3]) {
  for (int j = 0; j < 3; j++)
    if (!(x[j] > surface->low[j] - surface->radius && x[j] < surface->high[j] + surface->radius))
      return true;
  return false;
}

bool st_surface_find(const StSurface *surface, int point, const double x[3],
                     StSurfaceScratch *scratch, StStencil *stencil, StError *error) {
  scratch->sample_count = scratch->stencil_count = 0;
  scratch->seen_by = NULL;
  if (outside(surface, x))
    return false;
  if (!reserve_vertices(scratch, surface->vertex_count) || !take_cells(surface, x, scratch)) {
    st_fail_memory(error);
    return false;
  }
  if (scratch->sample_count == 0 ||
      (!surface->options.two_sided && !may_touch(surface, x, scratch)))
    return false;
  make_stencil(surface, point, scratch);
  *stencil = (StStencil){scratch->stencil_count, scratch->stencil};
  return true;
}

int st_surface_sample_count(const StSurfaceScratch *scratch) {
  return scratch->sample_count;
}

void st_surface_copy_samples(const StSurfaceScratch *scratch, int *corner) {
  size_t count = (size_t)scratch->sample_count;
  for (size_t v = 0; v < 3; v++)
    memcpy(corner + v * count, scratch->corner + v * scratch->sample_capacity, count * sizeof(int));
}

bool st_surface_recall_samples(StSurfaceScratch *scratch, int count, const int *corner,
                               int stencil_count) {
  size_t samples = (size_t)count, bytes = samples * sizeof(int);
  bool same = scratch->sample_count == count && scratch->stencil_count == stencil_count;
  scratch->sample_count = 0;
  if (!reserve_samples(scratch, samples))
    return false;
  for (size_t v = 0; v < 3; v++) {
    int *to = scratch->corner + v * scratch->sample_capacity;
    same = same && memcmp(to, corner + v * samples, bytes) == 0;
    memcpy(to, corner + v * samples, bytes);
  }
  if (!same)
    scratch->seen_by = NULL;
  scratch->sample_count = count;
  scratch->stencil_count = stencil_count;
  return true;
}
