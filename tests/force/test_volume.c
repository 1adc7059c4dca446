// Volumes: the table behind the figure of the three energies, pressure times area, what rigid
// motion and distance must not change, and what is refused.
#include "force/volume.h"
#include "support/compare.h"
#include "support/force_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double atm = 101325;
static const double box_volume = 0.45; // of the scene's first body at rest

// The scene with one space, around its first body.
static StVolumeDesc *only_volume(ForceScene *scene, const char *model) {
  assert_true(scene_create(scene, (SceneChoice){0}));
  StVolumeDesc *volume = &scene->volume[0];
  assert_int_equal(scene->volume[0].triangle_count, 32);
  volume->model = (StChoice){st_volume_model_find(model)->name, {1 / atm}};
  volume->rest_volume = 1;
  volume->outside_pressure = atm;
  volume->pressure = (StCurve){0};
  for (int i = 1; i < scene->description.volume_count; i++)
    free(scene->volume[i].triangle);
  scene->description.volume_count = 1;
  return volume;
}

static void *create(const ForceScene *scene) {
  void *data;
  bool present;
  StForceSite site = {.description = &scene->description, .piece = scene->piece};
  assert_int_equal(st_force_create(&st_force_volume, &site, &data, &present, NULL), ST_OK);
  assert_true(present);
  return data;
}

// All bodies at rest, but magnified until the first has this volume.
static void magnify(ForceScene *scene, double volume) {
  double s = cbrt(volume / box_volume);
  for (int i = 0; i < scene->numbers; i++)
    scene->position[i] = s * scene->piece->rest[i];
}

static double *force_at(const ForceScene *scene, const void *data) {
  double *force = ST_NEW(double, scene->numbers);
  StPoint at = scene_point(scene);
  StTrouble trouble;
  assert_non_null(force);
  assert_true(st_force_volume.add(data, &at, force, &trouble));
  return force;
}

// Energy in atm m³ and absolute pressure in atm at V/V₀, V₀ = 1 m³, κ = 1/atm, P = P₀ = 1 atm.
typedef struct Row {
  const char *model;
  double ratio, energy, pressure;
} Row;

static const Row table[] = {
    {"quadratic", 0.25, 0.28125, 1.75},
    {"quadratic", 0.5, 0.125, 1.5},
    {"quadratic", 0.75, 0.03125, 1.25},
    {"quadratic", 1, 0, 1},
    {"quadratic", 1.5, 0.125, 0.5},
    {"quadratic", 2, 0.5, 0},
    {"ideal_gas", 0.25, 0.636294361119890619, 4},
    {"ideal_gas", 0.5, 0.193147180559945309, 2},
    {"ideal_gas", 0.75, 0.0376820724517809274, 1.33333333333333333},
    {"ideal_gas", 1, 0, 1},
    {"ideal_gas", 1.5, 0.0945348918918356180, 0.666666666666666667},
    {"ideal_gas", 2, 0.306852819440054691, 0.5},
    {"nearly_incompressible", 0.25, 0.403426409720027345, 2.38629436111989062},
    {"nearly_incompressible", 0.5, 0.153426409720027345, 1.69314718055994531},
    {"nearly_incompressible", 0.75, 0.0342384456611643045, 1.28768207245178093},
    {"nearly_incompressible", 1, 0, 1},
    {"nearly_incompressible", 1.5, 0.108197662162246573, 0.594534891891835618},
    {"nearly_incompressible", 2, 0.386294361119890619, 0.306852819440054691},
};

static void energies_and_pressures_are_those_of_the_table(void **unused) {
  (void)unused;
  for (int i = 0; i < ST_LENGTH(table); i++) {
    ForceScene scene;
    const Row *row = &table[i];
    only_volume(&scene, row->model);
    void *data = create(&scene);
    magnify(&scene, row->ratio);
    StPoint at = scene_point(&scene);
    double volume, pressure;
    assert_int_equal(st_volume_zone_count(data), 1);
    st_volume_read(data, &at, 0, &volume, &pressure);
    assert_true(fabs(volume - row->ratio) < 1e-14);
    assert_true(fabs(pressure / atm - row->pressure) < 1e-13);
    assert_true(fabs(st_force_volume.energy(data, &at) / atm - row->energy) < 1e-13);
    st_force_volume.destroy(data);
    scene_destroy(&scene);
  }
}

// With κ = 1/P the three are one to second order, with any pressure inside at rest.
static void models_agree_near_rest(void **unused) {
  (void)unused;
  StFilling filling = {0.7, atm, 1.6 * atm, 1 / (1.6 * atm)};
  double first[3], slope[3];
  const double step = 1e-3;
  st_volume_models[0]->slopes(&filling, filling.rest_volume * (1 + step), first);
  for (int m = 0; m < 3; m++) {
    st_volume_models[m]->slopes(&filling, filling.rest_volume, slope);
    assert_true(fabs(slope[0]) < 1e-12 * atm && fabs(slope[1] + 0.6 * atm) < 1e-10);
    assert_true(fabs(slope[2] * 0.7 / (1.6 * atm) - 1) < 1e-14);
    st_volume_models[m]->slopes(&filling, filling.rest_volume * (1 + step), slope);
    assert_true(fabs(slope[0] - first[0]) < 1.6 * atm * step * step * step);
    assert_true(fabs(slope[1] - first[1]) < 2 * 1.6 * atm * step * step);
  }
}

// Each energy's slopes by complex numbers, from the kernel's own second compilation.
static void slopes_are_slopes(void **unused) {
  (void)unused;
  StFilling filling = {0.7, atm, 1.6 * atm, 0.3 / atm};
  for (int m = 0; st_volume_models[m]; m++)
    for (double V = 0.2; V < 3; V += 0.37) {
      double slope[3];
      StDual dual[3];
      st_volume_models[m]->slopes(&filling, V, slope);
      st_volume_models[m]->slopes_complex(&filling, s_dual(V, 1), dual);
      for (int k = 0; k < 2; k++) {
        assert_true(fabs(creal(dual[k]) - slope[k]) <= 1e-14 * (fabs(slope[k]) + atm));
        assert_true(fabs(s_derivative(dual[k]) - slope[k + 1]) <= 1e-14 * (fabs(slope[k]) + atm));
      }
    }
}

static void models_are_described(void **unused) {
  (void)unused;
  for (int m = 0; st_volume_models[m]; m++) {
    const StVolumeModel *model = st_volume_models[m];
    assert_ptr_equal(st_volume_model_find(model->name), model);
    assert_true(strlen(model->summary) > 20);
    for (int i = 0; i < model->param_count; i++) {
      assert_true(st_dimension_equal(model->param[i].dimension, ST_COMPRESSIBILITY));
      assert_true(model->param[i].fallback * atm == 1);
    }
  }
  assert_string_equal(st_volume_models[0]->name, "quadratic");
  assert_null(st_volume_model_find("foam"));
}

// No model divides by the pressure outside.
static void vacuum_outside_is_no_trouble(void **unused) {
  (void)unused;
  for (int m = 0; st_volume_models[m]; m++) {
    ForceScene scene;
    double time[] = {0}, pressure[] = {2 * atm}, volume, inside;
    StVolumeDesc *desc = only_volume(&scene, st_volume_models[m]->name);
    desc->outside_pressure = 0;
    desc->pressure = (StCurve){.key_count = 1, .time = time, .value = pressure};
    void *data = create(&scene);
    StPoint at = scene_point(&scene);
    magnify(&scene, 1);
    st_volume_read(data, &at, 0, &volume, &inside);
    assert_true(fabs(inside / (2 * atm) - 1) < 1e-13);
    magnify(&scene, 1.25);
    st_volume_read(data, &at, 0, &volume, &inside);
    if (strcmp(desc->model.name, "ideal_gas") == 0)
      assert_true(fabs(inside * volume / (2 * atm) - 1) < 1e-13);
    if (strcmp(desc->model.name, "prescribed") == 0)
      assert_true(inside == 2 * atm);
    st_force_volume.destroy(data);
    scene_destroy(&scene);
  }
}

// Forces along x come from the faces across x alone, whatever their triangles.
static void force_is_pressure_times_area(void **unused) {
  (void)unused;
  ForceScene scene;
  double time[] = {0, 1}, pressure[] = {atm, 3 * atm};
  StVolumeDesc *desc = only_volume(&scene, "prescribed");
  desc->pressure = (StCurve){.key_count = 2, .time = time, .value = pressure};
  void *data = create(&scene);
  magnify(&scene, box_volume);
  double *force = force_at(&scene, data), side[3] = {1, 0.9, 0.5};
  double extra = 2 * 0.7 * atm; // at the scene's time
  for (int k = 0; k < 3; k++) {
    double low = 0, high = 0;
    for (int v = 0; v < scene.body[0].mesh->vertex_count; v++) {
      double x = scene.position[3 * v + k];
      low += x == 0 ? force[3 * v + k] : 0;
      high += x == side[k] ? force[3 * v + k] : 0;
      if (x > 0 && x < side[k])
        assert_true(fabs(force[3 * v + k]) < 1e-11 * extra);
    }
    double area = box_volume / side[k];
    assert_true(fabs(high / (extra * area) - 1) < 1e-13);
    assert_true(fabs(low / (extra * area) + 1) < 1e-13);
  }
  for (int i = 3 * scene.body[0].mesh->vertex_count; i < scene.numbers; i++)
    assert_true(force[i] == 0);
  free(force);
  st_force_volume.destroy(data);
  scene_destroy(&scene);
}

static void closed_surfaces_do_not_push_themselves(void **unused) {
  (void)unused;
  ForceScene scene;
  only_volume(&scene, "ideal_gas");
  void *data = create(&scene);
  double *force = force_at(&scene, data), net[3] = {0}, torque[3] = {0}, arm[3];
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    vec3_add_scaled(1, force + 3 * v, net);
    vec3_cross(scene.position + 3 * v, force + 3 * v, arm);
    vec3_add_scaled(1, arm, torque);
  }
  double scale = largest(scene.numbers, force);
  assert_true(scale > 1e3);
  assert_true(vec3_length(net) < 1e-14 * scale && vec3_length(torque) < 1e-14 * scale);
  free(force);
  st_force_volume.destroy(data);
  scene_destroy(&scene);
}

static void rigid_motion_turns_forces_alone(void **unused) {
  (void)unused;
  ForceScene scene;
  only_volume(&scene, "nearly_incompressible");
  void *data = create(&scene);
  double *before = force_at(&scene, data), *turned = ST_NEW(double, scene.numbers), R[9];
  StPoint at = scene_point(&scene);
  double energy = st_force_volume.energy(data, &at);
  mat3_rotation((double[3]){0.36, -0.48, 0.8}, 2.2, R);
  for (int v = 0; v < scene.piece->vertex_count; v++) {
    double x[3];
    mat3_apply(R, before + 3 * v, turned + 3 * v);
    mat3_apply(R, scene.position + 3 * v, x);
    vec3_set(x[0] + 3, x[1] - 7, x[2] + 2, scene.position + 3 * v);
  }
  double *after = force_at(&scene, data);
  assert_true(relative_error(scene.numbers, after, turned) < 1e-13);
  assert_true(fabs(st_force_volume.energy(data, &at) - energy) < 1e-13 * fabs(energy));
  free(before);
  free(turned);
  free(after);
  st_force_volume.destroy(data);
  scene_destroy(&scene);
}

// Positions on a grid of 2⁻²⁰ m can be carried a kilometre away without rounding: nothing may
// change but by the rounding of the sums themselves.
static void a_kilometre_away_all_digits_are_kept(void **unused) {
  (void)unused;
  ForceScene scene;
  only_volume(&scene, "ideal_gas");
  void *data = create(&scene);
  for (int i = 0; i < scene.numbers; i++)
    scene.position[i] = nearbyint(scene.position[i] * 0x1p20) * 0x1p-20;
  StPoint at = scene_point(&scene);
  double energy = st_force_volume.energy(data, &at), *before = force_at(&scene, data);
  for (int i = 0; i < scene.numbers; i++)
    scene.position[i] += i % 3 == 1 ? -1000 : 1000;
  double *after = force_at(&scene, data);
  assert_true(relative_error(scene.numbers, after, before) < 1e-15);
  assert_true(fabs(st_force_volume.energy(data, &at) - energy) <= 1e-15 * fabs(energy));
  free(before);
  free(after);
  st_force_volume.destroy(data);
  scene_destroy(&scene);
}

static void turned_inside_out_only_some_go_on(void **unused) {
  (void)unused;
  for (int m = 0; st_volume_models[m]; m++) {
    ForceScene scene;
    only_volume(&scene, st_volume_models[m]->name);
    void *data = create(&scene);
    for (int v = 0; v < scene.piece->vertex_count; v++)
      scene.position[3 * v] *= -1;
    StPoint at = scene_point(&scene);
    double *force = ST_NEW(double, scene.numbers);
    StTrouble trouble = {.vertex = -1};
    bool barrier = st_volume_models[m]->barrier;
    assert_int_equal(st_force_volume.add(data, &at, force, &trouble), !barrier);
    assert_int_equal(isinf(st_force_volume.energy(data, &at)) != 0, barrier);
    if (barrier) {
      assert_int_equal(trouble.vertex, scene.volume[0].triangle[0]);
      assert_string_equal(trouble.reason, "the volume is not positive");
      assert_string_equal(trouble.force, "volume");
    }
    scene.position[3 * scene.volume[0].triangle[4]] = NAN;
    assert_false(st_force_volume.add(data, &at, force, &trouble));
    free(force);
    st_force_volume.destroy(data);
    scene_destroy(&scene);
  }
}

static void assert_refused(const ForceScene *scene, const char *message) {
  StForceSite site = {.description = &scene->description, .piece = scene->piece};
  StError error = {0};
  void *data;
  bool present;
  assert_int_equal(st_force_create(&st_force_volume, &site, &data, &present, &error), ST_BAD_INPUT);
  assert_null(data);
  error.text[strlen(message)] = 0; // what follows is the surface's own business
  assert_string_equal(error.text, message);
}

static void bad_volumes_are_refused(void **unused) {
  (void)unused;
  ForceScene scene;
  StVolumeDesc *desc = only_volume(&scene, "quadratic"), good = *desc;
  desc->rest_volume = 0;
  assert_refused(&scene, "volume (unnamed): the rest volume is 0 m^3; it must be positive");
  *desc = good;
  desc->model.value[0] = 0;
  assert_refused(&scene, "volume (unnamed): the compressibility is 0 1/Pa; it must be positive");
  *desc = good;
  desc->outside_pressure = -1;
  assert_refused(&scene, "volume (unnamed): the outside pressure is -1 Pa; it cannot be negative");
  *desc = good;
  desc->model.name = "foam";
  assert_refused(&scene, "volume (unnamed): there is no model foam");
  *desc = good;
  desc->triangle_count--;
  assert_refused(&scene, "volume (unnamed): the surface is open; 3 edges have one triangle only: ");
  *desc = good;
  int corner = desc->triangle[7];
  desc->triangle[7] = 999;
  assert_refused(&scene, "volume (unnamed): triangle 2 refers to vertex 999, but there are ");
  desc->triangle[7] = corner;
  desc->model.name = "prescribed";
  desc->rest_volume = 0; // of no matter there
  st_force_volume.destroy(create(&scene));
  scene_destroy(&scene);
}

static void absent_without_volumes(void **unused) {
  (void)unused;
  ForceScene scene;
  void *data;
  bool present = true;
  only_volume(&scene, "quadratic");
  StForceSite site = {.description = &scene.description, .piece = scene.piece};
  scene.description.volume_count = 0;
  assert_int_equal(st_force_create(&st_force_volume, &site, &data, &present, NULL), ST_OK);
  assert_false(present);
  scene.description.volume_count = 1;
  scene_destroy(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_and_pressures_are_those_of_the_table),
      cmocka_unit_test(models_agree_near_rest),
      cmocka_unit_test(slopes_are_slopes),
      cmocka_unit_test(models_are_described),
      cmocka_unit_test(vacuum_outside_is_no_trouble),
      cmocka_unit_test(force_is_pressure_times_area),
      cmocka_unit_test(closed_surfaces_do_not_push_themselves),
      cmocka_unit_test(rigid_motion_turns_forces_alone),
      cmocka_unit_test(a_kilometre_away_all_digits_are_kept),
      cmocka_unit_test(turned_inside_out_only_some_go_on),
      cmocka_unit_test(bad_volumes_are_refused),
      cmocka_unit_test(absent_without_volumes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
