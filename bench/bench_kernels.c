// Speed of the kernels on one core, of a solid block and of a sheet of cloth: residual, block
// assembly, and the matrix product beside the memory bandwidth measured in the same run.
// Usage: bench_kernels [cells per side of the block, default 30]
#include "base/memory.h"
#include "model/partition.h"
#include "force/list.h"
#include "math/block_matrix.h"
#include "mesh/shape.h"
#include "support/box_mesh.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 25 };

typedef struct Bench {
  StMesh *mesh;
  StMaterialDesc material;
  StBodyDesc body;
  StDescription description;
  StPiece *piece;
  StBlockMatrix *matrix;
  double *position, *velocity, *x, *y;
  StForce force;
} Bench;

// Of this thread on its core, so that other programs' turns do not count.
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Shortest of some repeats: what the machine can do when nothing else disturbs it.
static double best_time(void (*work)(Bench *), Bench *bench) {
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds();
    work(bench);
    double taken = seconds() - start;
    best = taken < best ? taken : best;
  }
  return best;
}

static StPoint point(const Bench *bench) {
  return (StPoint){.position = bench->position, .velocity = bench->velocity};
}

static void residual(Bench *bench) {
  StPoint at = point(bench);
  StTrouble trouble;
  memset(bench->y, 0, 3 * sizeof(double) * (size_t)bench->piece->vertex_count);
  if (!bench->force.type->add(bench->force.data, &at, bench->y, &trouble))
    fprintf(stderr, "bench_kernels: %s in element %d\n", trouble.reason, trouble.element);
}

static double kept; // results end here, so that no measured work is left out

static void energy(Bench *bench) {
  StPoint at = point(bench);
  kept += bench->force.type->energy(bench->force.data, &at);
}

static void assembly(Bench *bench) {
  StPoint at = point(bench);
  st_block_matrix_clear(bench->matrix);
  bench->force.type->add_blocks(bench->force.data, &at, 1, 0.01, bench->matrix);
}

static void multiply(Bench *bench) {
  st_block_matrix_multiply(bench->matrix, bench->x, bench->y);
}

// Room for the blocks of all elements.
static StBlockMatrix *make_matrix(const StPiece *piece) {
  bool shell = piece->tet_count == 0;
  StBlockMatrix *matrix = NULL;
  if (st_block_matrix_create(
          piece->vertex_count, piece->vertex_count, shell ? piece->hinge : piece->tet,
          shell ? piece->hinge_count : piece->tet_count, 4, &matrix, NULL) != ST_OK)
    return NULL;
  return matrix;
}

// Takes the mesh over; shake: how far vertices are moved at most.
static bool setup(Bench *bench, StMesh *mesh, const StMaterialDesc *material, double shake) {
  *bench = (Bench){.mesh = mesh, .material = *material};
  if (!mesh)
    return false;
  bench->body.mesh = bench->mesh;
  bench->description.material_count = bench->description.body_count = 1;
  bench->description.material = &bench->material;
  bench->description.body = &bench->body;
  if (st_piece_create_whole(&bench->description, &bench->piece, NULL) != ST_OK)
    return false;
  const StPiece *piece = bench->piece;
  size_t numbers = 3 * (size_t)piece->vertex_count;
  bench->position = ST_NEW(double, numbers);
  bench->velocity = ST_NEW(double, numbers);
  bench->x = ST_NEW(double, numbers);
  bench->y = ST_NEW(double, numbers);
  if (!bench->position || !bench->velocity || !bench->x || !bench->y)
    return false;
  uint64_t state = 7;
  for (size_t i = 0; i < numbers; i++)
    bench->position[i] = piece->rest[i] + random_between(&state, -shake, shake);
  random_fill(&state, -1, 1, (int)numbers, bench->velocity);
  random_fill(&state, -1, 1, (int)numbers, bench->x);
  return (bench->matrix = make_matrix(piece)) != NULL;
}

static bool setup_block(Bench *bench, int cells) {
  BoxGrid grid = {{cells, cells, cells}, {0, 0, 0}, {1, 1, 1}, 0.15};
  const StMaterialDesc rubber = {
      .density = 1000, .stiffness_damping = 0.01, .law = {"neo_hookean", {1e6, 0.3}}};
  return setup(bench, box_mesh_create(&grid), &rubber, 0.05 / cells);
}

// With about as many vertices as a block of so many cells.
static bool setup_sheet(Bench *bench, int cells) {
  const StShapeType *sheet = st_shape_find("sheet");
  const StMaterialDesc cloth = {.shell = true,
                                .density = 0.2,
                                .stiffness_damping = 0.01,
                                .law = {"membrane", {1e3, 0.3, 0.2, 1e-3}}};
  double value[ST_PARAM_MAX], across = ceil(pow(cells, 1.5));
  StMesh *mesh = NULL;
  st_param_defaults(sheet->param, sheet->param_count, value);
  value[3] = value[4] = across; // cells_x, cells_y
  if (sheet->make(value, ST_SHAPE_SURFACE, &mesh, NULL) != ST_OK)
    return false;
  return setup(bench, mesh, &cloth, 0.1 / across);
}

static void bench_force(Bench *bench, const StForceType *type) {
  bool present = false;
  bench->force.type = type;
  if (st_force_create(type,
                      &(StForceSite){.description = &bench->description, .piece = bench->piece},
                      &bench->force.data, &present, NULL) != ST_OK ||
      !present)
    return;
  if (type->bind(bench->force.data, bench->matrix, NULL) == ST_OK) {
    const StPiece *piece = bench->piece;
    double millions = 1e-6 * (piece->tet_count ? piece->tet_count : piece->triangle_count);
    printf("  %-10s  %8.1f", type->name, millions / best_time(residual, bench));
    if (type->has_energy)
      printf("  %8.1f", millions / best_time(energy, bench));
    else
      printf("  %8s", "-");
    printf("  %8.2f\n", millions / best_time(assembly, bench));
  }
  type->destroy(bench->force.data);
}

// Sums a large array as fast as memory gives it, with the same prefetch as the product.
static double read_once(const double *data, size_t count) {
  double start = seconds();
  StLanes sum[4] = {{0}};
  const StLanes *lanes = (const StLanes *)data;
  for (size_t i = 0; i < count / ST_LANES; i += 4)
    for (int j = 0; j < 4; j++) {
      __builtin_prefetch(lanes + i + j + 128);
      sum[j] += lanes[i + (size_t)j];
    }
  StLanes all = sum[0] + sum[1] + sum[2] + sum[3];
  kept += all[0] + all[7];
  return seconds() - start;
}

// Product and plain reading in turn, so that a disturbance of the machine meets both.
static void bench_multiply(Bench *bench) {
  size_t blocks = (size_t)bench->matrix->row_start[bench->matrix->row_count];
  size_t rows = (size_t)bench->matrix->row_count;
  double bytes = (double)(blocks * (72 + 4) + rows * (4 + 24 + 24));
  size_t count = (size_t)24 << 20; // 192 MiB, far beyond any cache
  double *data = ST_NEW(double, count);
  if (!data)
    return;
  // Written, so that its pages are memory of its own and not one page of zeros.
  for (size_t i = 0; i < count; i++)
    data[i] = 1e-9 * (double)i;
  double product_time = INFINITY, read_time = INFINITY;
  for (int repeat = 0; repeat < 2 * REPEATS; repeat++) {
    read_time = fmin(read_time, read_once(data, count));
    double start = seconds();
    multiply(bench);
    product_time = fmin(product_time, seconds() - start);
  }
  free(data);
  double rate = bytes / product_time, bandwidth = (double)(count * sizeof(double)) / read_time;
  printf("\nmatrix product: %zu blocks, %.1f MB: %.2f ms, %.1f GB/s\n", blocks, 1e-6 * bytes,
         1e3 * product_time, 1e-9 * rate);
  printf("memory read bandwidth: %.1f GB/s; the product reaches %.0f %% of it\n", 1e-9 * bandwidth,
         100 * rate / bandwidth);
}

static void teardown(Bench *bench) {
  st_block_matrix_destroy(bench->matrix);
  st_piece_destroy(bench->piece);
  st_mesh_destroy(bench->mesh);
  free(bench->position);
  free(bench->velocity);
  free(bench->x);
  free(bench->y);
}

static void bench_forces(Bench *bench, const char *elements) {
  printf("  %-10s  %8s  %8s  %8s  million %s per second\n", "force", "residual", "energy",
         "assembly", elements);
  for (const StForceType *const *type = st_force_types; *type; type++)
    bench_force(bench, *type);
}

int main(int argc, char **argv) {
  int cells = argc > 1 ? atoi(argv[1]) : 30;
  Bench block = {0}, sheet = {0};
  bool good =
      cells >= 1 && cells <= 400 && setup_block(&block, cells) && setup_sheet(&sheet, cells);
  if (good) {
    printf("block: %d tets, %d vertices, neo_hookean, one core\n\n", block.piece->tet_count,
           block.piece->vertex_count);
    bench_forces(&block, "tets");
    bench_multiply(&block);
    printf("\nsheet: %d triangles, %d hinges, %d vertices, one core\n\n",
           sheet.piece->triangle_count, sheet.piece->hinge_count, sheet.piece->vertex_count);
    bench_forces(&sheet, "triangles");
  } else {
    fprintf(stderr, "usage: bench_kernels [cells per side, 1 to 400]\n");
  }
  teardown(&block);
  teardown(&sheet);
  return good ? kept == 0.123456789 : 2; // never; keeps the sums alive
}
