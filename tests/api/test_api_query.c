// Queries through the public interface: single contacts, bodies and probes in the report, nearest
// points on surfaces, and ray hits.
#include "api/session.h"

#define GUM                                                                                        \
  "\"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
#define BOX(at)                                                                                    \
  "{ \"material\": \"gum\", \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"     \
  " \"size_z\": 0.1, \"edge\": 0.05 }, " at " }"
#define TIME "\"time\": { \"duration\": 1, \"step\": \"10 ms\" }"
#define FLOOR "\"floor\": { \"shape\": { \"type\": \"half_space\" } }"

// Two boxes on each other, of 1 kg each, on a floor that pulls them along.
static const char STACK[] =
    "{" GUM "\"bodies\": { \"low\": " BOX("\"translate\": [0, 0, 0.0502]") ", \"top\": " BOX(
        "\"translate\": [0.02, 0.01, 0.1505]") " },"
                                               "\"obstacles\": {" FLOOR
                                               "}, \"friction\": [{ \"between\": \"any\", "
                                               "\"dynamic\": 0.5 }],"
                                               "\"probes\": { \"corner\": { \"body\": \"top\", "
                                               "\"region\": { \"label\": \"z+\" } },"
                                               " \"height\": { \"body\": \"low\", \"region\": { "
                                               "\"label\": \"z-\" }, \"to\": { \"body\": \"top\","
                                               " \"region\": { \"label\": \"z+\" } } } }," TIME "}";

static StictionSimulation *settle(Stiction *session, StictionScene *scene) {
  StictionSimulation *simulation = start(session, scene);
  must(session, stiction_simulation_advance(simulation, 0.6));
  return simulation;
}

// Contacts add up to the values of pairs and bodies in the report, and to the weights they carry.
static void contacts_carry_what_lies_on_them(void **state) {
  StictionScene *scene = parse_scene(*state, STACK);
  StictionSimulation *simulation = settle(*state, scene);
  const StictionContact *contact = NULL;
  int count = 0;
  must(*state, stiction_simulation_contacts(simulation, &contact, &count));
  const StictionReport *report = stiction_simulation_report(simulation);
  double force[8][3] = {{0}}, torque[8][3] = {{0}}, largest = 0;
  assert_true(count > 8 && report->pair_count <= 8);
  for (int i = 0; i < count; i++) {
    const StictionContact *c = &contact[i];
    double size = 0;
    for (int k = 0; k < 3; k++) {
      force[c->pair][k] += c->force[k];
      torque[c->pair][k] += c->point[(k + 1) % 3] * c->force[(k + 2) % 3] -
                            c->point[(k + 2) % 3] * c->force[(k + 1) % 3];
      size += c->normal[k] * c->normal[k];
      assert_near(c->force[k], c->normal_force * c->normal[k] + c->friction[k], 1e-9);
    }
    assert_near(size, 1, 1e-12);
    assert_true(c->gap > 0 && c->normal_force >= 0);
    assert_true(c->state == 1 || c->state == 2);
    assert_true((c->other_body < 0) != (c->obstacle < 0));
    assert_true(c->vertex_count >= 1 && c->vertex[0] >= 0);
    assert_true(c->obstacle < 0 || c->other_vertex_count == 0);
    assert_true(c->obstacle < 0 || (c->normal[2] == 1 && fabs(c->point[2]) < 1e-3));
    largest = fmax(largest, c->normal_force);
  }
  assert_true(largest > 0);
  for (int p = 0; p < report->pair_count; p++)
    for (int k = 0; k < 3; k++) {
      assert_near(force[p][k], report->pair[p].force[k], 1e-9);
      assert_near(torque[p][k], report->pair[p].torque[k], 1e-9);
    }
  assert_int_equal(report->body_count, 2);
  assert_near(report->body[1].contact_force[2], 9.81, 2e-3);
  assert_near(report->body[0].contact_force[2], 9.81, 2e-3); // carries two, bears one
  assert_near(report->body[1].contact_force[0], 0, 2e-3);
  for (int b = 0; b < 2; b++)
    for (int k = 0; k < 3; k++)
      assert_near(report->body[b].contact_torque[k], 0, 1e-3);
  finish(scene, simulation);
}

// Two boxes that fly and spin, against formulas.
static void bodies_are_as_they_move(void **state) {
  static const char FLYING[] =
      "{" GUM "\"bodies\": { \"one\": " BOX("\"velocity\": [1, 2, 3]") ", \"two\": " BOX(
          "\"translate\": [1, 0, 0], \"angular_velocity\": [0, 0, 0.1]") " },"
                                                                         "\"gravity\": 2," TIME "}";
  StictionScene *scene = parse_scene(*state, FLYING);
  StictionSimulation *simulation = start(*state, scene);
  const StictionBodyReport *one = &stiction_simulation_report(simulation)->body[0];
  const StictionBodyReport *two = &stiction_simulation_report(simulation)->body[1];
  assert_string_equal(one->name, "one");
  assert_near(one->mass, 1, 1e-12);
  assert_near(one->volume, 1e-3, 1e-15);
  assert_near(one->kinetic_energy, 7, 1e-12);
  assert_near(one->momentum[2], 3, 1e-12);
  assert_near(one->velocity[1], 2, 1e-12);
  assert_near(two->centre[0], 1, 1e-12);
  assert_near(two->potential_energy, 0, 1e-12);
  assert_near(two->angular_momentum[0], 0, 1e-12);
  // Lumped masses lie farther out than the box: more than m a²/6 · ω.
  assert_true(two->angular_momentum[2] > 1e-2 / 6 * 0.1 &&
              two->angular_momentum[2] < 1e-2 / 2 * 0.1);
  must(*state, stiction_simulation_advance(simulation, 0.1));
  const StictionReport *report = stiction_simulation_report(simulation);
  double elastic = report->body[0].elastic_energy + report->body[1].elastic_energy;
  double kinetic = report->body[0].kinetic_energy + report->body[1].kinetic_energy;
  double potential = report->body[0].potential_energy + report->body[1].potential_energy;
  assert_near(report->body[0].velocity[2], 2.8, 1e-9);
  assert_near(kinetic, report->kinetic_energy, 1e-12);
  assert_near(kinetic + elastic + potential, report->total_energy, 1e-12);
  assert_true(report->body[1].elastic_energy > 0); // it swells as it spins
  finish(scene, simulation);
}

static void probes_are_where_their_vertices_are(void **state) {
  StictionScene *scene = parse_scene(*state, STACK);
  StictionSimulation *simulation = settle(*state, scene);
  const StictionReport *report = stiction_simulation_report(simulation);
  assert_int_equal(report->probe_count, 2);
  assert_string_equal(report->probe[0].name, "corner");
  assert_true(isnan(report->probe[0].distance));
  StictionBody top;
  must(*state, stiction_scene_body(scene, 1, &top));
  const double *position = stiction_simulation_positions(simulation);
  double sum[3] = {0};
  int count = 0;
  for (int v = 0; v < top.vertex_count; v++)
    if (top.rest[3 * v + 2] > 0.2) {
      count++;
      for (int k = 0; k < 3; k++)
        sum[k] += position[3 * (top.first_vertex + v) + k];
    }
  assert_int_equal(count, 9);
  for (int k = 0; k < 3; k++)
    assert_near(report->probe[0].point[k], sum[k] / count, 1e-12);
  double dx = report->probe[1].point[0] - sum[0] / count,
         dy = report->probe[1].point[1] - sum[1] / count,
         dz = report->probe[1].point[2] - sum[2] / count;
  assert_near(report->probe[1].distance, sqrt(dx * dx + dy * dy + dz * dz), 1e-12);
  finish(scene, simulation);
}

static const char SHAPES[] = "{" GUM "\"bodies\": { \"brick\": " BOX(
    "\"translate\": [0, 0, 1]") " }, \"gravity\": 0,"
                                "\"obstacles\": {" FLOOR ", \"ball\": { \"shape\": { \"type\": "
                                "\"sphere\", \"radius\": 0.2 },"
                                " \"translate\": [1, 0, 1] } }," TIME "}";

static void surfaces_are_found(void **state) {
  StictionScene *scene = parse_scene(*state, SHAPES);
  StictionSimulation *simulation = start(*state, scene);
  StictionHit hit;
  must(*state,
       stiction_simulation_nearest(simulation, NULL, (double[]){0.01, 0.02, 1.3}, INFINITY, &hit));
  assert_int_equal(hit.body, 0);
  assert_int_equal(hit.obstacle, -1);
  assert_near(hit.distance, 0.25, 1e-12);
  assert_near(hit.point[0], 0.01, 1e-12);
  assert_near(hit.point[2], 1.05, 1e-12);
  assert_near(hit.normal[2], 1, 1e-12);
  StictionBody brick;
  must(*state, stiction_scene_body(scene, 0, &brick));
  double corner[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      corner[k] += hit.weight[i] * brick.rest[3 * brick.skin[3 * hit.triangle + i] + k];
  for (int k = 0; k < 3; k++)
    assert_near(corner[k], hit.point[k], 1e-12);
  // Nearest to a corner, an edge, and from within.
  must(*state, stiction_simulation_nearest(simulation, "brick", (double[]){0.15, 0.15, 1.15},
                                           INFINITY, &hit));
  assert_near(hit.distance, 0.1 * sqrt(3), 1e-12);
  must(*state,
       stiction_simulation_nearest(simulation, "brick", (double[]){0, 0.15, 1.15}, INFINITY, &hit));
  assert_near(hit.distance, 0.1 * sqrt(2), 1e-12);
  must(*state,
       stiction_simulation_nearest(simulation, "brick", (double[]){0, 0, 0.96}, INFINITY, &hit));
  assert_near(hit.distance, 0.01, 1e-12);
  must(*state,
       stiction_simulation_nearest(simulation, NULL, (double[]){0.7, 0, 1}, INFINITY, &hit));
  assert_int_equal(hit.obstacle, 1);
  assert_near(hit.distance, 0.1, 1e-12);
  must(*state, stiction_simulation_nearest(simulation, NULL, (double[]){0.7, 0, 1}, 0.05, &hit));
  assert_true(hit.body == -1 && hit.obstacle == -1 && isinf(hit.distance));
  // Rays: through the box, past it, at the sphere, and down to the floor.
  must(*state, stiction_simulation_ray(simulation, NULL, (double[]){-1, 0.01, 1.02},
                                       (double[]){5, 0, 0}, INFINITY, &hit));
  assert_int_equal(hit.body, 0);
  assert_near(hit.distance, 0.95, 1e-12);
  assert_near(hit.normal[0], -1, 1e-12);
  must(*state, stiction_simulation_ray(simulation, NULL, (double[]){-1, 0.06, 1},
                                       (double[]){1, 0, 0}, INFINITY, &hit));
  assert_int_equal(hit.obstacle, 1);
  assert_near(hit.point[0], 1 - sqrt(0.04 - 0.0036), 1e-9);
  must(*state, stiction_simulation_ray(simulation, NULL, (double[]){0, 0.06, 1},
                                       (double[]){0, 0, -1}, INFINITY, &hit));
  assert_int_equal(hit.obstacle, 0);
  assert_near(hit.distance, 1, 1e-9);
  must(*state, stiction_simulation_ray(simulation, NULL, (double[]){0, 0, 2}, (double[]){0, 0, 1},
                                       INFINITY, &hit));
  assert_true(isinf(hit.distance));
  must_fail(*state,
            stiction_simulation_nearest(simulation, "bric", (double[]){0, 0, 0}, INFINITY, &hit),
            STICTION_BAD_INPUT, "did you mean \"brick\"");
  must_fail(*state,
            stiction_simulation_ray(simulation, NULL, (double[]){0, 0, 0}, (double[]){0, 0, 0},
                                    INFINITY, &hit),
            STICTION_BAD_INPUT, "direction");
  finish(scene, simulation);
}

// The tree finds what a brute-force search over all triangles finds, on a body that has moved and
// bent.
static void the_nearest_is_the_nearest(void **state) {
  StictionScene *scene = parse_scene(*state, STACK);
  StictionSimulation *simulation = settle(*state, scene);
  const double *position = stiction_simulation_positions(simulation);
  unsigned seed = 7;
  for (int trial = 0; trial < 200; trial++) {
    double point[3], best = INFINITY;
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525u + 1013904223u;
      point[k] = 0.4 * (seed / 4294967296.0) - 0.2;
    }
    StictionHit hit;
    must(*state, stiction_simulation_nearest(simulation, "low", point, INFINITY, &hit));
    StictionBody body;
    must(*state, stiction_scene_body(scene, 0, &body));
    for (int t = 0; t < body.skin_count; t++) // points of each triangle, finely spread
      for (int i = 0; i <= 20; i++)
        for (int j = 0; j <= 20 - i; j++) {
          double square = 0;
          for (int k = 0; k < 3; k++) {
            const int *corner = body.skin + 3 * t;
            double x = (i * position[3 * corner[0] + k] + j * position[3 * corner[1] + k] +
                        (20 - i - j) * position[3 * corner[2] + k]) /
                       20;
            square += (x - point[k]) * (x - point[k]);
          }
          best = fmin(best, sqrt(square));
        }
    assert_true(hit.distance <= best + 1e-12 && hit.distance >= best - 0.004);
  }
  finish(scene, simulation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_carry_what_lies_on_them),
      cmocka_unit_test(bodies_are_as_they_move),
      cmocka_unit_test(probes_are_where_their_vertices_are),
      cmocka_unit_test(surfaces_are_found),
      cmocka_unit_test(the_nearest_is_the_nearest),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
