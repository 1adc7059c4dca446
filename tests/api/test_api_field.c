// Fields by name, of simulations and of frames: what pressure, shear and energy density sum up to,
// and the pressure of Hertz.
#include "api/session.h"

#include <stiction/build.h>
#include <stiction/recording.h>

static const double YOUNG = 1e6, POISSON = 0.3;

// Of a block of 0.1 × 0.1 × 0.05 m on a floor; more: of the body, and of the scene.
#define BLOCK_ON_FLOOR(body, scene)                                                                \
  "{ \"analysis\": \"static\", \"load_steps\": 2, \"materials\": { \"rubber\": {"                  \
  " \"young\": \"1 MPa\", \"poisson\": 0.3, \"density\": 1000 },"                                  \
  " \"stone\": { \"law\": \"rigid\", \"density\": 1000 } },"                                       \
  " \"bodies\": { \"block\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"  \
  "  \"size_z\": 0.05, \"cells_x\": 4, \"cells_y\": 4, \"cells_z\": 2 }, " body ","                \
  "  \"translate\": [0, 0, 0.02505] } },"                                                          \
  " \"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } } }" scene " }"

#define FRICTION ", \"friction\": [{ \"between\": \"any\", \"dynamic\": 0.3 }]"

static StictionField field_of(Stiction *session, StictionSimulation *simulation, const char *name) {
  StictionField field;
  must(session, stiction_simulation_field(simulation, name, &field));
  assert_string_equal(field.name, name);
  assert_non_null(field.value);
  return field;
}

static StictionBody body_of(StictionScene *scene) {
  StictionBody body;
  assert_int_equal(stiction_scene_body(scene, 0, &body), STICTION_OK);
  return body;
}

// Of a third of the triangles of the skin around each vertex what faces downward, seen from below.
static double *areas_below(const StictionBody *body, const double *position) {
  double *area = calloc((size_t)body->vertex_count, sizeof *area);
  assert_non_null(area);
  for (int t = 0; t < body->skin_count; t++) {
    const int *corner = body->skin + 3 * t;
    const double *a = position + 3 * corner[0], *b = position + 3 * corner[1];
    const double *c = position + 3 * corner[2];
    double up = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    for (int i = 0; i < 3; i++)
      area[corner[i]] += fmax(-up, 0) / 3;
  }
  return area;
}

static void check_weight(Stiction *session, const char *text) {
  StictionScene *scene = parse_scene(session, text);
  StictionSimulation *simulation = start(session, scene);
  StictionBody body = body_of(scene);
  go_on(session, simulation, 1000);
  StictionField pressure = field_of(session, simulation, "contact_pressure");
  assert_string_equal(pressure.unit, "Pa");
  assert_true(!pressure.of_cells && pressure.components == 1);
  assert_int_equal(pressure.count, stiction_simulation_vertex_count(simulation));
  double *area = areas_below(&body, stiction_simulation_positions(simulation)), sum = 0;
  for (int v = 0; v < body.vertex_count; v++)
    sum += pressure.value[v] > 0 ? area[v] * pressure.value[v] : 0;
  assert_near(sum, 0.5 * 9.81, 1e-6);
  free(area);
  finish(scene, simulation);
}

// Of linear tets, of second order, and of a rigid body.
static void pressure_carries_the_weight(void **state) {
  check_weight(*state, BLOCK_ON_FLOOR("\"material\": \"rubber\"", FRICTION));
  check_weight(*state, BLOCK_ON_FLOOR("\"material\": \"rubber\", \"order\": 2", FRICTION));
  check_weight(*state, BLOCK_ON_FLOOR("\"material\": \"stone\"", FRICTION));
}

// Dragged by its top until all of it slides. Where shear points differs a little between
// neighbours, and so averages of it are a little shorter.
static void shear_of_what_slides_is_friction_times_pressure(void **state) {
  StictionScene *scene = parse_scene(
      *state, BLOCK_ON_FLOOR(
                  "\"material\": \"rubber\"", FRICTION
                  ", \"boundaries\": { \"top\": { \"region\": { \"label\": \"z+\" }, \"motion\": {"
                  " \"keys\": [{ \"time\": 0 }, { \"time\": 0.5, \"translate\": [0, 0, -0.0005] },"
                  " { \"time\": 1, \"translate\": [0.02, 0, -0.0005] }] } } }"));
  StictionSimulation *simulation = start(*state, scene);
  go_on(*state, simulation, 1000);
  StictionField pressure = field_of(*state, simulation, "contact_pressure");
  StictionField shear = field_of(*state, simulation, "contact_shear");
  StictionField size = field_of(*state, simulation, "contact_shear_magnitude");
  assert_int_equal(shear.components, 3);
  int sliding = 0;
  for (int v = 0; v < pressure.count; v++) {
    const double *s = shear.value + 3 * v;
    assert_near(size.value[v], sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]), 1e-9);
    assert_near(size.value[v], 0.3 * pressure.value[v], 0.02 * 0.3 * pressure.value[v]);
    sliding += pressure.value[v] > 0 && s[0] < 0;
  }
  assert_true(sliding > 10);
  finish(scene, simulation);
}

static double tet_volume(const double *x, const int *tet) {
  double e[3][3];
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 3; i++)
      e[a][i] = x[3 * tet[a + 1] + i] - x[3 * tet[0] + i];
  return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
          e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
         6;
}

static void check_energy(Stiction *session, const char *text) {
  StictionScene *scene = parse_scene(session, text);
  StictionSimulation *simulation = start(session, scene);
  StictionBody body = body_of(scene);
  go_on(session, simulation, 1000);
  StictionField density = field_of(session, simulation, "energy_density");
  assert_true(density.of_cells);
  assert_int_equal(density.count, body.tet_count);
  double sum = 0, wanted = NAN;
  for (int t = 0; t < body.tet_count; t++)
    sum += density.value[t] * tet_volume(body.rest, body.tet + 4 * t);
  const StictionReport *report = stiction_simulation_report(simulation);
  for (int f = 0; f < report->force_count; f++)
    if (strcmp(report->force[f].name, "solid") == 0)
      wanted = report->force[f].energy;
  assert_near(sum, wanted, 1e-9 * wanted);
  finish(scene, simulation);
}

static void energy_density_is_the_energy(void **state) {
  check_energy(*state, BLOCK_ON_FLOOR("\"material\": \"rubber\"", FRICTION));
  check_energy(*state, BLOCK_ON_FLOOR("\"material\": \"rubber\", \"order\": 2", FRICTION));
}

// Draws a ball together at its south, so that few tets resolve the contact there: the motion of the
// hyperbolic ball along its axis, which is conformal.
static void draw_south(double gather, double x[3]) {
  double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], along = -gather * x[2];
  double scale = 1 / (1 + 2 * along + gather * gather * square);
  double shift = (1 + 2 * along + square) * scale;
  for (int c = 0; c < 3; c++)
    x[c] *= (1 - gather * gather) * scale;
  x[2] -= gather * shift;
}

#define BALL                                                                                       \
  "\"bodies\": { \"ball\": { \"shape\": { \"type\": \"sphere\", \"radius\": 1, \"cells\": 8 } } }"
#define BALL_MATERIAL                                                                              \
  "\"materials\": { \"rubber\": { \"young\": \"1 MPa\", \"poisson\": 0.3, \"density\": 1 } }"

// Its mesh, above a floor.
static void add_ball(Stiction *session, StictionBuild *build, double gap) {
  StictionScene *plain =
      parse_scene(session, "{" BALL_MATERIAL ", " BALL ", \"time\": { \"duration\": 1 } }");
  StictionBody body = body_of(plain);
  double *x = malloc(3 * (size_t)body.vertex_count * sizeof *x);
  assert_non_null(x);
  memcpy(x, body.rest, 3 * (size_t)body.vertex_count * sizeof *x);
  for (int v = 0; v < body.vertex_count; v++) {
    draw_south(0.93, x + 3 * v);
    x[3 * v + 2] += 1 + gap;
  }
  const StictionMesh mesh = {.vertex_count = body.vertex_count,
                             .position = x,
                             .tet_count = body.tet_count,
                             .tet = body.tet};
  must(session, stiction_part_set_mesh(stiction_build_add_body(build, "ball", NULL), &mesh));
  free(x);
  stiction_scene_free(plain);
}

// A ball of 1 m pressed on a floor by its upper part. The pressure in the middle, 3 F/(2 π a²) with
// a³ = 3 F R/(4 E*), where about four cells lie between the middle and the rim of the contact.
static void pressure_in_the_middle_is_that_of_hertz(void **state) {
  StictionBuild *build = NULL;
  StictionScene *scene = NULL;
  must(*state,
       stiction_build_parse(
           "{ \"analysis\": \"static\", \"load_steps\": 2, \"gravity\": 0, " BALL_MATERIAL ","
           " \"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } } },"
           " \"contact\": { \"thickness\": \"25 um\" }, \"boundaries\": { \"north\": {"
           "  \"region\": { \"box\": { \"min\": [-2, -2, 0.3], \"max\": [2, 2, 3] } },"
           "  \"motion\": { \"keys\": [{ \"time\": 0 }, { \"time\": 1,"
           "   \"translate\": [0, 0, -0.925e-3] }] } } } }",
           &build));
  add_ball(*state, build, 25e-6);
  must(*state, stiction_scene_build(*state, build, &scene));
  StictionSimulation *simulation = start(*state, scene);
  StictionBody body = body_of(scene);
  go_on(*state, simulation, 1000);
  const double *contact, *x = body.rest;
  must(*state, stiction_simulation_forces(simulation, "contact", &contact));
  double force = 0, cell = INFINITY;
  int middle = 0;
  for (int v = 0; v < body.vertex_count; v++) {
    force += contact[3 * v + 2];
    middle = x[3 * v + 2] < x[3 * middle + 2] ? v : middle;
  }
  for (int v = 0; v < body.vertex_count; v++)
    if (v != middle && contact[3 * v + 2] > 0)
      cell = fmin(cell, hypot(x[3 * v] - x[3 * middle], x[3 * v + 1] - x[3 * middle + 1]));
  double modulus = YOUNG / (1 - POISSON * POISSON), radius = cbrt(0.75 * force / modulus);
  double wanted = 1.5 * force / (acos(-1) * radius * radius);
  double found = field_of(*state, simulation, "contact_pressure").value[middle];
  print_message("%.3g cells from middle to rim: %.5g Pa, by Hertz %.5g\n", radius / cell, found,
                wanted);
  assert_true(radius / cell > 3.5 && radius / cell < 5);
  assert_near(found, wanted, 0.03 * wanted);
  finish(scene, simulation);
  stiction_build_free(build);
}

// A frame has what the simulation had, by forces of single precision.
static void frames_have_the_same_fields(void **state) {
  StictionScene *scene =
      parse_scene(*state, BLOCK_ON_FLOOR("\"material\": \"rubber\", \"order\": 2", FRICTION));
  StictionSimulation *simulation = start(*state, scene);
  StictionRecording *recording = NULL;
  must(*state, stiction_scene_run(*state, scene,
                                  &(StictionRunOptions){.folder = "fields", .overwrite = true}));
  must(*state, stiction_recording_open(*state, "fields", &recording));
  go_on(*state, simulation, 1000);
  int last = stiction_recording_frame_count(recording) - 1;
  StictionField type, kept;
  for (int i = 0; stiction_field_type(i, &type); i++) {
    StictionField live = field_of(*state, simulation, type.name);
    must(*state, stiction_recording_field(*state, recording, last, type.name, &kept));
    assert_string_equal(kept.name, type.name);
    assert_string_equal(kept.unit, type.unit);
    assert_string_equal(kept.summary, type.summary);
    assert_true(kept.of_cells == type.of_cells && kept.components == type.components);
    assert_int_equal(kept.count, live.count);
    double size = 0;
    for (int k = 0; k < live.count * live.components; k++)
      size = fmax(size, fabs(live.value[k]));
    for (int k = 0; k < live.count * live.components; k++)
      assert_near(kept.value[k], live.value[k], 1e-6 * size);
  }
  must(*state, stiction_recording_field(*state, recording, last, "force_contact", &kept));
  assert_string_equal(kept.unit, "N");
  assert_int_equal(kept.components, 3);
  must_fail(*state, stiction_recording_field(*state, recording, last, "colour", &kept),
            STICTION_BAD_INPUT, "contact_pressure");
  must_fail(*state, stiction_recording_field(*state, recording, 77, "strain", &kept),
            STICTION_BAD_INPUT, "fields has frames 0 to 2, not 77");
  must_fail(*state, stiction_simulation_field(simulation, "colour", &kept), STICTION_BAD_INPUT,
            "there is no field \"colour\"; there are displacement, contact_pressure");
  stiction_recording_free(recording);
  finish(scene, simulation);
}

// Without forces frames cannot tell the pressure.
static void frames_without_forces_say_so(void **state) {
  StictionScene *scene =
      parse_scene(*state, BLOCK_ON_FLOOR("\"material\": \"rubber\"", FRICTION
                                         ", \"output\": { \"forces\": false, \"stress\": false }"));
  StictionRecording *recording = NULL;
  StictionField field;
  must(*state, stiction_scene_run(*state, scene,
                                  &(StictionRunOptions){.folder = "bare", .overwrite = true}));
  must(*state, stiction_recording_open(*state, "bare", &recording));
  must(*state, stiction_recording_field(*state, recording, 2, "von_mises", &field));
  assert_true(field.value[0] > 0);
  must_fail(*state, stiction_recording_field(*state, recording, 2, "contact_pressure", &field),
            STICTION_BAD_INPUT, "they have no contact forces");
  stiction_recording_free(recording);
  stiction_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pressure_carries_the_weight),
      cmocka_unit_test(shear_of_what_slides_is_friction_times_pressure),
      cmocka_unit_test(energy_density_is_the_energy),
      cmocka_unit_test(pressure_in_the_middle_is_that_of_hertz),
      cmocka_unit_test(frames_have_the_same_fields),
      cmocka_unit_test(frames_without_forces_say_so),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
