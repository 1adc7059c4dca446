// Speed of contact surfaces on one core: sorting the samples, finding those near each point, and
// the gap with its gradients, for as many points touching a sphere as it has triangles. Usage:
// bench_surface [largest number of triangles, default 100000]
#include "base/memory.h"
#include "math/vec3.h"
#include "support/random.h"
#include "support/surface_probe.h"

#include <math.h>
#include <time.h>

enum { REPEATS = 7 };

typedef struct Bench {
  Probe *probe;
  int point_count;
  double *point; // [point_count][3]
  double kept;
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
    bench->kept += s_derivative(bench->probe->dual->gap);
  }
}

// All columns of a Jacobian, in turn.
static void columns(Bench *bench) {
  static double direction[3 * PROBE_MOST];
  Probe *probe = bench->probe;
  for (int i = 0; i < bench->point_count; i++) {
    bool found = probe_find(probe, bench->point + 3 * i);
    for (int c = 0; found && c < 3 * probe->stencil.count; c++) {
      direction[c] = 1;
      probe_dual(probe, direction);
      direction[c] = 0;
      bench->kept += s_derivative(probe->dual->gap);
    }
  }
}

static void far_points(Bench *bench) {
  Probe *probe = bench->probe;
  for (int i = 0; i < bench->point_count; i++) {
    const double *x = bench->point + 3 * i, far[3] = {1.5 * x[0], x[1], x[2] + 0.3};
    bench->kept += st_surface_find(probe->surface, probe->mesh->vertex_count, far, probe->scratch,
                                   &probe->stencil, NULL);
  }
}

// One point over each triangle, in their order, as the vertices of a body lie in memory.
static void place_points(Bench *bench, double thickness) {
  uint64_t state = 3;
  const Probe *probe = bench->probe;
  for (int t = 0; t < bench->point_count; t++) {
    const double *x[3], u = random_between(&state, 0, 0.5), v = random_between(&state, 0, 0.5);
    double e1[3], e2[3], normal[3], *point = bench->point + 3 * t;
    for (int c = 0; c < 3; c++)
      x[c] = probe->position + 3 * probe->mesh->triangle[3 * t + c];
    vec3_sub(x[1], x[0], e1);
    vec3_sub(x[2], x[0], e2);
    vec3_cross(e1, e2, normal);
    double height = thickness * random_between(&state, -0.3, 0.7) / vec3_length(normal);
    for (int j = 0; j < 3; j++)
      point[j] = x[0][j] + u * e1[j] + v * e2[j] + height * normal[j];
  }
}

static StMesh *sphere(int cells) {
  return probe_shape("sphere", (ShapeSetting[]){{"cells", cells}}, 1);
}

static StMesh *sheet(int cells) {
  double side = round(cells * sqrt(6)), shake = 0.02 / side;
  StMesh *mesh = probe_shape("sheet", (ShapeSetting[]){{"edge", 1 / side}}, 1);
  uint64_t state = 5;
  for (int i = 0; i < 3 * mesh->vertex_count; i++)
    mesh->position[i] += random_between(&state, -shake, shake);
  return mesh;
}

// Triangles on a disc of radius R, on the whole.
static double samples(const Bench *bench) {
  const StMesh *mesh = bench->probe->mesh;
  double R = st_surface_radius(bench->probe->surface), area = 0;
  for (int t = 0; t < mesh->triangle_count; t++)
    area += st_triangle_area(mesh->position, mesh->triangle + 3 * t);
  return M_PI * R * R * mesh->triangle_count / area;
}

static void run(const char *name, StMesh *mesh, double thickness, double multiplier) {
  StSurfaceOptions options = st_surface_defaults(thickness);
  options.radius_multiplier = multiplier;
  Bench bench = {.probe = probe_create(mesh, &options), .point_count = mesh->triangle_count};
  bench.point = ST_NEW(double, 3 * bench.point_count);
  place_points(&bench, thickness);
  double count = bench.point_count, sort = best_time(update, &bench);
  double search = best_time(find, &bench), real = best_time(gap, &bench);
  double dual = best_time(gap_dual, &bench) - search, far = best_time(far_points, &bench);
  double slopes = best_time(columns, &bench) - search, each = 1e6 / count;
  printf("  %6s  %9d  %8.1f  %8.1f  %8.3f  %8.3f  %8.3f  %8.3f  %8.3f  %8.3f  %8.2f  %8.1f\n", name,
         mesh->triangle_count, multiplier, samples(&bench), each * sort, each * search,
         each * (real - search), each * (sort + real), each * dual, each * far, 1e3 * (sort + real),
         each * slopes);
  free(bench.point);
  probe_destroy(bench.probe);
}

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 100000;
  const double multipliers[] = {2, 2.5}; // the default; about 30 samples
  printf("microseconds per point, one core; total = sort + find + gap; dual: the gap again with\n"
         "forward derivatives; far: a point that touches nothing; slopes: the dual of "
         "every column\n\n");
  printf("  %6s  %9s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %8s\n", "shape", "triangles",
         "R factor", "samples", "sort", "find", "gap", "total", "dual", "far", "all, ms", "slopes");
  for (int cells = 9; 12 * cells * cells <= 1.1 * most; cells = (int)lround(cells * sqrt(10)))
    for (int i = 0; i < ST_LENGTH(multipliers); i++) {
      run("sphere", sphere(cells), 0.05 / cells, multipliers[i]);
      run("sheet", sheet(cells), 0.02 / cells, multipliers[i]);
    }
  return 0;
}
