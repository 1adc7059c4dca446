// Every force in the list, on the scene with all laws: force against energy, blocks against complex
// numbers and against differences, symmetry, and pieces against the whole.
#include "contact/core/provider.h"
#include "contact/smooth/smooth_provider.h"
#include "support/compare.h"
#include "support/force_scene.h"
#include "support/spared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const SceneChoice all_laws = {.mass_damping = 0.3, .stiffness_damping = 0.02};
static const SceneChoice second_order = {
    .mass_damping = 0.3, .stiffness_damping = 0.02, .second_order = true};
static const double by_position = 0.7, by_velocity = -1.3;

typedef struct Bound {
  StForce force;
  StBlockMatrix *matrix;
  StContacts *contacts;
  StContactState *state;
  StContactSet *set;
} Bound;

// A point with its touches.
static StPoint bound_point(const Bound *bound, double time, const double *position,
                           const double *velocity) {
  if (bound->contacts)
    assert_int_equal(
        st_contacts_evaluate(bound->contacts, bound->state, st_instant(time), position, bound->set),
        ST_OK);
  return (StPoint){
      .time = time, .position = position, .velocity = velocity, .contact_set = bound->set};
}

static StPoint bound_here(const ForceScene *scene, const Bound *bound) {
  return bound_point(bound, scene_point(scene).time, scene->position, scene->velocity);
}

// The point as a piece sees it.
static void piece_point(const ForceScene *scene, const StPiece *piece, double *position) {
  for (int v = 0; v < piece->vertex_count; v++)
    vec3_copy(scene->position + 3 * piece->vertex_id[v], position + 3 * v);
}

// How far vertices move in a step: about what anchors tolerate in these thick contacts, m.
static const double WAY = 0.04;

// A step that leaves anchors behind, and another one in progress: some touches stick, others slide.
static void hold_contacts(const Bound *bound, const StPiece *piece, double *position) {
  size_t n = 3 * (size_t)piece->vertex_count;
  double *start = ST_NEW(double, n), *end = ST_NEW(double, n), *next = ST_NEW(double, n);
  uint64_t state = 11;
  assert_true(start && end && next);
  for (size_t i = 0; i < n; i++) {
    uint64_t own = state + 3 * (uint64_t)piece->vertex_id[i / 3] + i % 3;
    start[i] = position[i] + random_between(&own, -WAY, WAY);
    end[i] = position[i] + random_between(&own, -0.01 * WAY, 0.01 * WAY);
    next[i] = position[i] + random_between(&own, -WAY, WAY);
  }
  st_contact_state_begin(bound->contacts, bound->state, 0.1, start);
  bound_point(bound, 0.4, end, end);
  assert_true(st_contact_state_anchor(bound->state, bound->set, end, NULL));
  st_contact_state_begin(bound->contacts, bound->state, 0.4, next);
  free(start);
  free(end);
  free(next);
}

// Of an evaluated set: touches with an anchor that stick, and that slide.
static void check_held(const Bound *bound, const double *position) {
  int held = 0, sliding = 0, sticking = 0;
  const StContactSet *set = bound->set;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    double v[3 * 256], matter[3], slip[3], z[3];
    st_contact_set_friction_velocities(set, contact->count,
                                       st_contact_array_places(&set->now, contact),
                                       ST_FRICTION_PART_DRY, position, NULL, v);
    st_contact_set_friction_wall(set, &set->now, contact, ST_FRICTION_PART_DRY, matter);
    st_contact_slip(contact->count, &contact->normal_state,
                    st_contact_array_shares(&set->now, contact), v, matter, slip);
    StFrictionLoad load = st_normal_state_load(&contact->normal_state);
    *(st_contact_set_elastic(set, contact, &load, slip, z) == 1 ? &sticking : &sliding) += 1;
    held += vec3_length(contact->held) > 0;
  }
  assert_true(held > 0 && sticking > 0 && sliding > 0);
}

static bool is_anchored(const ForceScene *scene) {
  return scene->contact[0].friction.stick == ST_STICK_ANCHORED;
}

// Room for the contacts' blocks, and the touches that lagged friction goes by.
static void bind_contacts(Bound *bound, const ForceScene *scene, const StPiece *piece) {
  double *position = ST_NEW(double, 3 * piece->vertex_count);
  bool changed;
  piece_point(scene, piece, position);
  bool smooth = scene->description.contact_settings.method == ST_CONTACT_SMOOTH;
  if (!smooth) // how sharp edges are
    st_contact_state_begin(bound->contacts, bound->state, 0, position);
  bool anchored = is_anchored(scene);
  if (anchored)
    hold_contacts(bound, piece, position);
  bound_point(bound, 0.7, position, position);
  if (anchored && piece == scene->piece)
    check_held(bound, position);
  const StContactArray *now = &bound->set->now;
  assert_int_equal(st_contact_state_lag(bound->state, bound->set, NULL), ST_OK);
  assert_true(now->count > 3);
  bool back = false;
  for (int t = 0; t < now->count; t++) {
    const StContact *contact = &now->contact[t];
    back |= contact->provider == &st_provider_smooth && st_smooth_side(bound->set, contact) < 0;
    size_t start[2] = {0};
    int local[256];
    for (int k = 0; k < contact->count; k++)
      if (now->vertex[contact->first + (size_t)k] < piece->vertex_count)
        local[start[1]++] = now->vertex[contact->first + (size_t)k];
    assert_int_equal(st_block_matrix_fit(bound->matrix, &(StCliques){start, NULL, local, 1}, true,
                                         &changed, NULL, NULL),
                     ST_OK);
  }
  assert_true(back || !smooth); // of a shell
  free(position);
}

static Bound bound_create(const StForceType *type, const ForceScene *scene, const StPiece *piece) {
  Bound bound = {.force.type = type};
  bool present;
  assert_int_equal(st_contacts_create(&scene->description, piece, &bound.contacts, NULL), ST_OK);
  if (bound.contacts) {
    assert_int_equal(st_contact_state_create(bound.contacts, &bound.state, NULL), ST_OK);
    assert_int_equal(st_contact_set_create(bound.contacts, &bound.set, NULL), ST_OK);
  }
  StForceSite site = {&scene->description, piece, NULL};
  assert_int_equal(st_force_create(type, &site, &bound.force.data, &present, NULL), ST_OK);
  assert_true(present); // or the scene has nothing for this force: extend it
  assert_non_null(bound.matrix = scene_matrix(scene, piece));
  if (bound.contacts)
    bind_contacts(&bound, scene, piece);
  if (type->bind)
    assert_int_equal(type->bind(bound.force.data, bound.matrix, NULL), ST_OK);
  return bound;
}

static void bound_destroy(Bound *bound) {
  if (bound->force.data)
    bound->force.type->destroy(bound->force.data);
  st_block_matrix_destroy(bound->matrix);
  st_contact_set_destroy(bound->set);
  st_contact_state_destroy(bound->state);
  st_contacts_destroy(bound->contacts);
}

typedef void ForceCheck(const ForceScene *scene, const Bound *bound);

// By primitives nothing may be inside: the ball goes down until it is clear of all vertices.
static void choose_primitives(ForceScene *scene) {
  StObstacleDesc *ball = &scene->obstacle[0];
  double way[3], least = 0;
  scene->description.contact_settings.method = ST_CONTACT_PRIMITIVES;
  while (least < ball->shape.value[0] + 0.15) {
    ball->origin[2] -= 0.01;
    least = INFINITY;
    for (int v = 0; v < scene->piece->vertex_count; v++) {
      vec3_sub(scene->position + 3 * v, ball->origin, way);
      least = fmin(least, vec3_length(way));
    }
  }
}

// Anchored friction, damped, beside a film of oil where it is lagged, alone where it is implicit.
static void choose_anchored(ForceScene *scene, bool film) {
  for (int c = 0; c < scene->description.contact_count; c++) {
    scene->contact[c].friction.stick = ST_STICK_ANCHORED;
    scene->contact[c].friction.damping = 0.5;
    scene->contact[c].friction.viscous_coefficient = film ? 3 : 0;
  }
}

static void for_second_order(ForceCheck *check) {
  const StForceType *const type[] = {&st_force_solid, &st_force_damping};
  for (int k = 0; k < ST_LENGTH(type); k++) {
    ForceScene scene;
    assert_true(scene_create(&scene, second_order));
    Bound bound = bound_create(type[k], &scene, scene.piece);
    check(&scene, &bound);
    bound_destroy(&bound);
    scene_destroy(&scene);
  }
}

// Friction four times: implicit, and lagged, where only velocities carry derivatives; held by
// velocity and by anchors. Forces of contact by either method.
static void for_all_forces(ForceCheck *check) {
  const StFrictionMode mode[] = {ST_FRICTION_IMPLICIT, ST_FRICTION_LAGGED};
  for (int m = 0; m < 8; m++) {
    ForceScene scene;
    assert_true(scene_create(&scene, all_laws));
    scene.description.contact_settings.friction = mode[m % 2];
    if (m / 2 % 2)
      choose_primitives(&scene);
    if (m >= 4)
      choose_anchored(&scene, m % 2);
    for (const StForceType *const *type = st_force_types; *type; type++) {
      if ((m >= 2 && !(*type)->of_contact) || (m >= 4 && *type != &st_force_friction))
        continue;
      Bound bound = bound_create(*type, &scene, scene.piece);
      check(&scene, &bound);
      bound_destroy(&bound);
    }
    scene_destroy(&scene);
  }
  for_second_order(check);
}

static double *numbers_new(int count) {
  double *numbers = ST_NEW(double, count);
  assert_non_null(numbers);
  return numbers;
}

// Force at position + step·by_position·direction, velocity + step·by_velocity·direction.
static void moved_force(const ForceScene *scene, const Bound *bound, double step,
                        const double *direction, double *result) {
  int n = scene->numbers;
  double *position = numbers_new(n), *velocity = numbers_new(n);
  for (int i = 0; i < n; i++) {
    position[i] = scene->position[i] + step * by_position * direction[i];
    velocity[i] = scene->velocity[i] + step * by_velocity * direction[i];
    result[i] = 0;
  }
  StPoint at = bound_point(bound, scene_point(scene).time, position, velocity);
  StTrouble trouble;
  assert_true(bound->force.type->add(bound->force.data, &at, result, &trouble));
  free(position);
  free(velocity);
}

static void derivative_by_differences(const ForceScene *scene, const Bound *bound,
                                      const double *direction, double *result) {
  // Anchors have kinks in their second derivatives wherever a touch starts to slide.
  const double h = is_anchored(scene) ? 2e-6 : bound->force.type->of_contact ? 2e-5 : 3e-4;
  double *sample = numbers_new(scene->numbers);
  memset(result, 0, sizeof(double) * (size_t)scene->numbers);
  for (int s = 0; s < DIFFERENCE_POINTS; s++) {
    moved_force(scene, bound, h * difference_at[s], direction, sample);
    for (int i = 0; i < scene->numbers; i++)
      result[i] += difference_weight[s] * sample[i] / h;
  }
  free(sample);
}

static void derivative_by_complex(const ForceScene *scene, const Bound *bound,
                                  const double *direction, double *value, double *derivative) {
  int n = scene->numbers;
  StDual *position = ST_NEW(StDual, n), *velocity = ST_NEW(StDual, n), *sum = ST_NEW(StDual, n);
  assert_true(position && velocity && sum);
  for (int i = 0; i < n; i++) {
    position[i] = s_dual(scene->position[i], by_position * direction[i]);
    velocity[i] = s_dual(scene->velocity[i], by_velocity * direction[i]);
  }
  StPoint at = bound_here(scene, bound);
  bound->force.type->add_complex(bound->force.data, &at, position, velocity, sum);
  for (int i = 0; i < n; i++) {
    value[i] = creal(sum[i]);
    derivative[i] = s_derivative(sum[i]);
  }
  free(position);
  free(velocity);
  free(sum);
}

// The bound matrix in the description's numbers: dense [numbers][numbers], rows of other pieces
// kept.
static void blocks_to_dense(const Bound *bound, const StPiece *piece, int numbers, double *dense) {
  const StBlockMatrix *matrix = bound->matrix;
  for (int row = 0; row < matrix->row_count; row++)
    for (int e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          dense[(3 * piece->vertex_id[row] + i) * numbers +
                3 * piece->vertex_id[matrix->column[e]] + j] = matrix->value[9 * e + 3 * i + j];
}

// Adds by_position·weight·u uᵀ of all couplings to the rows of a piece's own vertices.
static void add_couplings(const Bound *bound, const StPoint *at, const StPiece *piece, int numbers,
                          double *dense) {
  const StForceType *type = bound->force.type;
  int count = type->coupling_count ? type->coupling_count(bound->force.data) : 0;
  double *u = numbers_new(3 * piece->vertex_count);
  for (int c = 0; c < count; c++) {
    double weight = type->coupling(bound->force.data, at, c, u);
    for (int i = 0; i < 3 * piece->owned_count; i++)
      for (int j = 0; j < 3 * piece->vertex_count; j++)
        dense[(3 * piece->vertex_id[i / 3] + i % 3) * numbers + 3 * piece->vertex_id[j / 3] +
              j % 3] += by_position * weight * u[i] * u[j];
  }
  free(u);
}

static double *dense_blocks_by(const ForceScene *scene, const Bound *bound, double position,
                               double velocity) {
  double *dense = numbers_new(scene->numbers * scene->numbers);
  StPoint at = bound_here(scene, bound);
  st_block_matrix_clear(bound->matrix);
  bound->force.type->add_blocks(bound->force.data, &at, position, velocity, bound->matrix);
  blocks_to_dense(bound, scene->piece, scene->numbers, dense);
  return dense;
}

static double *dense_blocks(const ForceScene *scene, const Bound *bound) {
  double *dense = dense_blocks_by(scene, bound, by_position, by_velocity);
  StPoint at = bound_here(scene, bound);
  add_couplings(bound, &at, scene->piece, scene->numbers, dense);
  return dense;
}

static void check_energy(const ForceScene *scene, const Bound *bound) {
  const StForceType *type = bound->force.type;
  assert_int_equal(type->has_energy, type->energy != NULL);
  if (!type->has_energy || type->dissipates)
    return;
  int n = scene->numbers;
  double *force = numbers_new(n), *slope = numbers_new(n), *position = numbers_new(n);
  memcpy(position, scene->position, sizeof(double) * (size_t)n);
  StPoint at = bound_here(scene, bound);
  StTrouble trouble;
  assert_true(type->add(bound->force.data, &at, force, &trouble));
  // Contact is only piecewise smooth, and sharp: its neighbourhoods are smaller, barriers' most so.
  bool barrier = scene->description.contact_settings.method == ST_CONTACT_PRIMITIVES;
  const double h = barrier ? 3e-6 : type->of_contact ? 1e-4 : 1e-3;
  for (int i = 0; i < n; i++) {
    if (i % SPARED != 0) {
      slope[i] = force[i];
      continue;
    }
    for (int s = 0; s < DIFFERENCE_POINTS; s++) {
      position[i] = scene->position[i] + h * difference_at[s];
      at = bound_point(bound, at.time, position, scene->velocity);
      slope[i] -= difference_weight[s] * type->energy(bound->force.data, &at) / h;
    }
    position[i] = scene->position[i];
  }
  assert_true(relative_error(n, force, slope) < 1e-8);
  free(force);
  free(slope);
  free(position);
}

// How far blocks may be from the complex step. Shares of smooth surfaces solve 3 × 3 systems whose
// condition is up to 1e6 (η in surface_share_kernel.h), and friction hangs on their slopes.
static double rounding(const StForceType *type) {
  return type == &st_force_friction ? 1e6 * 0x1p-53 : 1e-12;
}

// How far they may be from differences, which do not see the kinks of anchors between two points.
static double truncation(const ForceScene *scene) {
  return is_anchored(scene) ? 5e-6 : 1e-8;
}

static void check_blocks(const ForceScene *scene, const Bound *bound) {
  int n = scene->numbers;
  double *dense = dense_blocks(scene, bound);
  double *by_complex = numbers_new(n * n), *by_differences = numbers_new(n * n);
  double *direction = numbers_new(n), *column = numbers_new(n), *value = numbers_new(n);
  memcpy(by_complex, dense, sizeof(double) * (size_t)(n * n)); // columns that are spared
  memcpy(by_differences, dense, sizeof(double) * (size_t)(n * n));
  for (int j = 0; j < n; j += SPARED) {
    direction[j] = 1;
    derivative_by_complex(scene, bound, direction, value, column);
    for (int i = 0; i < n; i++)
      by_complex[i * n + j] = column[i];
    derivative_by_differences(scene, bound, direction, column);
    for (int i = 0; i < n; i++)
      by_differences[i * n + j] = column[i];
    direction[j] = 0;
  }
  assert_true(relative_error(n * n, dense, by_complex) < rounding(bound->force.type));
  double scale = fmax(largest(n * n, dense), largest(n, value));
  for (int e = 0; e < n * n; e++)
    assert_true(fabs(dense[e] - by_differences[e]) <= truncation(scene) * scale);
  free(dense);
  free(by_complex);
  free(by_differences);
  free(direction);
  free(column);
  free(value);
}

// Second derivatives of an energy are symmetric.
static void check_symmetry(const ForceScene *scene, const Bound *bound) {
  if (!bound->force.type->has_energy || bound->force.type->dissipates)
    return;
  int n = scene->numbers;
  double *dense = dense_blocks(scene, bound);
  double scale = largest(n * n, dense);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      assert_true(fabs(dense[i * n + j] - dense[j * n + i]) <= 1e-13 * scale);
  free(dense);
}

static void check_value(const ForceScene *scene, const Bound *bound) {
  int n = scene->numbers;
  double *none = numbers_new(n), *force = numbers_new(n);
  double *value = numbers_new(n), *derivative = numbers_new(n);
  StPoint at = bound_here(scene, bound);
  StTrouble trouble;
  derivative_by_complex(scene, bound, none, value, derivative);
  assert_true(bound->force.type->add(bound->force.data, &at, force, &trouble));
  assert_true(relative_error(n, value, force) < rounding(bound->force.type));
  free(none);
  free(force);
  free(value);
  free(derivative);
}

// by_velocity = 0 must leave nothing of ∂f/∂v and the other way round: the two factors are
// separate.
static void check_factors(const ForceScene *scene, const Bound *bound) {
  int n = scene->numbers * scene->numbers;
  const StForceType *type = bound->force.type;
  double *both = dense_blocks_by(scene, bound, by_position, by_velocity);
  double *apart = dense_blocks_by(scene, bound, by_position, 0);
  double *drag = dense_blocks_by(scene, bound, 0, by_velocity);
  for (int i = 0; i < n; i++)
    apart[i] += drag[i];
  assert_true(relative_error(n, both, apart) < 1e-13);
  bool film = scene->contact[0].friction.viscous_coefficient > 0;
  assert_int_equal(type->by_velocity && (film || !is_anchored(scene)), largest(n, drag) > 0);
  free(both);
  free(apart);
  free(drag);
}

typedef struct Sums {
  double energy, *force, *dense;
  double memory[64];
} Sums;

// What a force keeps of a state, and that it can be given back.
static void add_memory(const Bound *bound, const StPoint *at, double *memory) {
  const StForceType *type = bound->force.type;
  if (!type->commit)
    return;
  double before[64] = {0}, after[64] = {0};
  int count = type->memory_count(bound->force.data);
  assert_in_range(count, 1, 64);
  type->commit(bound->force.data, at);
  type->remember(bound->force.data, before);
  for (int i = 0; i < count; i++) {
    memory[i] += before[i];
    before[i] += before[i] != 0; // another angle, for hinges that are ours
  }
  type->recall(bound->force.data, before);
  type->remember(bound->force.data, after);
  assert_memory_equal(before, after, sizeof before);
}

// Adds what a piece contributes, in the description's numbers.
static void add_piece(const ForceScene *scene, const StForceType *type, const StPiece *piece,
                      Sums *sums) {
  Bound bound = bound_create(type, scene, piece);
  int n = 3 * piece->vertex_count;
  double *position = numbers_new(n), *velocity = numbers_new(n), *force = numbers_new(n);
  for (int v = 0; v < piece->vertex_count; v++) {
    int id = piece->vertex_id[v];
    vec3_copy(scene->position + 3 * id, position + 3 * v);
    vec3_copy(scene->velocity + 3 * id, velocity + 3 * v);
  }
  StPoint at = bound_point(&bound, scene_point(scene).time, position, velocity);
  StTrouble trouble;
  if (type->has_energy)
    sums->energy += type->energy(bound.force.data, &at);
  assert_true(type->add(bound.force.data, &at, force, &trouble));
  type->add_blocks(bound.force.data, &at, by_position, by_velocity, bound.matrix);
  blocks_to_dense(&bound, piece, scene->numbers, sums->dense);
  add_couplings(&bound, &at, piece, scene->numbers, sums->dense);
  for (int v = 0; v < piece->vertex_count; v++)
    vec3_add_scaled(1, force + 3 * v, sums->force + 3 * piece->vertex_id[v]);
  add_memory(&bound, &at, sums->memory);
  bound_destroy(&bound);
  free(position);
  free(velocity);
  free(force);
}

static Sums sums_new(int n) {
  return (Sums){0, numbers_new(n), numbers_new(n * n), {0}};
}

static void sums_free(Sums *sums) {
  free(sums->force);
  free(sums->dense);
}

// Three ranks' pieces together give the whole; each row is complete on its owner.
static void check_pieces(SceneChoice choice) {
  ForceScene scene;
  assert_true(scene_create(&scene, choice));
  int n = scene.numbers, owner[64];
  uint64_t state = 53;
  assert_in_range(scene.piece->vertex_count, 1, 64);
  for (int v = 0; v < scene.piece->vertex_count; v++)
    owner[v] = choice.second_order ? v % 3 : (int)random_between(&state, 0, 3);
  for (const StForceType *const *type = st_force_types; *type; type++) {
    if (choice.second_order && *type != &st_force_solid && *type != &st_force_damping)
      continue;
    Sums whole = sums_new(n), parts = sums_new(n);
    add_piece(&scene, *type, scene.piece, &whole);
    for (int rank = 0; rank < 3; rank++) {
      StPiece *part = scene_part(&scene, owner, rank);
      assert_true(part->owned_count < part->vertex_count);
      assert_true(part->owned_tet_count < part->tet_count);
      add_piece(&scene, *type, part, &parts);
      st_piece_destroy(part);
    }
    assert_true(fabs(parts.energy - whole.energy) <= 1e-13 * fabs(whole.energy));
    assert_true(relative_error(n, parts.force, whole.force) < 1e-12);
    assert_true(relative_error(n * n, parts.dense, whole.dense) < 1e-12);
    assert_true(relative_error(64, parts.memory, whole.memory) < 1e-15);
    sums_free(&whole);
    sums_free(&parts);
  }
  scene_destroy(&scene);
}

static void pieces_sum_to_the_whole(void **unused) {
  (void)unused;
  check_pieces(all_laws);
  check_pieces(second_order);
}

// A parameter changed in the sixth digit on one side only must make the comparison above fail.
static void a_wrong_parameter_shows(void **unused) {
  (void)unused;
  ForceScene scene;
  assert_true(scene_create(&scene, all_laws));
  int n = scene.numbers;
  double *direction = numbers_new(n), *value = numbers_new(n), *derivative = numbers_new(n);
  random_fill(&(uint64_t){59}, -1, 1, n, direction);
  Bound right = bound_create(&st_force_solid, &scene, scene.piece);
  derivative_by_complex(&scene, &right, direction, value, derivative);
  for (int m = 0; m < scene.solid_count; m++) {
    double given = scene.material[m].law.value[0];
    scene.material[m].law.value[0] = given * (1 + 1e-5);
    Bound wrong = bound_create(&st_force_solid, &scene, scene.piece);
    scene.material[m].law.value[0] = given;
    double *dense = dense_blocks(&scene, &wrong), *product = numbers_new(n);
    for (int e = 0; e < n * n; e++)
      product[e / n] += dense[e] * direction[e % n];
    assert_true(relative_error(n, product, derivative) > 1e-8);
    free(dense);
    free(product);
    bound_destroy(&wrong);
  }
  bound_destroy(&right);
  free(direction);
  free(value);
  free(derivative);
  scene_destroy(&scene);
}

static void force_is_the_slope_of_energy(void **unused) {
  (void)unused;
  for_all_forces(check_energy);
}

static void blocks_are_the_derivative(void **unused) {
  (void)unused;
  for_all_forces(check_blocks);
}

static void blocks_are_symmetric(void **unused) {
  (void)unused;
  for_all_forces(check_symmetry);
}

static void complex_numbers_have_the_force(void **unused) {
  (void)unused;
  for_all_forces(check_value);
}

static void factors_are_separate(void **unused) {
  (void)unused;
  for_all_forces(check_factors);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_is_the_slope_of_energy),
      cmocka_unit_test(blocks_are_the_derivative),
      cmocka_unit_test(blocks_are_symmetric),
      cmocka_unit_test(complex_numbers_have_the_force),
      cmocka_unit_test(factors_are_separate),
      cmocka_unit_test(pieces_sum_to_the_whole),
      cmocka_unit_test(a_wrong_parameter_shows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
