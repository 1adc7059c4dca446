// Positions and velocities of bodies at time zero.
// Tested by tests/step/test_boundary.c.
#include "step/start.h"

#include "math/vec3.h"
#include "mesh/cage.h"
#include "model/body.h"
#include "model/rigid.h"
#include "solve/runtime.h"

#include <math.h>
#include <string.h>

// Newton sums squares of such numbers times others: these stay below 1e308.
static const double LARGEST = 1e140;

// Adds an element's mass, distributed evenly over its corners, to the sums.
static void add_element(const double *position, const int *vertex, int corners, double mass,
                        double moment[3], double *total) {
  *total += mass;
  for (int i = 0; i < corners; i++)
    vec3_add_scaled(mass / corners, position + 3 * vertex[i], moment);
}

// first: number of the body's first vertex.
static const double *start_of(const StDescription *description, const StBodyDesc *body, int first) {
  return description->start ? description->start + 3 * (size_t)first : body->mesh->position;
}

static const double *carriers(const StDescription *description, const StBodyDesc *body, int first) {
  return start_of(description, body, first) + 3 * (size_t)st_rigid_first_carrier(body);
}

static void find_centre(const StDescription *description, const StBodyDesc *body, int first,
                        double centre[3]) {
  const StMesh *mesh = body->mesh;
  const double *position = start_of(description, body, first);
  double total = 0, moment[3] = {0};
  if (body->rigid)
    add_element(carriers(description, body, first), (const int[]){0, 1, 2, 3}, ST_CARRIERS, 1,
                moment, &total);
  for (int t = 0; t < mesh->tet_count; t++) {
    const int *tet = mesh->tet + 4 * t;
    double density = description->material[st_body_tet_material(body, t)].density, volume[4];
    st_mesh_corner_volumes(mesh, t, volume);
    for (int i = 0; i < 4; i++)
      add_element(position, tet + i, 1, density * volume[i], moment, &total);
  }
  for (int t = 0; t < st_body_shell_count(body); t++) {
    const int *triangle = mesh->triangle + 3 * t;
    double density = description->material[st_body_triangle_material(body, t)].density;
    add_element(position, triangle, 3, density * st_triangle_area(mesh->position, triangle), moment,
                &total);
  }
  for (int c = 0; c < 3; c++)
    centre[c] = total > 0 ? moment[c] / total : 0;
}

// The symmetric E by which a rigid body that spins freely is stretched: its carriers then hold each
// other on their arcs from the first instant. Methods that use the force at the start of a step
// would otherwise lose 0.4 (ωh)² of the spin's energy in the first one. With W = [ω]× and the
// second moment J of the mass: 8 s E = −(W² + Ẇ) J, where s = YV/8 (force/rigid.c) and Ẇ is
// Euler's.
static void find_stretch(const StDescription *description, const StBodyDesc *body,
                         const double *carrier, const double centre[3], double stretch[9]) {
  const double *spin = body->angular_velocity;
  double moment[9] = {0}, inertia[9], inverse[9] = {0}, swing[3], torque[3], rate[3];
  for (int i = 0; i < ST_CARRIERS; i++)
    for (int k = 0; k < 9; k++)
      moment[k] += body->rigid_mass / ST_CARRIERS * (carrier[3 * i + k / 3] - centre[k / 3]) *
                   (carrier[3 * i + k % 3] - centre[k % 3]);
  for (int k = 0; k < 9; k++)
    inertia[k] = (k % 4 == 0 ? moment[0] + moment[4] + moment[8] : 0) - moment[k];
  mat3_inverse(inertia, inverse);
  mat3_apply(inertia, spin, swing);
  vec3_cross(swing, spin, torque);
  mat3_apply(inverse, torque, rate);
  double strength = st_rigid_stiffness(description, body) * st_rigid_volume(body) / 8;
  for (int j = 0; j < 3; j++) {
    const double column[3] = {moment[j], moment[3 + j], moment[6 + j]};
    double turned[3], inward[3], onward[3];
    vec3_cross(spin, column, turned);
    vec3_cross(spin, turned, inward);
    vec3_cross(rate, column, onward);
    for (int i = 0; i < 3; i++)
      stretch[3 * i + j] = -(inward[i] + onward[i]) / (8 * strength);
  }
}

// A body on a joint does not spin freely, and the joint's point must not move.
static bool has_joint(const StDescription *description, int first, int end) {
  for (int j = 0; j < description->joint_count; j++)
    for (int e = 0; e < 2; e++) {
      const StJointEnd *joined = &description->joint[j].end[e];
      for (int i = 0; i < joined->vertex_count; i++)
        if (joined->vertex[i] >= first && joined->vertex[i] < end)
          return true;
    }
  return false;
}

static bool is_carrier(const StBodyDesc *body, int number) {
  return body->rigid && number >= st_rigid_first_carrier(body);
}

void st_start(const StDescription *description, const StPiece *piece, const StBoundary *boundary,
              StState *state) {
  memcpy(state->position, piece->rest, (size_t)state->size * sizeof(double));
  for (int i = 0; i < piece->owned_count && description->start; i++)
    vec3_copy(description->start + 3 * piece->vertex_id[i], state->position + 3 * i);
  int last = -1, first = 0;
  double centre[3] = {0}, stretch[9] = {0};
  for (int i = 0; i < piece->owned_count; i++) {
    const StBodyDesc *body = &description->body[piece->body[i]];
    if (piece->body[i] != last) {
      first = st_description_first_vertex(description, piece->body[i]);
      find_centre(description, body, first, centre);
      memset(stretch, 0, sizeof stretch);
      if (body->rigid && !has_joint(description, first, first + body->mesh->vertex_count))
        find_stretch(description, body, carriers(description, body, first), centre, stretch);
    }
    last = piece->body[i];
    double arm[3], spin[3], longer[3];
    vec3_sub(state->position + 3 * i, centre, arm);
    vec3_cross(body->angular_velocity, arm, spin);
    for (int c = 0; c < 3; c++)
      state->velocity[3 * i + c] = body->velocity[c] + spin[c];
    if (!is_carrier(body, piece->vertex_id[i] - first))
      continue;
    mat3_apply(stretch, arm, longer);
    vec3_add_scaled(1, longer, state->position + 3 * i);
  }
  st_boundary_apply(boundary, 0, 0, state->position, state->velocity);
  st_piece_follow_owned(piece, state->position);
  st_piece_follow_owned(piece, state->velocity);
}

// The first vertex whose row of the scaled Jacobian h² ∂f/∂q / m has too large an entry; -1: none.
static int find_excess(const StSystem *system, double h) {
  const StBlockMatrix *matrix = st_system_unknown_matrix(system);
  const StPiece *piece = system->piece;
  for (int row = 0; row < matrix->row_count; row++)
    for (int k = 9 * matrix->row_start[row]; k < 9 * matrix->row_start[row + 1]; k++)
      if (!(fabs(matrix->value[k]) * h * h / piece->mass[row] < LARGEST))
        return piece->vertex_id[row];
  return -1;
}

// Without contacts: their blocks have no slots yet, and they stiffen as needed. Without forces of a
// program: it is not asked for derivatives before they are needed.
StStatus st_start_check(const StSystem *system, const StPoint *at, double h, StError *error) {
  StStatus status = ST_OK;
  for (int i = 0; i < system->force_count && status == ST_OK; i++) {
    const StForceType *type = system->force[i].type;
    if (type->of_contact || st_force_type_find(type->name) != type)
      continue;
    st_block_matrix_clear(system->matrix);
    type->add_blocks(system->force[i].data, at, 1, 1 / h, system->matrix);
    st_system_fold(system);
    int vertex = find_excess(system, h);
    if (vertex >= 0)
      status = st_fail(error, ST_BAD_INPUT,
                       "the initial state is not admissible: force \"%s\" is too stiff at vertex "
                       "%d to compute with; look for values that are far too large or too small",
                       type->name, vertex);
  }
  st_block_matrix_clear(system->matrix);
  return st_runtime_agree(status, error);
}
