// Bodies of tets of second order: a cantilever one cell through, and the order of convergence.
#include "mesh/second_order.h"
#include "solve/runtime.h"
#include "scene/scene.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// All vertices of the boundary go where the field takes them, within the first step.
typedef void Field(const double X[3], double u[3]);

static void prescribe_surface(StDescription *d, Field *field) {
  const StMesh *mesh = d->body[0].mesh;
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *X = mesh->position + 3 * v;
    bool inside = true;
    for (int c = 0; c < 3; c++)
      inside = inside && X[c] > 1e-9 && X[c] < 1 - 1e-9;
    if (inside)
      continue;
    StBoundaryDesc *boundary = world_add_boundary(d);
    boundary->vertex = ST_NEW(int, 1);
    boundary->vertex[0] = v;
    boundary->vertex_count = 1;
    double time[] = {0, 1}, shift[6] = {0};
    field(X, shift + 3);
    assert_int_equal(
        st_motion_set_keys(&boundary->motion, 2, time, shift, NULL, ST_LINEAR, false, NULL), ST_OK);
  }
}

// u = ∇φ with φ harmonic has neither a divergence nor a curl: it is in balance without weight.
static void harmonic(const double X[3], double u[3]) {
  const double a = 1e-4, k = 2, grow = exp(sqrt(2) * k * X[0]);
  const double y[2] = {cos(k * X[1]), sin(k * X[1])}, z[2] = {cos(k * X[2]), sin(k * X[2])};
  u[0] = a * sqrt(2) * grow * y[0] * z[0];
  u[1] = -a * grow * y[1] * z[0];
  u[2] = -a * grow * y[0] * z[1];
}

static World still_world(int cells, bool second_order) {
  return (World){.grid = {.cells = {cells, cells, cells}, .high = {1, 1, 1}, .jitter = 0.1},
                 .law = "linear",
                 .young = 1e8,
                 .poisson = 0.3,
                 .density = 1,
                 .integrator = "be",
                 .step = 100,
                 .duration = 300,
                 .solver = ST_SOLVER_DIRECT,
                 .second_order = second_order};
}

static void weigh(const double L[4], bool second_order, double N[ST_SECOND_NODES]) {
  for (int a = 0; a < 4; a++)
    N[a] = second_order ? L[a] * (2 * L[a] - 1) : L[a];
  for (int e = 0; e < 6; e++)
    N[4 + e] = second_order ? 4 * L[st_second_edge[e][0]] * L[st_second_edge[e][1]] : 0;
}

// Squared error at a point of an element.
static double error_at(const StMesh *mesh, const double *position, const int *node,
                       const double L[4], Field *exact) {
  double N[ST_SECOND_NODES], X[3] = {0}, x[3] = {0}, u[3], sum = 0;
  weigh(L, mesh->second_order, N);
  for (int a = 0; a < (mesh->second_order ? ST_SECOND_NODES : 4); a++)
    for (int i = 0; i < 3; i++) {
      X[i] += N[a] * mesh->position[3 * node[a] + i];
      x[i] += N[a] * position[3 * node[a] + i];
    }
  exact(X, u);
  for (int i = 0; i < 3; i++)
    sum += (x[i] - X[i] - u[i]) * (x[i] - X[i] - u[i]);
  return sum;
}

// Mean over elements, by four points of each.
static double mean_error(const StMesh *mesh, const double *position, Field *exact) {
  int each = mesh->second_order ? ST_SECOND_PARTS : 1, elements = st_mesh_element_count(mesh);
  double sum = 0;
  for (int e = 0; e < elements; e++) {
    int node[ST_SECOND_NODES];
    if (mesh->second_order)
      st_second_nodes(mesh->tet + 4 * each * e, node);
    else
      memcpy(node, mesh->tet + 4 * e, 4 * sizeof(int));
    for (int p = 0; p < 4; p++) {
      double L[4];
      for (int a = 0; a < 4; a++)
        L[a] = a == p ? 0.58541020 : 0.13819660;
      sum += error_at(mesh, position, node, L, exact);
    }
  }
  return sqrt(sum / (4 * elements));
}

static double solved_error(int cells, bool second_order) {
  World world = still_world(cells, second_order);
  StDescription *d = world_create(&world);
  prescribe_surface(d, harmonic);
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  StSnapshot result = world_snapshot(simulation);
  double error = mean_error(d->body[0].mesh, result.position, harmonic);
  st_snapshot_free(&result);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return error;
}

static void orders_of_convergence(void **state) {
  (void)state;
  for (int second = 0; second < 2; second++) {
    double error[3];
    for (int i = 0; i < 3; i++)
      error[i] = solved_error(2 << i, second);
    print_message("%s: %.3e, %.3e, %.3e: orders %.2f, %.2f\n", second ? "second order" : "linear",
                  error[0], error[1], error[2], log2(error[0] / error[1]),
                  log2(error[1] / error[2]));
    assert_true(fabs(log2(error[1] / error[2]) - (second ? 3 : 2)) < 0.2);
  }
}

// Under its own weight, one cell through, against Timoshenko's beam: bending q L⁴/(8 E I) and shear
// q L²/(2 k G A), k = 5/6. The clamp does not hinder contraction for a Poisson's ratio of 0.
static void cantilevers_bend_right(void **state) {
  (void)state;
  const double length = 1, side = 0.1, E = 1e8, q = 1000 * 9.81 * side * side;
  const double inertia = pow(side, 4) / 12,
               theory = q / (8 * E * inertia) + q / (5. / 6 * E * 0.01);
  World world = {.grid = {.cells = {10, 1, 1}, .high = {length, side, side}},
                 .law = "linear",
                 .young = E,
                 .density = 1000,
                 .integrator = "be",
                 .step = 100,
                 .duration = 300,
                 .solver = ST_SOLVER_DIRECT,
                 .second_order = true};
  StDescription *d = world_create(&world);
  d->gravity[2] = -9.81;
  world_hold(d, 0, 0);
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  StSnapshot result = world_snapshot(simulation);
  double sum = 0;
  int count = 0;
  for (int v = 0; v < result.vertex_count; v++)
    if (d->body[0].mesh->position[3 * v] > length - 1e-9) {
      sum += d->body[0].mesh->position[3 * v + 2] - result.position[3 * v + 2];
      count++;
    }
  print_message("tip %.6g m, in theory %.6g m\n", sum / count, theory);
  assert_true(fabs(sum / count / theory - 1) < 0.01);
  st_snapshot_free(&result);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
}

// The same with a load at its end, on a support as beam theory has it: it holds the section upright
// and the axis, and lets the section contract. What a clamp does to it is no error of the beam.
static double bent_over_theory(double poisson) {
  const double length = 1, side = 0.1, young = 1e6, force = 0.025,
               shear = young / 2 / (1 + poisson);
  const double theory = force * pow(length, 3) / (3 * young * pow(side, 4) / 12) +
                        force * length / (5. / 6 * shear * side * side);
  char text[1200];
  StError error = {0};
  StDescription *d;
  snprintf(
      text, sizeof text,
      "{\"analysis\": \"static\", \"load_steps\": 1, \"gravity\": 0, \"materials\": {\"m\": {"
      "\"law\": \"linear\", \"young\": %g, \"poisson\": %g, \"density\": 1000}}, \"bodies\": "
      "{\"b\": {\"shape\": {\"type\": \"box\", \"size_x\": 1, \"size_y\": 0.1, \"size_z\": 0.1, "
      "\"cells_x\": 10, \"cells_y\": 1, \"cells_z\": 1}, \"order\": 2}}, \"boundaries\": {"
      "\"upright\": {\"region\": {\"label\": \"x-\"}, \"hold\": [\"x\"]}, "
      "\"up\": {\"region\": {\"box\": {\"min\": [-0.51, -1, -1e-4], \"max\": [-0.499, 1, "
      "1e-4]}}, \"hold\": [\"z\"]}, "
      "\"aside\": {\"region\": {\"box\": {\"min\": [-0.51, -1e-4, -1], \"max\": [-0.499, "
      "1e-4, 1]}}, \"hold\": [\"y\"]}}, "
      "\"loads\": {\"p\": {\"region\": {\"label\": \"x+\"}, \"force\": [0, 0, %g]}}, "
      "\"probes\": {\"tip\": {\"body\": \"b\", \"region\": {\"label\": \"x+\"}}}}",
      young, poisson, -force);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &d, &error) != ST_OK)
    fail_msg("%s", error.text);
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  double bent = -st_simulation_report(simulation)->probe[0].point[2] / theory;
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return bent;
}

static void one_cell_bends_right_at_any_ratio(void **state) {
  (void)state;
  const double poisson[] = {0, 0.3, 0.45, 0.49};
  for (int i = 0; i < ST_LENGTH(poisson); i++) {
    double bent = bent_over_theory(poisson[i]);
    print_message("Poisson's ratio %g: %.4f of Timoshenko's beam\n", poisson[i], bent);
    assert_true(fabs(bent - 1) < 0.01);
  }
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_of_convergence),
      cmocka_unit_test(cantilevers_bend_right),
      cmocka_unit_test(one_cell_bends_right_at_any_ratio),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
