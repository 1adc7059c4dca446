// Frames that ranks write together hold what one process would write, each number in its place; and
// the rows of a snapshot that ranks ask for are those of the whole one.
#include "base/file.h"
#include "base/memory.h"
#include "mesh/read.h"
#include "mesh/grid_file.h"
#include "output/frame.h"
#include "solve/communicator.h"
#include "solve/runtime.h"
#include "support/slope.h"

#include <mpi.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { BODIES = 3 };

// More chunks than ranks in the large one; in the small one rank 0 writes all.
typedef struct Size {
  int vertices[BODIES], tets[BODIES], triangles[BODIES];
} Size;

static const Size LARGE = {{20000, 12000, 5}, {41000, 0, 2}, {1, 21000, 0}};
static const Size SMALL = {{20, 12, 5}, {17, 0, 2}, {1, 9, 0}};

static StMesh *make_mesh(const Size *size, int b) {
  StMesh *mesh = st_mesh_create(size->vertices[b], size->tets[b], size->triangles[b]);
  for (int i = 0; i < 3 * mesh->vertex_count; i++)
    mesh->position[i] = sin(0.1 * i) + b;
  for (int i = 0; i < mesh->tet_count; i++) {
    for (int k = 0; k < 4; k++)
      mesh->tet[4 * i + k] = (i + k * (1 + i % 3)) % mesh->vertex_count;
    mesh->tet_label[i] = i % 7 == 3 ? st_mesh_label(mesh, "core") : -1;
  }
  for (int i = 0; i < mesh->triangle_count; i++) {
    for (int k = 0; k < 3; k++)
      mesh->triangle[3 * i + k] = (i + (int[]){0, 5, 11}[k]) % mesh->vertex_count; // no faces
    mesh->triangle_label[i] = st_mesh_label(mesh, i % 2 ? "core" : "a rather long name");
  }
  return mesh;
}

typedef struct Sample {
  StDescription description;
  StMaterialDesc material[2];
  StBodyDesc body[BODIES];
} Sample;

static void sample_begin(Sample *sample, const Size *size) {
  *sample = (Sample){.material = {{.name = "gum"}, {.name = "silk", .shell = true}}};
  for (int b = 0; b < BODIES; b++)
    sample->body[b] = (StBodyDesc){.mesh = make_mesh(size, b), .shell = 1};
  sample->description = (StDescription){.material_count = 2,
                                        .material = sample->material,
                                        .body_count = BODIES,
                                        .body = sample->body};
}

static void sample_end(Sample *sample) {
  for (int b = 0; b < BODIES; b++)
    st_mesh_destroy(sample->body[b].mesh);
}

// Numbers by which every value of every field is known.
static double *make_values(int first, int count, int width, double seed) {
  double *value = ST_NEW(double, (size_t)count *(size_t)width);
  for (int i = 0; i < count * width; i++)
    value[i] = cos(seed * (first * width + i));
  return value;
}

static StSnapshot make_snapshot(StRows vertices, StRows tets) {
  StSnapshot snapshot = {.time = 0.25,
                         .frame = 3,
                         .vertex_count = vertices.count,
                         .tet_count = tets.count,
                         .position = make_values(vertices.first, vertices.count, 3, 0.7),
                         .velocity = make_values(vertices.first, vertices.count, 3, 0.3),
                         .stress = make_values(tets.first, tets.count, 6, 0.9),
                         .findings = ST_NEW(int, vertices.count)};
  for (int i = 0; i < vertices.count; i++)
    snapshot.findings[i] = (vertices.first + i) % 5;
  return snapshot;
}

static StStatus write_frame(const Sample *sample, StFrameFormat format, const char *path,
                            StError *error) {
  StFrameWriter *writer = NULL;
  assert_int_equal(st_frame_writer_create(&sample->description, format, &writer, error), ST_OK);
  StSnapshot snapshot =
      make_snapshot(st_frame_writer_vertices(writer), st_frame_writer_tets(writer));
  StStatus status = st_frame_write(writer, path, &snapshot, error);
  st_snapshot_free(&snapshot);
  st_frame_writer_destroy(writer);
  return status;
}

static StGridFile *open_frame(const char *path) {
  char *data;
  size_t size;
  StGridFile *file = NULL;
  StError error = {0};
  assert_int_equal(st_file_read(path, &data, &size, &error), ST_OK);
  if (st_grid_format_vtkhdf.open(path, data, size, &file, &error) != ST_OK)
    fail_msg("%s", error.text);
  free(data);
  return file;
}

static double *read_field(StGridFile *file, const char *name) {
  double *value = NULL;
  for (int i = 0; i < file->part->array_count; i++)
    if (strcmp(file->part->array[i].name, name) == 0)
      assert_int_equal(
          file->format->numbers(file, 0, &file->part->array[i], false, (void **)&value, NULL),
          ST_OK);
  assert_non_null(value);
  return value;
}

static void check_field(StGridFile *file, const char *name, const double *expected, size_t count) {
  double *got = read_field(file, name);
  for (size_t i = 0; i < count; i++)
    if (got[i] != (float)expected[i])
      fail_msg("%s: number %zu is %g, not %g", name, i, got[i], expected[i]);
  free(got);
}

static void check_fields(StGridFile *file, const Size *size) {
  int vertices = 0, tets = 0;
  for (int b = 0; b < BODIES; b++)
    vertices += size->vertices[b], tets += size->tets[b];
  StSnapshot whole = make_snapshot((StRows){0, vertices}, (StRows){0, tets});
  double *position = NULL, *findings = read_field(file, "findings");
  assert_int_equal(file->format->points(file, 0, &position, NULL), ST_OK);
  assert_memory_equal(position, whole.position, 3 * (size_t)vertices * sizeof(double));
  check_field(file, "velocity", whole.velocity, 3 * (size_t)vertices);
  check_field(file, "stress", whole.stress, 6 * (size_t)tets);
  for (int i = 0; i < vertices; i++)
    assert_true(findings[i] == i % 5);
  assert_true(file->has_time && file->time == 0.25);
  free(findings);
  free(position);
  st_snapshot_free(&whole);
}

// Elements and their labels, body by body: all tets come first.
static void check_mesh(const char *path, const Sample *sample, const double *body) {
  StMesh *mesh = NULL;
  StError error = {0};
  if (st_mesh_read_raw(path, NULL, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  int vertex = 0, tet = 0, triangle = 0;
  for (int b = 0; b < BODIES; b++) {
    const StMesh *part = sample->body[b].mesh;
    for (int i = 0; i < part->tet_count; i++, tet++) {
      int label = part->tet_label[i], got = mesh->tet_label[tet];
      for (int k = 0; k < 4; k++)
        assert_int_equal(mesh->tet[4 * tet + k], vertex + part->tet[4 * i + k]);
      assert_string_equal(got < 0 ? "" : mesh->label_name[got],
                          label < 0 ? "" : part->label_name[label]);
      assert_int_equal((int)body[tet], b);
    }
    for (int i = 0; i < part->triangle_count; i++, triangle++) {
      for (int k = 0; k < 3; k++)
        assert_int_equal(mesh->triangle[3 * triangle + k], vertex + part->triangle[3 * i + k]);
      assert_string_equal(mesh->label_name[mesh->triangle_label[triangle]],
                          part->label_name[part->triangle_label[i]]);
      assert_int_equal((int)body[mesh->tet_count + triangle], b);
    }
    vertex += part->vertex_count;
  }
  assert_int_equal(mesh->tet_count, tet);
  assert_int_equal(mesh->triangle_count, triangle);
  st_mesh_destroy(mesh);
}

static void check_frame(const Size *size, const char *path) {
  Sample sample;
  StError error = {0};
  sample_begin(&sample, size);
  if (write_frame(&sample, ST_FRAMES_VTKHDF, path, &error) != ST_OK)
    fail_msg("%s", error.text);
  if (st_runtime_rank() == 0) {
    StGridFile *file = open_frame(path);
    double *body = read_field(file, "body");
    check_fields(file, size);
    check_mesh(path, &sample, body);
    free(body);
    st_grid_file_close(file);
    unlink(path);
  }
  sample_end(&sample);
}

static void frames_hold_all_rows(void **state) {
  (void)state;
  check_frame(&LARGE, "large.vtkhdf");
  check_frame(&SMALL, "small.vtkhdf");
}

// Nothing is left of a frame that cannot be written, and all ranks hear of it.
static void trouble_is_everybodys(void **state) {
  (void)state;
  Sample sample;
  StError error = {0};
  sample_begin(&sample, &LARGE);
  assert_int_equal(write_frame(&sample, ST_FRAMES_VTKHDF, "no/such/folder/a.vtkhdf", &error),
                   ST_SYSTEM_FAULT);
  if (!strstr(error.text, "no/such/folder/a.vtkhdf: cannot be written"))
    fail_msg("%s", error.text);
  sample_end(&sample);
}

// A file that may not grow stands for a full disk: nobody waits for who met it.
static void full_disks_stop_nobody(void **state) {
  (void)state;
  Sample sample;
  StError error = {0};
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = (struct rlimit){4096, before.rlim_max};
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  sample_begin(&sample, &LARGE);
  setrlimit(RLIMIT_FSIZE, &small);
  StStatus status = write_frame(&sample, ST_FRAMES_VTKHDF, "full.vtkhdf", &error);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, ST_SYSTEM_FAULT);
  assert_non_null(strstr(error.text, "full.vtkhdf: cannot be written: "));
  assert_int_not_equal(access("full.vtkhdf", F_OK), 0);
  assert_int_not_equal(access("full.vtkhdf.tmp", F_OK), 0);
  sample_end(&sample);
}

static StDescription *bar_on_floor(void) {
  Slope slope = {.world = {.grid = {.cells = {9, 2, 2}, .low = {0, 0, 0}, .high = {0.9, 0.2, 0.2}},
                           .young = 1e5,
                           .poisson = 0.3,
                           .density = 1000,
                           .integrator = "be",
                           .step = 0.01,
                           .duration = 0.02,
                           .solver = ST_SOLVER_DIRECT},
                 .gravity = 9.81,
                 .mu = 0.3,
                 .epsilon = 1e-3,
                 .thickness = 1e-3,
                 .stiffness = 1e7};
  return slope_create(&slope);
}

// Uneven shares: the first rank has hardly any, the last one the rest.
static StRows share_of(int total) {
  int rank = st_runtime_rank(), last = st_runtime_size() - 1;
  return (StRows){3 * rank, rank < last ? 3 : total - 3 * last};
}

static void check_rows(const double *whole, const double *rows, StRows own, int total, int width) {
  double *all = ST_NEW(double, (size_t)total *(size_t)width);
  int count = own.count * width, ranks = st_runtime_size(), counts[8], starts[8];
  MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, st_communicator());
  for (int r = 0; r < ranks; r++)
    starts[r] = 3 * width * r;
  MPI_Gatherv(rows, count, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, 0, st_communicator());
  if (st_runtime_rank() == 0)
    assert_memory_equal(all, whole, (size_t)total * (size_t)width * sizeof(double));
  free(all);
}

static void rows_are_those_of_the_whole(void **state) {
  (void)state;
  StDescription *d = bar_on_floor();
  StSimulation *simulation = world_start(d);
  StSnapshot whole, rows;
  world_run(simulation);
  world_must(st_simulation_snapshot(simulation, true, true, &whole, NULL) == ST_OK, "snapshot");
  StRows vertices = share_of(whole.vertex_count), tets = share_of(whole.tet_count);
  world_must(st_simulation_snapshot_rows(simulation, vertices, tets, true, true, &rows, NULL) ==
                 ST_OK,
             "rows");
  assert_int_equal(rows.vertex_count, vertices.count);
  assert_int_equal(rows.tet_count, tets.count);
  check_rows(whole.position, rows.position, vertices, whole.vertex_count, 3);
  check_rows(whole.velocity, rows.velocity, vertices, whole.vertex_count, 3);
  check_rows(whole.contact_gap, rows.contact_gap, vertices, whole.vertex_count, 1);
  check_rows(whole.stress, rows.stress, tets, whole.tet_count, 6);
  for (int i = 0; i < rows.force_count; i++)
    check_rows(whole.force[i], rows.force[i], vertices, whole.vertex_count, 3);
  assert_true(rows.findings && rows.inverted && rows.contact_state);
  st_snapshot_free(&whole);
  st_snapshot_free(&rows);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_hold_all_rows),
      cmocka_unit_test(trouble_is_everybodys),
      cmocka_unit_test(full_disks_stop_nobody),
      cmocka_unit_test(rows_are_those_of_the_whole),
  };
  StError error = {0};
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
