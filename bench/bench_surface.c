// Speed of contact surfaces on one core: sorting the samples, finding those near each point, and
// the gap with its gradients, for as many points touching a sphere as it has triangles. Usage:
// bench_surface [largest number of triangles, default 100000]
#include "base/memory.h"
#include "support/random.h"
#include "support/surface_probe.h"

#include <math.h>
#include <time.h>

enum { REPEATS = 7 };

typedef struct Bench {
  Probe *probe;
  int point_count;
  double *point; // [point_count][3]
  double samples, kept;
} Bench;

// Of this process, so that others on the machine do not count.
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Shortest of some repeats: what the machine can do when nothing else disturbs it.
static double best_time(void (*work)(Bench *), Bench *bench) {
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds();
    work(bench);
    best = fmin(best, seconds() - start);
  }
  return best;
}

static void update(Bench *bench) {
  probe_update(bench->probe);
}

static void find(Bench *bench) {
  Probe *probe = bench->probe;
  for (int i = 0; i < bench->point_count; i++)
    bench->kept += st_surface_find(probe->surface, probe->mesh->vertex_count, bench->point + 3 * i,
                                   probe->scratch, &probe->stencil, NULL);
}

static void gap(Bench *bench) {
  for (int i = 0; i < bench->point_count; i++) {
    probe_gap(bench->probe, bench->point + 3 * i);
    bench->kept += bench->probe->gap.gap;
  }
}

static void gap_dual(Bench *bench) {
  static double direction[3 * PROBE_MOST] = {1, 0.5, 0.25};
  for (int i = 0; i < bench->point_count; i++) {
    probe_find(bench->probe, bench->point + 3 * i);
    probe_dual(bench->probe, direction);
    bench->kept += s_derivative(bench->probe->dual.gap);
  }
}

static void far_points(Bench *bench) {
  Probe *probe = bench->probe;
  for (int i = 0; i < bench->point_count; i++) {
    const double *x = bench->point + 3 * i, far[3] = {1.5 * x[0], 1.5 * x[1], 1.5 * x[2]};
    bench->kept += st_surface_find(probe->surface, probe->mesh->vertex_count, far, probe->scratch,
                                   &probe->stencil, NULL);
  }
}

// As many points as triangles, on rays through space at distances around the radius.
static void place_points(Bench *bench, double thickness) {
  uint64_t state = 3;
  for (int i = 0; i < bench->point_count; i++) {
    double x[3], square = 0;
    do {
      random_fill(&state, -1, 1, 3, x);
      square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    } while (square > 1 || square < 0.1);
    double radius = 0.5 + thickness * random_between(&state, -0.5, 0.8);
    for (int j = 0; j < 3; j++)
      bench->point[3 * i + j] = x[j] * radius / sqrt(square);
  }
}

static double mean_samples(Bench *bench) {
  double vertices = 0;
  for (int i = 0; i < bench->point_count; i++)
    vertices += probe_find(bench->probe, bench->point + 3 * i) ? bench->probe->stencil.count : 0;
  return vertices / bench->point_count;
}

static void run(int cells, double multiplier) {
  double thickness = 0.05 / cells;
  StSurfaceOptions options = st_surface_defaults(thickness);
  options.radius_multiplier = multiplier;
  StMesh *mesh = probe_shape("sphere", (ShapeSetting[]){{"cells", cells}}, 1);
  Bench bench = {.probe = probe_create(mesh, &options), .point_count = mesh->triangle_count};
  bench.point = ST_NEW(double, 3 * bench.point_count);
  place_points(&bench, thickness);
  double count = bench.point_count, sort = best_time(update, &bench);
  double search = best_time(find, &bench), real = best_time(gap, &bench);
  double dual = best_time(gap_dual, &bench) - search, far = best_time(far_points, &bench);
  double each = 1e6 / count;
  printf("  %9d  %8.1f  %8.2f  %8.3f  %8.3f  %8.3f  %8.3f  %8.3f  %8.2f\n", mesh->triangle_count,
         multiplier, mean_samples(&bench), each * sort, each * search, each * (real - search),
         each * dual, each * far, 1e3 * (sort + real));
  free(bench.point);
  probe_destroy(bench.probe);
}

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 100000;
  printf("points touching a sphere, as many as triangles; microseconds per point, one core\n\n");
  printf("  %9s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %8s\n", "triangles", "R factor", "vertices",
         "sort", "find", "gap", "dual", "far", "total ms");
  for (int cells = 9; 12 * cells * cells <= 1.1 * most; cells = (int)lround(cells * sqrt(10)))
    for (double multiplier = 2; multiplier < 4; multiplier++)
      run(cells, multiplier);
  return 0;
}
