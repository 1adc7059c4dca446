// Carriers at c + Q diag(l) s with s = (1,1,1), (1,-1,-1), (-1,1,-1), (-1,-1,1): then Σ ¼ (x − c)(x
// − c)ᵀ = Q diag(l²) Qᵀ, the second moment of the mass.
#include "model/rigid.h"

#include "base/memory.h"
#include "math/eigen.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/closed.h"
#include "mesh/moments.h"

#include <string.h>

// Relative to the largest squared extent: the mass must have thickness.
static const double THINNEST = 1e-12;
// Target strain under ordinary loads, and the load in multiples of a body's own weight.
static const double STRAIN = 1e-8, LAYERS = 10;
// Accelerations, as fractions of that which moves a body by its own size in a step. Larger values
// would lose digits in the solver, so the strain grows instead.
static const double MOST = 1, UNKNOWN = 0.01;

static StStatus measure_surface(const StMesh *mesh, const int *triangle, int count, double density,
                                StRigidMass *mass, StError *error) {
  StMoments moments;
  ST_TRY(st_surface_check_closed(mesh->position, mesh->vertex_count, triangle, count, error));
  st_surface_moments(mesh->position, triangle, count, &moments);
  const double *s = moments.spread;
  mass->mass = density * moments.volume;
  vec3_copy(moments.centre, mass->centre);
  for (int k = 0; k < 9; k++)
    mass->inertia[k] = density * ((k % 4 == 0 ? s[0] + s[4] + s[8] : 0) - s[k]);
  if (mass->mass > 0 && isfinite(mass->mass))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "the surface encloses no volume, so it has no mass");
}

StStatus st_rigid_measure(const StMesh *mesh, double density, StRigidMass *mass, StError *error) {
  int *boundary = NULL, count = mesh->triangle_count;
  if (mesh->tet_count > 0)
    ST_TRY(st_mesh_boundary(mesh, &boundary, &count, error));
  StStatus status =
      measure_surface(mesh, boundary ? boundary : mesh->triangle, count, density, mass, error);
  free(boundary);
  return status;
}

// Elements are removed; their labels become labels of vertices.
static StStatus tag_vertices(StMesh *mesh, StError *error) {
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    if (mesh->tet_label[i / 4] >= 0)
      ST_TRY(st_mesh_add_tag(mesh, mesh->tet[i], mesh->tet_label[i / 4], error));
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    if (mesh->triangle_label[i / 3] >= 0)
      ST_TRY(st_mesh_add_tag(mesh, mesh->triangle[i], mesh->triangle_label[i / 3], error));
  return ST_OK;
}

static void drop_tets(StMesh *mesh, int *triangle, int count, int *label) {
  free(mesh->triangle);
  free(mesh->triangle_label);
  mesh->triangle = triangle;
  mesh->triangle_label = label;
  mesh->triangle_count = count;
  mesh->tet_count = 0;
  st_mesh_forget_boundary(mesh);
  for (int t = 0; t < count; t++)
    label[t] = -1;
}

// Replaces the tets by their surface.
static StStatus take_surface(StMesh *mesh, StError *error) {
  int *triangle = NULL, count = 0;
  if (mesh->tet_count == 0)
    return ST_OK;
  ST_TRY(tag_vertices(mesh, error));
  ST_TRY(st_mesh_boundary(mesh, &triangle, &count, error));
  int *label = ST_NEW(int, count);
  if (!label) {
    free(triangle);
    return st_fail_memory(error);
  }
  drop_tets(mesh, triangle, count, label);
  return ST_OK;
}

// number: [vertex_count] new numbers, -1 for removed vertices.
static void renumber(StMesh *mesh, const int *number) {
  int kept = 0, tags = 0;
  for (int v = 0; v < mesh->vertex_count; v++)
    if (number[v] >= 0)
      memmove(mesh->position + 3 * kept++, mesh->position + 3 * v, 3 * sizeof(double));
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    mesh->triangle[i] = number[mesh->triangle[i]];
  for (int i = 0; i < mesh->tag_count; i++) {
    int vertex = number[mesh->tag[2 * i]], label = mesh->tag[2 * i + 1];
    if (vertex < 0)
      continue;
    mesh->tag[2 * tags] = vertex;
    mesh->tag[2 * tags++ + 1] = label;
  }
  mesh->vertex_count = kept;
  mesh->tag_count = tags;
}

// Removes vertices without triangles.
static StStatus drop_inside(StMesh *mesh, StError *error) {
  int *number = ST_NEW(int, mesh->vertex_count), kept = 0;
  ST_TRY_MEMORY(number, error);
  memset(number, 0xff, (size_t)mesh->vertex_count * sizeof(int));
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    number[mesh->triangle[i]] = 0;
  for (int v = 0; v < mesh->vertex_count; v++)
    if (number[v] == 0)
      number[v] = kept++;
  if (kept < mesh->vertex_count)
    renumber(mesh, number);
  free(number);
  return ST_OK;
}

// axis: [3][3] the principal axes, scaled by the spread of the mass along them.
static StStatus find_spread(const StRigidMass *mass, double axis[3][3], StError *error) {
  double spread[9], value[3], vector[9], trace = 0, largest = 0;
  for (int k = 0; k < 9; k += 4)
    trace += mass->inertia[k] / 2;
  for (int k = 0; k < 9; k++)
    spread[k] = ((k % 4 == 0 ? trace : 0) - mass->inertia[k]) / mass->mass;
  mat3_eigen(spread, value, vector);
  for (int e = 0; e < 3; e++)
    largest = fmax(largest, value[e]);
  for (int e = 0; e < 3; e++) {
    if (!(value[e] > THINNEST * largest) || !isfinite(value[e]))
      return st_fail(error, ST_BAD_INPUT,
                     "no solid has such an inertia: each of the three principal moments must be "
                     "smaller than the sum of the other two");
    for (int k = 0; k < 3; k++)
      axis[e][k] = sqrt(value[e]) * vector[3 * k + e];
  }
  return ST_OK;
}

// Carriers are at the centre plus the axes times these.
static const double SIGN[ST_CARRIERS][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

static void place_carriers(const double centre[3], const double axis[3][3], double *place) {
  double mirrored = vec3_triple(axis[0], axis[1], axis[2]) < 0 ? -1 : 1;
  for (int i = 0; i < ST_CARRIERS; i++) {
    vec3_copy(centre, place + 3 * i);
    for (int e = 0; e < 3; e++)
      vec3_add_scaled((e == 0 ? mirrored : 1) * SIGN[i][e], axis[e], place + 3 * i);
  }
}

static StStatus add_carriers(StMesh *mesh, const StRigidMass *mass, StError *error) {
  double axis[3][3];
  ST_TRY(find_spread(mass, axis, error));
  size_t count = 3 * ((size_t)mesh->vertex_count + ST_CARRIERS);
  double *position = realloc(mesh->position, count * sizeof(double));
  ST_TRY_MEMORY(position, error);
  mesh->position = position;
  place_carriers(mass->centre, axis, position + 3 * (size_t)mesh->vertex_count);
  mesh->vertex_count += ST_CARRIERS;
  return ST_OK;
}

static StStatus carry_surface(StBodyDesc *body, StError *error) {
  const StMesh *mesh = body->mesh;
  int count = mesh->vertex_count - ST_CARRIERS;
  ST_TRY(st_carried_create(count, &body->carried, error));
  for (int v = 0; v < count; v++) {
    body->carried.vertex[v] = v;
    for (int k = 0; k < ST_CARRIERS; k++)
      body->carried.carrier[ST_CARRIERS * v + k] = count + k;
    st_carried_weigh(&body->carried, v, mesh->position);
  }
  return ST_OK;
}

StStatus st_body_make_rigid(StBodyDesc *body, const StRigidMass *mass, double stiffness,
                            StError *error) {
  StEdgeFaults faults;
  ST_TRY(take_surface(body->mesh, error));
  ST_TRY(drop_inside(body->mesh, error));
  ST_TRY(st_surface_edge_faults(body->mesh->triangle, body->mesh->triangle_count,
                                body->mesh->vertex_count, &faults, error));
  ST_TRY(add_carriers(body->mesh, mass, error));
  ST_TRY(carry_surface(body, error));
  body->rigid = true;
  body->closed = faults.open + faults.turned + faults.crowded == 0;
  body->rigid_mass = mass->mass;
  body->rigid_stiffness = stiffness;
  body->self_contact = false;
  return ST_OK;
}

int st_rigid_first_carrier(const StBodyDesc *body) {
  return body->mesh->vertex_count - ST_CARRIERS;
}

// The axes of carriers as columns, and their centre.
static void find_axes(const double *place, double axis[9], double centre[3]) {
  memset(axis, 0, 9 * sizeof(double));
  vec3_set(0, 0, 0, centre);
  for (int i = 0; i < ST_CARRIERS; i++) {
    vec3_add_scaled(1.0 / ST_CARRIERS, place + 3 * i, centre);
    for (int k = 0; k < 9; k++)
      axis[k] += SIGN[i][k % 3] * place[3 * i + k / 3] / ST_CARRIERS;
  }
}

static void multiply(const double a[9], bool transposed, const double b[9], double product[9]) {
  for (int k = 0; k < 9; k++) {
    product[k] = 0;
    for (int m = 0; m < 3; m++)
      product[k] += a[transposed ? 3 * m + k / 3 : 3 * (k / 3) + m] * b[3 * m + k % 3];
  }
}

// The rotation nearest to a matrix, by Newton's method for its polar decomposition.
static void find_rotation(const double matrix[9], double rotation[9]) {
  memcpy(rotation, matrix, 9 * sizeof(double));
  double size = cbrt(fabs(mat3_determinant(matrix)));
  for (int k = 0; k < 9; k++)
    rotation[k] /= size;
  for (int round = 0; round < 50; round++) {
    double inverse[9] = {0};
    mat3_inverse(rotation, inverse);
    for (int k = 0; k < 9; k++)
      rotation[k] = 0.5 * (rotation[k] + inverse[3 * (k % 3) + k / 3]);
  }
}

static void turn_carriers(const double rotation[9], double *place) {
  double axis[9], turned[9], centre[3];
  find_axes(place, axis, centre);
  multiply(axis, false, rotation, turned);
  for (int i = 0; i < ST_CARRIERS; i++) {
    double arm[3];
    mat3_apply(turned, SIGN[i], arm);
    vec3_copy(centre, place + 3 * i);
    vec3_add_scaled(1, arm, place + 3 * i);
  }
}

void st_rigid_align(StBodyDesc *body, const StBodyDesc *like, double *start) {
  double *place = body->mesh->position + 3 * (size_t)st_rigid_first_carrier(body);
  const double *other = like->mesh->position + 3 * (size_t)st_rigid_first_carrier(like);
  double axis[9], target[9], both[9], rotation[9], centre[3];
  find_axes(place, axis, centre);
  find_axes(other, target, centre);
  multiply(axis, true, target, both);
  find_rotation(both, rotation);
  turn_carriers(rotation, place);
  if (start)
    turn_carriers(rotation, start);
  for (int i = 0; i < body->carried.count; i++)
    st_carried_weigh(&body->carried, i, body->mesh->position);
}

double st_rigid_volume(const StBodyDesc *body) {
  const double *x = body->mesh->position + 3 * (size_t)st_rigid_first_carrier(body);
  double side[3][3];
  for (int i = 0; i < 3; i++)
    vec3_sub(x + 3 * (i + 1), x, side[i]);
  // The triple product is 16 σ₁σ₂σ₃, and the box has sides of 2√3 σ.
  return 1.5 * sqrt(3) * fabs(vec3_triple(side[0], side[1], side[2]));
}

// The strongest pull on all bodies, and the speed of the fastest.
typedef struct Driving {
  double pull;  // m/s²
  double speed; // m/s, of bodies
} Driving;

static Driving driving_of(const StDescription *description) {
  Driving driving = {.pull = vec3_length(description->gravity)};
  for (int b = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    double spin = vec3_length(body->angular_velocity);
    double rim =
        spin > 0 ? spin * vec3_extent(body->mesh->position, body->mesh->vertex_count) / 2 : 0;
    driving.speed = fmax(driving.speed, vec3_length(body->velocity) + rim);
    if (body->own_gravity)
      driving.pull = fmax(driving.pull, vec3_length(body->gravity));
  }
  for (int i = 0; i < description->acceleration_count; i++)
    driving.pull = fmax(driving.pull, vec3_length(description->acceleration[i].value));
  return driving;
}

static double fastest(const StDescription *description, double speed, double size) {
  double end = description->time.duration;
  for (int i = 0; i < description->boundary_count; i++)
    speed = fmax(speed, st_motion_speed(&description->boundary[i].motion, size / 2, end));
  for (int i = 0; i < description->obstacle_count; i++)
    speed = fmax(speed, st_motion_speed(&description->obstacle[i].motion, size / 2, end));
  return speed;
}

static double stiffness_of(const StDescription *description, const StBodyDesc *body,
                           const Driving *driving) {
  double size = vec3_extent(body->mesh->position, body->mesh->vertex_count), pull = driving->pull,
         h = description->time.step;
  double speed = fmax(fastest(description, driving->speed, size), sqrt(pull * size));
  double acceleration = LAYERS * pull + speed / h,
         density = body->rigid_mass / st_rigid_volume(body);
  // As a fraction of the acceleration that moves a body by its own size in a step.
  double part = acceleration * h * h / size;
  part = part > 0 ? fmin(part, MOST) : UNKNOWN;
  return density * size * size / (h * h) * part / STRAIN;
}

double st_rigid_stiffness(const StDescription *description, const StBodyDesc *body) {
  if (body->rigid_stiffness > 0)
    return body->rigid_stiffness;
  Driving driving = driving_of(description);
  return stiffness_of(description, body, &driving);
}

void st_rigid_choose_stiffness(StDescription *description, double range[2]) {
  Driving driving = driving_of(description);
  range[0] = INFINITY;
  range[1] = 0;
  for (int b = 0; b < description->body_count; b++) {
    StBodyDesc *body = &description->body[b];
    if (!body->rigid || body->rigid_stiffness > 0)
      continue;
    body->rigid_stiffness = stiffness_of(description, body, &driving);
    range[0] = fmin(range[0], body->rigid_stiffness);
    range[1] = fmax(range[1], body->rigid_stiffness);
  }
}
