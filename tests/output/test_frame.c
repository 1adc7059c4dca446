// Frames read back: the mesh by our own reader, the arrays by a decoder written here from the
// format's description, independent of both reader and writer.
#include "output/frame.h"

#include "field/field.h"
#include "mesh/read.h"
#include "mesh/second_order.h"
#include "output/sample.h"
#include "output/series.h"
#include "output/scratch.h"
#include "support/box_mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <zlib.h>

enum { VERTICES = 9, TETS = 2, CELLS = 5, VALUES = 128 };

typedef struct Arrays {
  double position[3 * VERTICES], velocity[3 * VERTICES], elastic[3 * VERTICES], stress[6 * TETS];
  double normal_force[VERTICES], gap[VERTICES], slip[VERTICES], held[VERTICES];
  int contact_state[VERTICES];
} Arrays;

static StSnapshot sample_snapshot(const Sample *sample, Arrays *arrays) {
  const StMesh *tets = sample->body[0].mesh, *sheet = sample->body[1].mesh;
  memcpy(arrays->position, tets->position, 15 * sizeof(double));
  memcpy(arrays->position + 15, sheet->position, 12 * sizeof(double));
  for (int i = 0; i < 3 * VERTICES; i++) {
    arrays->position[i] += 1e-3 / (i + 3);
    arrays->velocity[i] = sin(i);
    arrays->elastic[i] = 1e5 * cos(i);
  }
  for (int i = 0; i < VERTICES; i++) {
    arrays->normal_force[i] = 3 * i;
    arrays->gap[i] = 1e-3 / (i + 1);
    arrays->slip[i] = 0.1 * i;
    arrays->held[i] = 1e-6 * i;
    arrays->contact_state[i] = i % 3;
  }
  for (int i = 0; i < 6 * TETS; i++)
    arrays->stress[i] = 1000 + 100 * i * i;
  return (StSnapshot){.time = 0.7,
                      .frame = 3,
                      .vertex_count = VERTICES,
                      .tet_count = TETS,
                      .position = arrays->position,
                      .velocity = arrays->velocity,
                      .force_count = 2,
                      .force_name = {"elastic", "damping"},
                      .force = {arrays->elastic, NULL},
                      .contact_normal_force = arrays->normal_force,
                      .contact_gap = arrays->gap,
                      .slip_speed = arrays->slip,
                      .held_displacement = arrays->held,
                      .contact_state = arrays->contact_state,
                      .stress = arrays->stress};
}

static void write_sample(const char *path, Arrays *arrays, bool all) {
  Sample sample;
  sample_begin(&sample);
  StSnapshot snapshot = sample_snapshot(&sample, arrays);
  if (!all) {
    snapshot.stress = NULL;
    snapshot.contact_state = NULL;
  }
  StFrameWriter *writer = NULL;
  StError error = {0};
  assert_int_equal(
      st_frame_writer_create(&sample.description, st_series_format(path), &writer, &error), ST_OK);
  assert_int_equal(st_frame_write(writer, path, &snapshot, &error), ST_OK);
  st_frame_writer_destroy(writer);
  sample_end(&sample);
}

static uint64_t word(const char *bytes, int index) {
  uint64_t value;
  memcpy(&value, bytes + 8 * index, 8);
  return value;
}

// Blocks of zlib data behind their count, size, last size and compressed sizes.
static size_t inflate_blocks(const char *bytes, char *out, size_t room) {
  int blocks = (int)word(bytes, 0);
  const char *data = bytes + 8 * (3 + blocks);
  size_t total = 0;
  for (int i = 0; i < blocks; i++) {
    uLongf size = room - total;
    assert_int_equal(
        uncompress((Bytef *)out + total, &size, (const Bytef *)data, (uLong)word(bytes, 3 + i)),
        Z_OK);
    data += word(bytes, 3 + i);
    total += size;
  }
  return total;
}

static const char *find_bytes(const char *data, size_t size, const char *what) {
  const char *found = memmem(data, size, what, strlen(what));
  assert_non_null(found);
  return found + strlen(what);
}

// The values of a named array, of the given type, as doubles; returns how many.
static int read_array(const char *path, const char *name, const char *type, double *value) {
  size_t size;
  char *file = scratch_read(path, &size);
  char key[64], raw[8 * VALUES], *start = NULL;
  snprintf(key, sizeof key, "Name=\"%s\"", name);
  char *line = (char *)find_bytes(file, size, key);
  *strchr(line, '\n') = 0;
  for (start = line; strncmp(start, "<DataArray", 10) != 0; start--)
    continue;
  snprintf(key, sizeof key, "type=\"%s\"", type);
  assert_non_null(strstr(start, key) ? start : strstr(line, key));
  size_t offset = strtoul(find_bytes(line, strlen(line), "offset=\""), NULL, 10);
  const char *appended = find_bytes(file, size, "<AppendedData encoding=\"raw\">");
  size_t bytes = inflate_blocks(strchr(appended, '_') + 1 + offset, raw, sizeof raw);
  int width = strcmp(type, "Float64") == 0 ? 8 : 4, count = (int)bytes / width;
  for (int i = 0; i < count; i++) {
    float single;
    int32_t integer;
    memcpy(&single, raw + 4 * i, 4);
    memcpy(&integer, raw + 4 * i, 4);
    value[i] = strcmp(type, "Int32") == 0 ? integer : single;
    if (width == 8)
      memcpy(&value[i], raw + 8 * i, 8);
  }
  free(file);
  return count;
}

static void check_singles(const char *path, const char *name, const double *expected, int count) {
  double got[VALUES];
  assert_int_equal(read_array(path, name, "Float32", got), count);
  for (int i = 0; i < count; i++)
    assert_float_equal((float)got[i], (float)expected[i], 0);
}

static void check_integers(const char *path, const char *name, const int *expected, int count) {
  double got[VALUES];
  assert_int_equal(read_array(path, name, "Int32", got), count);
  for (int i = 0; i < count; i++)
    assert_int_equal((int)got[i], expected[i]);
}

static void test_mesh_comes_back(void **state) {
  (void)state;
  const char *path = scratch("mesh.vtu");
  Arrays arrays;
  write_sample(path, &arrays, true);
  StMesh *mesh = NULL;
  StError error = {0};
  assert_int_equal(st_mesh_read(path, NULL, &mesh, &error), ST_OK);
  assert_int_equal(mesh->vertex_count, VERTICES);
  assert_memory_equal(mesh->position, arrays.position, sizeof arrays.position);
  const int tet[8] = {0, 1, 2, 3, 1, 2, 3, 4}, triangle[9] = {0, 1, 4, 5, 6, 7, 5, 7, 8};
  assert_int_equal(mesh->tet_count, TETS);
  assert_memory_equal(mesh->tet, tet, sizeof tet);
  assert_int_equal(mesh->triangle_count, 3);
  assert_memory_equal(mesh->triangle, triangle, sizeof triangle);
  assert_int_equal(mesh->tet_label[0], -1);
  assert_string_equal(mesh->label_name[mesh->tet_label[1]], "tip");
  assert_int_equal(mesh->triangle_label[1], -1);
  assert_string_equal(mesh->label_name[mesh->triangle_label[2]], "hem");
  st_mesh_destroy(mesh);
}

static void test_point_fields(void **state) {
  (void)state;
  const char *path = scratch("points.vtu");
  Arrays arrays;
  write_sample(path, &arrays, true);
  check_singles(path, "velocity", arrays.velocity, 3 * VERTICES);
  check_singles(path, "force_elastic", arrays.elastic, 3 * VERTICES);
  double got[VALUES];
  assert_int_equal(read_array(path, "displacement", "Float32", got), 3 * VERTICES);
  for (int i = 0; i < 3 * VERTICES; i++)
    assert_true(fabs(got[i] - 1e-3 / (i + 3)) < 1e-10);
  size_t size;
  char *file = scratch_read(path, &size);
  assert_null(memmem(file, size, "force_damping", 13));
  free(file);
}

static void test_contact_fields(void **state) {
  (void)state;
  const char *path = scratch("contact.vtu");
  Arrays arrays;
  write_sample(path, &arrays, true);
  check_singles(path, "contact_normal_force", arrays.normal_force, VERTICES);
  check_singles(path, "contact_gap", arrays.gap, VERTICES);
  check_singles(path, "slip_speed", arrays.slip, VERTICES);
  check_singles(path, "held_displacement", arrays.held, VERTICES);
  check_integers(path, "contact_state", arrays.contact_state, VERTICES);
}

static void test_cell_fields(void **state) {
  (void)state;
  const char *path = scratch("cells.vtu");
  Arrays arrays;
  write_sample(path, &arrays, true);
  check_integers(path, "kind", (int[]){0, 0, 1, 1, 1}, CELLS);
  check_integers(path, "body", (int[]){0, 0, 0, 1, 1}, CELLS);
  check_integers(path, "material", (int[]){0, 1, 2, 2, 3}, CELLS);
  check_integers(path, "label", (int[]){-1, 0, -1, -1, 1}, CELLS);
  double stress[6 * CELLS] = {0}, von_mises[CELLS] = {0};
  memcpy(stress, arrays.stress, sizeof arrays.stress);
  for (int i = 0; i < TETS; i++)
    von_mises[i] = st_von_mises(arrays.stress + 6 * i);
  check_singles(path, "stress", stress, 6 * CELLS);
  check_singles(path, "von_mises", von_mises, CELLS);
}

static void test_fields_may_be_left_out(void **state) {
  (void)state;
  const char *path = scratch("plain.vtu");
  Arrays arrays;
  write_sample(path, &arrays, false);
  size_t size;
  char *file = scratch_read(path, &size);
  assert_null(memmem(file, size, "stress", 6));
  assert_null(memmem(file, size, "von_mises", 9));
  assert_null(memmem(file, size, "contact_gap", 11));
  free(file);
}

// A linear body and one of second order: an element of that is one cell of ten points, with the
// mean stress of its four points.
static void test_second_order(void **state) {
  (void)state;
  enum {
    LINEAR = 6,
    ELEMENTS = 6,
    PARTS = LINEAR + 8 * ELEMENTS,
    CORNERS = 4 * LINEAR + 10 * ELEMENTS
  };
  const BoxGrid grid = {{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 0};
  StBodyDesc body[2] = {{.name = "a", .mesh = box_mesh_create(&grid)},
                        {.name = "b", .mesh = box_mesh_create(&grid)}};
  assert_int_equal(st_mesh_raise_order(body[1].mesh, NULL), ST_OK);
  StMaterialDesc material = {.name = "m", .density = 1};
  StDescription description = {
      .material_count = 1, .material = &material, .body_count = 2, .body = body};
  int first = body[0].mesh->vertex_count, count = first + body[1].mesh->vertex_count;
  double position[3 * 64] = {0}, velocity[3 * 64] = {0}, stress[6 * PARTS] = {0};
  int inverted[PARTS] = {0};
  assert_true(count <= 64);
  memcpy(position, body[0].mesh->position, 3 * (size_t)first * sizeof(double));
  memcpy(position + 3 * first, body[1].mesh->position,
         3 * (size_t)(count - first) * sizeof(double));
  for (int t = 0; t < PARTS; t++)
    stress[6 * t] = t;
  inverted[LINEAR + 8 * 2 + 7] = 1;
  StSnapshot snapshot = {.vertex_count = count,
                         .tet_count = PARTS,
                         .position = position,
                         .velocity = velocity,
                         .inverted = inverted,
                         .stress = stress};
  const char *path = scratch("second.vtu");
  StFrameWriter *writer = NULL;
  StError error = {0};
  assert_int_equal(st_frame_writer_create(&description, ST_FRAMES_VTU, &writer, &error), ST_OK);
  assert_int_equal(st_frame_writer_tets(writer).count, PARTS);
  assert_int_equal(st_frame_write(writer, path, &snapshot, &error), ST_OK);
  st_frame_writer_destroy(writer);
  double value[6 * VALUES];
  assert_int_equal(read_array(path, "connectivity", "Int32", value), CORNERS);
  const int *part = body[1].mesh->tet; // of the first element: its nodes 0 – 1, 1 – 2, 0 – 2 …
  const int first_element[10] = {part[0], part[5], part[10], part[15], part[1],
                                 part[6], part[2], part[3],  part[7],  part[11]};
  for (int i = 0; i < 10; i++)
    assert_int_equal((int)value[4 * LINEAR + i], first + first_element[i]);
  int body_of[LINEAR + ELEMENTS] = {0}, turned[LINEAR + ELEMENTS] = {0};
  double mean[6 * (LINEAR + ELEMENTS)] = {0};
  for (int e = 0; e < LINEAR + ELEMENTS; e++) {
    body_of[e] = e >= LINEAR;
    mean[6 * e] = e < LINEAR ? e : LINEAR + 8 * (e - LINEAR) + 1.5;
  }
  turned[LINEAR + 2] = 1;
  check_integers(path, "body", body_of, LINEAR + ELEMENTS);
  check_integers(path, "inverted", turned, LINEAR + ELEMENTS);
  check_singles(path, "stress", mean, 6 * (LINEAR + ELEMENTS));
  st_mesh_destroy(body[0].mesh);
  st_mesh_destroy(body[1].mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mesh_comes_back),        cmocka_unit_test(test_point_fields),
      cmocka_unit_test(test_contact_fields),         cmocka_unit_test(test_cell_fields),
      cmocka_unit_test(test_fields_may_be_left_out), cmocka_unit_test(test_second_order),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
