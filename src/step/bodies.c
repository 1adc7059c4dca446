// Sums over the vertices of each body and each probe, then over ranks.
// Tested by tests/verify/test_motion_truth.c.
#include "step/bodies.h"

#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "solve/runtime.h"

#include <math.h>
#include <string.h>

// Sums of a body, in the order of the sum over ranks. Moments are about the origin.
enum {
  MASS,
  VOLUME,
  KINETIC,
  ELASTIC,
  POTENTIAL,
  FIRST_MOMENT,
  MOMENTUM = FIRST_MOMENT + 3,
  ANGULAR = MOMENTUM + 3,
  SECOND_MOMENT = ANGULAR + 3, // xx, xy, xz, yy, yz, zz
  BODY_SUMS = SECOND_MOMENT + 6
};

// Inertia below this, over the trace of the second moment cubed, is that of a line and rounding.
static const double NEEDLE = 1e-9;

enum { END_SUMS = 6, PROBE_SUMS = 2 * END_SUMS }; // position and velocity of both ends

static double *body_sum(const StBodies *bodies, int body) {
  return bodies->sum + BODY_SUMS * (size_t)body;
}

static double *probe_sum(const StBodies *bodies, int probe) {
  return body_sum(bodies, bodies->system->description->body_count) + PROBE_SUMS * (size_t)probe;
}

static void list_places(StBodies *bodies, const int *local) {
  const StDescription *description = bodies->system->description;
  for (int p = 0; p < description->probe_count; p++)
    for (int end = 0; end < 2; end++) {
      const StProbeDesc *probe = &description->probe[p];
      int count = end ? probe->other_count : probe->vertex_count;
      for (int i = 0; i < count; i++) {
        int vertex = local[end ? probe->other[i] : probe->vertex[i]];
        if (vertex < 0 || vertex >= bodies->system->piece->owned_count)
          continue;
        bodies->probe_of[bodies->place_count] = 2 * p + end;
        bodies->vertex_of[bodies->place_count++] = vertex;
      }
    }
}

static void make_room(StBodies *bodies) {
  const StDescription *description = bodies->system->description;
  size_t places = 0;
  for (int p = 0; p < description->probe_count; p++)
    places += (size_t)(description->probe[p].vertex_count + description->probe[p].other_count);
  bodies->sum_count = BODY_SUMS * description->body_count + PROBE_SUMS * description->probe_count;
  bodies->sum = ST_OWN(bodies, double, bodies->sum_count);
  bodies->energy = ST_OWN(bodies, double, description->body_count);
  bodies->probe_of = ST_OWN(bodies, int, places);
  bodies->vertex_of = ST_OWN(bodies, int, places);
  bodies->body = ST_OWN(bodies, StBodyReport, description->body_count);
  bodies->probe = ST_OWN(bodies, StProbeReport, description->probe_count);
}

StStatus st_bodies_create(const StSystem *system, StBodies **result, StError *error) {
  const StDescription *description = system->description;
  StBodies *bodies = ST_OWNER(StBodies);
  ST_TRY_MEMORY(bodies, error);
  bodies->system = system;
  make_room(bodies);
  ST_TRY(st_owner_give(bodies, result, error));
  ST_FREE int *local =
      st_piece_find_vertices(system->piece, st_description_vertex_count(description));
  ST_TRY_MEMORY(local, error);
  list_places(bodies, local);
  for (int b = 0; b < description->body_count; b++)
    bodies->body[b].name = description->body[b].name;
  for (int p = 0; p < description->probe_count; p++)
    bodies->probe[p].name = description->probe[p].name;
  return ST_OK;
}

void st_bodies_destroy(StBodies *bodies) {
  st_owner_free(bodies);
}

static void sum_vertices(StBodies *bodies, const StPoint *at) {
  const StPiece *piece = bodies->system->piece;
  const double *still = bodies->system->still, *velocity = still ? still : at->velocity;
  for (int i = 0; i < piece->owned_count; i++) {
    const double *x = at->position + 3 * (size_t)i, *v = velocity + 3 * (size_t)i;
    double *sum = body_sum(bodies, piece->body[i]), m = piece->mass[i], spin[3];
    vec3_cross(x, v, spin);
    sum[MASS] += m;
    sum[KINETIC] += 0.5 * m * vec3_dot(v, v);
    vec3_add_scaled(m, x, sum + FIRST_MOMENT);
    vec3_add_scaled(m, v, sum + MOMENTUM);
    vec3_add_scaled(m, spin, sum + ANGULAR);
    for (int a = 0, k = SECOND_MOMENT; a < 3; a++)
      for (int b = a; b < 3; b++)
        sum[k++] += m * x[a] * x[b];
  }
  for (int t = 0; t < piece->owned_tet_count; t++) {
    const int *tet = piece->tet + 4 * (size_t)t;
    body_sum(bodies, piece->body[tet[0]])[VOLUME] +=
        st_piece_fill_part(piece, t) * st_tet_volume(at->position, tet);
  }
}

static void sum_energies(StBodies *bodies, const StPoint *at) {
  const StSystem *system = bodies->system;
  int count = system->description->body_count;
  for (int f = 0; f < system->force_count; f++) {
    const StForceType *type = system->force[f].type;
    if (!type->share_energy)
      continue;
    memset(bodies->energy, 0, (size_t)count * sizeof(double));
    type->share_energy(system->force[f].data, at, bodies->energy);
    for (int b = 0; b < count; b++)
      body_sum(bodies, b)[type == &st_force_gravity ? POTENTIAL : ELASTIC] += bodies->energy[b];
  }
}

static void sum_probes(StBodies *bodies, const StPoint *at) {
  const StDescription *description = bodies->system->description;
  for (int i = 0; i < bodies->place_count; i++) {
    int probe = bodies->probe_of[i] / 2, end = bodies->probe_of[i] % 2;
    const StProbeDesc *desc = &description->probe[probe];
    double share = 1.0 / (end ? desc->other_count : desc->vertex_count);
    double *sum = probe_sum(bodies, probe) + END_SUMS * end;
    vec3_add_scaled(share, at->position + 3 * (size_t)bodies->vertex_of[i], sum);
    vec3_add_scaled(share, at->velocity + 3 * (size_t)bodies->vertex_of[i], sum + 3);
  }
}

// That of a rigid body with the same masses in the same places.
static void find_spin(const double *sum, StBodyReport *body) {
  double moment[9], inertia[9], inverse[9] = {0}, trace = 0;
  for (int a = 0, k = SECOND_MOMENT; a < 3; a++)
    for (int b = a; b < 3; b++)
      moment[3 * a + b] = moment[3 * b + a] =
          sum[k++] - body->mass * body->centre[a] * body->centre[b];
  for (int a = 0; a < 3; a++)
    trace += moment[4 * a];
  for (int i = 0; i < 9; i++)
    inertia[i] = (i % 4 == 0 ? trace : 0) - moment[i];
  vec3_set(0, 0, 0, body->angular_velocity);
  if (!(fabs(mat3_inverse(inertia, inverse)) > NEEDLE * trace * trace * trace))
    return;
  for (int a = 0; a < 3; a++)
    body->angular_velocity[a] = vec3_dot(inverse + 3 * a, body->angular_momentum);
}

static void report_body(const double *sum, StBodyReport *body) {
  double orbital[3];
  body->mass = sum[MASS];
  body->volume = sum[VOLUME];
  body->kinetic_energy = sum[KINETIC];
  body->elastic_energy = sum[ELASTIC];
  body->potential_energy = sum[POTENTIAL];
  vec3_copy(sum + MOMENTUM, body->momentum);
  for (int c = 0; c < 3; c++) {
    body->centre[c] = sum[MASS] > 0 ? sum[FIRST_MOMENT + c] / sum[MASS] : 0;
    body->velocity[c] = sum[MASS] > 0 ? sum[MOMENTUM + c] / sum[MASS] : 0;
  }
  vec3_cross(body->centre, body->momentum, orbital);
  vec3_sub(sum + ANGULAR, orbital, body->angular_momentum);
  find_spin(sum, body);
  vec3_set(0, 0, 0, body->contact_force);
  vec3_set(0, 0, 0, body->contact_torque);
}

// torque: about the origin.
static void add_contact(double sign, const double force[3], const double torque[3],
                        StBodyReport *body) {
  double moved[3];
  vec3_cross(body->centre, force, moved);
  vec3_add_scaled(sign, force, body->contact_force);
  vec3_add_scaled(1, torque, body->contact_torque);
  vec3_add_scaled(-sign, moved, body->contact_torque);
}

// Self-contact does not count.
static void add_contacts(StBodies *bodies, const StReport *report) {
  const StDescription *description = bodies->system->description;
  for (int i = 0; i < report->touching_count; i++) {
    const StPairReport *pair = &report->pair[report->touching[i]];
    StContactDesc desc = st_pair_law(description, pair->pair);
    if (pair->itself)
      continue;
    add_contact(1, pair->force, pair->torque, &bodies->body[desc.collider]);
    if (desc.body >= 0)
      add_contact(-1, pair->force, pair->other_torque, &bodies->body[desc.body]);
  }
}

static void report_probe(const StProbeDesc *desc, const double *sum, StProbeReport *probe) {
  double way[3];
  vec3_copy(sum, probe->point);
  vec3_copy(sum + 3, probe->velocity);
  vec3_sub(sum + END_SUMS, sum, way);
  probe->distance = desc->other_count > 0 ? vec3_length(way) : NAN;
}

static int listed(const StDescription *description) {
  int count = description->body_count;
  switch (description->output.bodies) {
  case ST_BODY_COLUMNS_ALL: return count;
  case ST_BODY_COLUMNS_NONE: return 0;
  case ST_BODY_COLUMNS_AUTO: break;
  }
  return count > 1 && count <= ST_HISTORY_BODIES ? count : 0;
}

void st_bodies_measure(StBodies *bodies, const StPoint *at, StReport *report) {
  const StDescription *description = bodies->system->description;
  memset(bodies->sum, 0, (size_t)bodies->sum_count * sizeof(double));
  sum_vertices(bodies, at);
  sum_energies(bodies, at);
  sum_probes(bodies, at);
  st_runtime_sum_all(bodies->sum, bodies->sum_count);
  for (int b = 0; b < description->body_count; b++)
    report_body(body_sum(bodies, b), &bodies->body[b]);
  add_contacts(bodies, report);
  for (int p = 0; p < description->probe_count; p++)
    report_probe(&description->probe[p], probe_sum(bodies, p), &bodies->probe[p]);
  report->body_count = description->body_count;
  report->body = bodies->body;
  report->listed_bodies = listed(description);
  report->probe_count = description->probe_count;
  report->probe = bodies->probe;
}
