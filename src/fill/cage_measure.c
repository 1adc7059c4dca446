// The part of the body that each corner of a lattice's tets has: ∫ N dV over the inside, N the
// corner's shape function. Sampled where the surface cuts a tet; then all is corrected a little, so
// that the whole volume and its centre are those that the surface encloses.
#include "fill/cage.h"

#include "fill/winding.h"
#include "math/vec3.h"
#include "mesh/moments.h"

// Samples have barycentric coordinates (i + ¼)/(STEPS + 1), i = 0 … STEPS, that add up to 1.
enum { STEPS = 5 };
// Corners have at least this part of a full tet's mass: lighter ones would only cost the solver.
static const double LEAST = 0.02;
// An open surface is a sheet, which has no inside, if it encloses less of the cells it passes
// through or faces one way with more of its area: a ball with a hole half its width has 0.07, a
// bowl 0.5.
static const double SHEET = 0.02, FACING = 0.35;
// Corrections beyond this are none: the samples have missed something.
static const double MOST_TILT = 0.5;

typedef struct Measure {
  const StMesh *lattice;
  StWinding winding;
  double most; // turns about any sample
} Measure;

static bool is_inside(Measure *measure, const double x[3]) {
  double turns = st_winding_about(&measure->winding, x);
  measure->most = fmax(measure->most, turns);
  return turns > 0.5;
}

static void place(const Measure *measure, int tet, const double part[4], double x[3]) {
  vec3_set(0, 0, 0, x);
  for (int i = 0; i < 4; i++)
    vec3_add_scaled(part[i],
                    measure->lattice->position + 3 * (size_t)measure->lattice->tet[4 * tet + i], x);
}

// share: [4] part of the tet's volume that each corner has, if the samples can tell.
static void sample(Measure *measure, int tet, double share[4]) {
  int count = 0;
  for (int a = 0; a <= STEPS; a++)
    for (int b = 0; b <= STEPS - a; b++)
      for (int c = 0; c <= STEPS - a - b; c++, count++) {
        const double n = STEPS + 1, part[4] = {(a + 0.25) / n, (b + 0.25) / n, (c + 0.25) / n,
                                               (STEPS - a - b - c + 0.25) / n};
        double x[3];
        place(measure, tet, part, x);
        for (int i = 0; is_inside(measure, x) && i < 4; i++)
          share[i] += part[i];
      }
  for (int i = 0; i < 4; i++)
    share[i] /= count;
}

static void measure_tet(Measure *measure, int tet, bool cut, double volume[4]) {
  static const double MIDDLE[4] = {0.25, 0.25, 0.25, 0.25};
  double size = st_tet_volume(measure->lattice->position, measure->lattice->tet + 4 * (size_t)tet);
  double share[4] = {0}, x[3];
  place(measure, tet, MIDDLE, x);
  if (cut)
    sample(measure, tet, share);
  else if (is_inside(measure, x))
    for (int i = 0; i < 4; i++)
      share[i] = 0.25;
  for (int i = 0; i < 4; i++)
    volume[i] = size * share[i];
}

// Sums over all corners.
typedef struct Sums {
  double volume, middle[3], spread[9];
} Sums;

static void add_up(const StMesh *lattice, const double *volume, Sums *sums) {
  *sums = (Sums){0};
  for (int i = 0; i < 4 * lattice->tet_count; i++) {
    sums->volume += volume[i];
    vec3_add_scaled(volume[i], lattice->position + 3 * (size_t)lattice->tet[i], sums->middle);
  }
  for (int c = 0; c < 3; c++)
    sums->middle[c] /= sums->volume;
  for (int i = 0; i < 4 * lattice->tet_count; i++) {
    double arm[3];
    vec3_sub(lattice->position + 3 * (size_t)lattice->tet[i], sums->middle, arm);
    for (int k = 0; k < 9; k++)
      sums->spread[k] += volume[i] * arm[k / 3] * arm[k % 3];
  }
}

// slope: the factor on a corner's volume is what the volumes differ by, plus slope·(x − middle).
static void find_slope(const Sums *sums, const double wanted, const double centre[3],
                       double slope[3]) {
  double inverse[9], shift[3];
  vec3_sub(centre, sums->middle, shift);
  vec3_set(0, 0, 0, slope);
  if (mat3_inverse(sums->spread, inverse) > 0)
    mat3_apply(inverse, shift, slope);
  for (int c = 0; c < 3; c++)
    slope[c] = isfinite(slope[c]) ? wanted * slope[c] : 0;
}

static double largest_tilt(const StMesh *lattice, const double *volume, const Sums *sums,
                           const double slope[3]) {
  double most = 0, arm[3];
  for (int i = 0; i < 4 * lattice->tet_count; i++) {
    vec3_sub(lattice->position + 3 * (size_t)lattice->tet[i], sums->middle, arm);
    most = volume[i] > 0 ? fmax(most, fabs(vec3_dot(slope, arm))) : most;
  }
  return most;
}

static void correct(const StMesh *lattice, double wanted, const double centre[3], double *volume) {
  Sums sums;
  double slope[3], arm[3];
  add_up(lattice, volume, &sums);
  double factor = wanted / sums.volume;
  find_slope(&sums, wanted, centre, slope);
  if (largest_tilt(lattice, volume, &sums, slope) > MOST_TILT * factor)
    vec3_set(0, 0, 0, slope);
  for (int i = 0; i < 4 * lattice->tet_count; i++) {
    vec3_sub(lattice->position + 3 * (size_t)lattice->tet[i], sums.middle, arm);
    volume[i] *= factor + vec3_dot(slope, arm);
  }
}

// Corners of tets that are kept get some mass, or all of it.
static void raise(const StMesh *lattice, const bool *cut, double least, double *volume) {
  for (int i = 0; i < 4 * lattice->tet_count; i++) {
    double size = st_tet_volume(lattice->position, lattice->tet + 4 * (size_t)(i / 4));
    bool kept = cut[i / 4] || volume[i] > 0;
    if (kept)
      volume[i] = fmax(volume[i], least * size / 4);
  }
}

static double cut_volume(const StMesh *lattice, const bool *cut) {
  double sum = 0;
  for (int t = 0; t < lattice->tet_count; t++)
    sum += cut[t] ? st_tet_volume(lattice->position, lattice->tet + 4 * (size_t)t) : 0;
  return sum;
}

// The sum of the areas as vectors, as a part of the area: zero for a closed surface.
static double facing(const StMesh *surface) {
  double sum[3] = {0}, whole = 0;
  for (int t = 0; t < surface->triangle_count; t++) {
    const int *corner = surface->triangle + 3 * (size_t)t;
    const double *x = surface->position + 3 * (size_t)corner[0];
    double a[3], b[3], normal[3];
    vec3_sub(surface->position + 3 * (size_t)corner[1], x, a);
    vec3_sub(surface->position + 3 * (size_t)corner[2], x, b);
    vec3_cross(a, b, normal);
    vec3_add_scaled(1, normal, sum);
    whole += vec3_length(normal);
  }
  return vec3_length(sum) / whole;
}

StStatus st_cage_sample(const StMesh *surface, const StMesh *lattice, const bool *cut,
                        double *volume, StCageReport *report, StError *error) {
  Measure measure = {.lattice = lattice};
  ST_TRY(st_winding_create(surface, &measure.winding, error));
  for (int t = 0; t < lattice->tet_count; t++)
    measure_tet(&measure, t, cut[t], volume + 4 * (size_t)t);
  st_winding_free(&measure.winding);
  report->turns = measure.most;
  return ST_OK;
}

// A closed surface says by itself what it encloses, unless parts of it lie in each other.
void st_cage_correct(const StMesh *surface, const StMesh *lattice, const bool *cut, double *volume,
                     StCageReport *report) {
  StMoments own;
  Sums sums;
  st_surface_moments(surface->position, surface->triangle, surface->triangle_count, &own);
  add_up(lattice, volume, &sums);
  report->exact = report->open + report->crossings == 0 && report->turns < 1.5 && own.volume > 0 &&
                  sums.volume > 0;
  report->whole = !report->exact &&
                  (!(sums.volume > SHEET * cut_volume(lattice, cut)) || facing(surface) > FACING);
  raise(lattice, cut, report->whole ? 1 : LEAST, volume);
  if (report->exact)
    correct(lattice, own.volume, own.centre, volume);
  else if (!report->whole)
    correct(lattice, sums.volume, sums.middle, volume);
  add_up(lattice, volume, &sums);
  report->volume = sums.volume;
}
