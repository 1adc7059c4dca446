// Building the pairs of a piece and finding what touches.
#include "contact/contacts.h"

#include "base/memory.h"
#include "contact/sides.h"
#include "math/vec3.h"
#include "mesh/check.h"

#include <string.h>

static int first_vertex(const StDescription *description, int body) {
  int offset = 0;
  for (int b = 0; b < body; b++)
    offset += description->body[b].mesh->vertex_count;
  return offset;
}

StStatus st_contacts_skin(const StMesh *mesh, int **triangle, int *count, StError *error) {
  int *boundary = NULL, faces = 0;
  if (mesh->tet_count > 0)
    ST_TRY(st_mesh_boundary(mesh, &boundary, &faces, error));
  *count = faces + mesh->triangle_count;
  *triangle = ST_NEW(int, 3 * (size_t)*count);
  if (*triangle) {
    int *own = *triangle + 3 * (size_t)faces;
    if (faces)
      memcpy(*triangle, boundary, 3 * (size_t)faces * sizeof(int));
    if (mesh->triangle_count)
      memcpy(own, mesh->triangle, 3 * (size_t)mesh->triangle_count * sizeof(int));
  }
  free(boundary);
  return *triangle ? ST_OK : st_fail_memory(error);
}

// A third of each skin triangle's rest area to each of its corners; zero off the skin.
static void vertex_areas(const StMesh *mesh, const int *triangle, int count, double *area) {
  for (int t = 0; t < count; t++) {
    double third = st_triangle_area(mesh->position, triangle + 3 * t) / 3;
    for (int i = 0; i < 3; i++)
      area[triangle[3 * t + i]] += third;
  }
}

// Points of the pair on this rank. Other ranks' come too where a surface of vertices is touched:
// their contacts have entries in our rows.
static StStatus collect_points(StContacts *contacts, StPair *pair, const int *local,
                               StError *error) {
  const StDescription *description = contacts->description;
  const StMesh *mesh = description->body[pair->desc->collider].mesh;
  int offset = first_vertex(description, pair->desc->collider);
  int *triangle = NULL, count = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  double *area = ST_NEW(double, mesh->vertex_count);
  pair->point = ST_NEW(int, mesh->vertex_count);
  pair->area = ST_NEW(double, mesh->vertex_count);
  StStatus status = area && pair->point && pair->area ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    vertex_areas(mesh, triangle, count, area);
    for (int ours = 1; ours >= 0; ours--)
      for (int v = 0; v < mesh->vertex_count; v++) {
        int here = local[offset + v];
        bool owned = here >= 0 && here < contacts->piece->owned_count;
        if (here < 0 || !(area[v] > 0) || owned != (bool)ours)
          continue;
        if (!ours && pair->desc->body < 0)
          continue;
        pair->point[pair->point_count] = here;
        pair->area[pair->point_count++] = description->contact_settings.area_weighted ? area[v] : 1;
        pair->owned_count += ours;
      }
  }
  free(area);
  free(triangle);
  return status;
}

static StSurfaceOptions surface_options(const StContacts *contacts, const StPair *pair) {
  const StContactSettings *settings = &contacts->description->contact_settings;
  return (StSurfaceOptions){.kernel = (StSurfaceKernel)settings->kernel,
                            .radius_multiplier = settings->radius_multiplier,
                            .smoothing = settings->smoothing,
                            .thickness = pair->desc->thickness,
                            .two_sided = pair->two_sided};
}

static void adopt_surface(StContacts *contacts, const StPair *pair) {
  contacts->surface[contacts->surface_count++] = (StSharedSurface){
      .body = pair->desc->body, .thickness = pair->desc->thickness, .surface = pair->surface};
}

static StSurface *find_surface(const StContacts *contacts, const StContactDesc *desc) {
  for (int i = 0; i < contacts->surface_count; i++)
    if (contacts->surface[i].body == desc->body &&
        contacts->surface[i].thickness == desc->thickness)
      return contacts->surface[i].surface;
  return NULL;
}

// The surface of a body, in local vertex numbers. All ranks know all its vertices.
static StStatus create_body_surface(StContacts *contacts, StPair *pair, const int *local,
                                    StError *error) {
  if ((pair->surface = find_surface(contacts, pair->desc)))
    return ST_OK;
  const StMesh *mesh = contacts->description->body[pair->desc->body].mesh;
  int offset = first_vertex(contacts->description, pair->desc->body);
  int *triangle = NULL, count = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  for (int i = 0; i < 3 * count; i++)
    triangle[i] = local[offset + triangle[i]];
  StSurfaceOptions options = surface_options(contacts, pair);
  StStatus status =
      st_surface_create(triangle, count, contacts->piece->rest, &options, &pair->surface, error);
  if (status == ST_OK)
    adopt_surface(contacts, pair);
  free(triangle);
  return status;
}

static StStatus create_rigid_surface(StContacts *contacts, StPair *pair, StError *error) {
  const StObstacleDesc *desc = &contacts->description->obstacle[pair->desc->obstacle];
  if (!desc->mesh)
    return ST_OK;
  int *triangle = NULL, count = 0;
  pair->rigid_count = desc->mesh->vertex_count;
  pair->rigid_rest = ST_NEW(double, 3 * (size_t)pair->rigid_count);
  pair->rigid = ST_NEW(double, 3 * (size_t)pair->rigid_count);
  pair->rigid_speed = ST_NEW(double, 3 * (size_t)pair->rigid_count);
  pair->rigid_before = ST_NEW(double, 3 * (size_t)pair->rigid_count);
  if (!pair->rigid_rest || !pair->rigid || !pair->rigid_speed || !pair->rigid_before)
    return st_fail_memory(error);
  for (int v = 0; v < pair->rigid_count; v++) {
    mat3_apply(desc->rotation, desc->mesh->position + 3 * v, pair->rigid_rest + 3 * v);
    vec3_add_scaled(1, desc->origin, pair->rigid_rest + 3 * v);
  }
  ST_TRY(st_contacts_skin(desc->mesh, &triangle, &count, error));
  StSurfaceOptions options = surface_options(contacts, pair);
  StStatus status =
      st_surface_create(triangle, count, pair->rigid_rest, &options, &pair->surface, error);
  if (status == ST_OK)
    adopt_surface(contacts, pair);
  free(triangle);
  return status;
}

static StStatus create_pair(StContacts *contacts, int index, const int *local, StError *error) {
  StPair *pair = &contacts->pair[index];
  const StContactDesc *desc = pair->desc = &contacts->description->contact[index];
  pair->stiffness = desc->stiffness;
  pair->friction = (StFrictionLaw){.dynamic_coefficient = desc->friction.dynamic_coefficient,
                                   .static_coefficient = desc->friction.static_coefficient,
                                   .viscous_coefficient = desc->friction.viscous_coefficient,
                                   .sticking_speed = desc->friction.sticking_speed,
                                   .stribeck_speed = desc->friction.stribeck_speed};
  st_friction_prepare(&pair->friction);
  pair->steady = pair->friction;
  pair->steady.dynamic_coefficient = pair->friction.static_coefficient;
  st_friction_prepare(&pair->steady);
  ST_TRY(collect_points(contacts, pair, local, error));
  ST_TRY(st_sides_create(contacts, pair, error));
  return desc->body >= 0 ? create_body_surface(contacts, pair, local, error)
                         : create_rigid_surface(contacts, pair, error);
}

static bool make_room(StContacts *contacts, int count) {
  if (count <= contacts->room)
    return true;
  StDual *grown = realloc(contacts->dual, (size_t)(2 * count) * 16 * sizeof(StDual));
  if (!grown)
    return false;
  contacts->dual = grown;
  contacts->room = 2 * count;
  return true;
}

static StStatus build(StContacts *contacts, StError *error) {
  const StDescription *description = contacts->description;
  contacts->pair = ST_NEW(StPair, description->contact_count);
  contacts->surface = ST_NEW(StSharedSurface, description->contact_count);
  contacts->obstacle = ST_NEW(StObstacleNow, description->obstacle_count);
  contacts->position = ST_NEW(double, 3 * (size_t)contacts->piece->vertex_count);
  contacts->place = ST_NEW(int, contacts->piece->vertex_count);
  contacts->start = ST_NEW(double, 3 * (size_t)contacts->piece->vertex_count);
  int *local = st_piece_find_vertices(contacts->piece, st_description_vertex_count(description));
  StStatus status = contacts->pair && contacts->surface && contacts->obstacle &&
                            contacts->position && contacts->start && contacts->place && local
                        ? st_surface_scratch_create(&contacts->scratch, error)
                        : st_fail_memory(error);
  contacts->time = NAN;
  contacts->still = true;
  for (int i = 0; i < description->obstacle_count; i++)
    contacts->still = contacts->still && !st_motion_moves(&description->obstacle[i].motion);
  if (status == ST_OK && !make_room(contacts, 64))
    status = st_fail_memory(error);
  for (int i = 0; status == ST_OK && i < description->contact_count; i++) {
    contacts->pair_count++;
    status = create_pair(contacts, i, local, error);
  }
  free(local);
  return status;
}

StStatus st_contacts_create(const StDescription *description, const StPiece *piece,
                            StContacts **result, StError *error) {
  *result = NULL;
  if (description->contact_count == 0)
    return ST_OK;
  StContacts *contacts = ST_NEW(StContacts, 1);
  if (!contacts)
    return st_fail_memory(error);
  contacts->description = description;
  contacts->piece = piece;
  StStatus status = build(contacts, error);
  if (status != ST_OK) {
    st_contacts_destroy(contacts);
    return status;
  }
  *result = contacts;
  return ST_OK;
}

static void list_free(StTouchList *list) {
  free(list->touch);
  free(list->vertex);
  free(list->gradient);
  free(list->fade_gradient);
  free(list->share);
}

void st_contacts_destroy(StContacts *contacts) {
  if (!contacts)
    return;
  for (int i = 0; i < contacts->pair_count; i++) {
    StPair *pair = &contacts->pair[i];
    free(pair->point);
    free(pair->area);
    free(pair->side);
    free(pair->rigid_rest);
    free(pair->rigid);
    free(pair->rigid_speed);
    free(pair->rigid_before);
  }
  list_free(&contacts->now);
  list_free(&contacts->lag);
  for (int i = 0; i < contacts->surface_count; i++)
    st_surface_destroy(contacts->surface[i].surface);
  free(contacts->surface);
  st_surface_scratch_destroy(contacts->scratch);
  free(contacts->pair);
  free(contacts->obstacle);
  free(contacts->position);
  free(contacts->start);
  free(contacts->dual);
  free(contacts->dense);
  free(contacts->place);
  free(contacts);
}

// Room for one more touch with `count` stencil entries.
static bool list_reserve(StTouchList *list, int count) {
  if (!st_grow((void **)&list->touch, &list->touch_capacity, (size_t)list->count + 1,
               sizeof(StTouch)))
    return false;
  size_t needed = list->used + (size_t)count;
  if (needed <= list->capacity)
    return true;
  size_t wanted = needed + needed / 2 + 64, c[4] = {0};
  bool good = st_grow((void **)&list->vertex, &c[0], wanted, sizeof(int)) &&
              st_grow((void **)&list->gradient, &c[1], wanted, 3 * sizeof(double)) &&
              st_grow((void **)&list->fade_gradient, &c[2], wanted, 3 * sizeof(double)) &&
              st_grow((void **)&list->share, &c[3], wanted, sizeof(double));
  if (good)
    list->capacity = wanted;
  return good;
}

StTouchLaw st_contacts_law(const StContacts *contacts, const StTouch *touch) {
  const StPair *pair = &contacts->pair[touch->pair];
  return (StTouchLaw){.thickness = pair->desc->thickness,
                      .stiffness = pair->stiffness * pair->area[touch->point],
                      .friction = contacts->eased ? &pair->steady : &pair->friction};
}

int st_contacts_vertex(const StContacts *contacts, const StTouch *touch) {
  return contacts->pair[touch->pair].point[touch->point];
}

bool st_contacts_owned(const StContacts *contacts, const StTouch *touch) {
  return touch->point < contacts->pair[touch->pair].owned_count;
}

static StGap gap_at(const StTouchList *list, size_t first) {
  return (StGap){.gradient = list->gradient + 3 * first,
                 .fade_gradient = list->fade_gradient + 3 * first,
                 .share = list->share + first};
}

StGap st_contacts_gap(const StTouchList *list, const StTouch *touch) {
  StGap gap = gap_at(list, touch->first);
  gap.gap = touch->gap;
  gap.fade = touch->fade;
  return gap;
}

// Takes a candidate into the list if it is within reach.
static void keep_touch(StContacts *contacts, StTouch *touch, StGap *gap) {
  StTouchList *list = &contacts->now;
  const StPair *pair = &contacts->pair[touch->pair];
  if (!(gap->gap < pair->desc->thickness) || !(gap->fade > 0))
    return;
  if (pair->two_sided)
    touch->side =
        st_surface_side(pair->surface, contacts->scratch,
                        contacts->position + 3 * pair->point[touch->point], contacts->position);
  touch->gap = gap->gap;
  touch->fade = gap->fade;
  StTouchLaw law = st_contacts_law(contacts, touch);
  touch->grip = st_touch_grip(&law, gap);
  list->used += (size_t)touch->count;
  list->touch[list->count++] = *touch;
}

static StStatus try_obstacle(StContacts *contacts, int index, int point, const double *x) {
  StPair *pair = &contacts->pair[index];
  const StObstacleNow *obstacle = &contacts->obstacle[pair->desc->obstacle];
  StTouchList *list = &contacts->now;
  double gradient[3];
  double distance = st_obstacle_gap(obstacle, x, gradient);
  if (distance >= pair->desc->thickness)
    return ST_OK;
  if (!list_reserve(list, 1))
    return ST_SYSTEM_FAULT;
  StTouch touch = {.pair = index, .point = point, .count = 1, .dof_count = 1, .first = list->used};
  StGap gap = gap_at(list, touch.first);
  gap.gap = distance;
  gap.fade = 1;
  list->vertex[touch.first] = pair->point[point];
  vec3_copy(gradient, gap.gradient);
  vec3_set(0, 0, 0, gap.fade_gradient);
  gap.share[0] = 0;
  st_obstacle_velocity(obstacle, x, touch.matter);
  keep_touch(contacts, &touch, &gap);
  return ST_OK;
}

// Velocity of a mesh obstacle's matter under the point.
static void mix_rigid_velocity(const StPair *pair, const StStencil *stencil, const double *share,
                               double matter[3]) {
  for (int k = 1; k < stencil->count; k++)
    vec3_add_scaled(share[k], pair->rigid_speed + 3 * stencil->vertex[k], matter);
}

// The stencil's positions, into the work space.
static double *gather(StContacts *contacts, const StPair *pair, const StStencil *stencil,
                      const double *position) {
  double *gathered = (double *)contacts->dual;
  for (int k = 0; k < stencil->count; k++)
    vec3_copy((pair->rigid && k ? pair->rigid : position) + 3 * stencil->vertex[k],
              gathered + 3 * k);
  return gathered;
}

static bool face_samples(StContacts *contacts, const StPair *pair, int point, StError *error) {
  const double *x = contacts->position + 3 * pair->point[point];
  double place[3];
  StSurfacePast past = st_sides_past(contacts, pair, point, place);
  return st_surface_face(pair->surface, contacts->scratch, x, contacts->position, &past, error);
}

// The samples around a point at the positions of the last update, facing it. Derivatives ask for
// the same ones many times over.
static bool find_samples(StContacts *contacts, const StPair *pair, int point, StStencil *stencil,
                         StError *error) {
  StFound *found = &contacts->found;
  if (found->pair != pair || found->point != point) {
    int vertex = pair->point[point];
    const double *x = contacts->position + 3 * vertex;
    found->pair = NULL;
    if (!st_surface_find(pair->surface, vertex, x, contacts->scratch, &found->stencil, error) ||
        (pair->two_sided && !face_samples(contacts, pair, point, error)))
      return false;
    found->pair = pair;
    found->point = point;
  }
  *stencil = found->stencil;
  return true;
}

static StStatus try_surface(StContacts *contacts, int index, int point, const double *position) {
  StPair *pair = &contacts->pair[index];
  StTouchList *list = &contacts->now;
  StStencil stencil;
  StError error = {0};
  if (!find_samples(contacts, pair, point, &stencil, &error))
    return error.status;
  if (!list_reserve(list, stencil.count) || !make_room(contacts, stencil.count))
    return ST_SYSTEM_FAULT;
  bool rigid = pair->rigid != NULL;
  StTouch touch = {.pair = index,
                   .point = point,
                   .count = stencil.count,
                   .dof_count = rigid ? 1 : stencil.count,
                   .first = list->used};
  StGap gap = gap_at(list, touch.first);
  memcpy(list->vertex + touch.first, stencil.vertex, (size_t)stencil.count * sizeof(int));
  st_surface_gap(pair->surface, contacts->scratch, gather(contacts, pair, &stencil, position),
                 &gap);
  if (rigid)
    mix_rigid_velocity(pair, &stencil, gap.share, touch.matter);
  keep_touch(contacts, &touch, &gap);
  return ST_OK;
}

bool st_contacts_look(StContacts *contacts, int index, int point, double *gap, double outward[3]) {
  StPair *pair = &contacts->pair[index];
  StStencil stencil;
  if (!find_samples(contacts, pair, point, &stencil, NULL) || !make_room(contacts, stencil.count))
    return false;
  double *position = gather(contacts, pair, &stencil, contacts->position);
  double *rest = position + 3 * stencil.count;
  StGap all = {.gradient = rest,
               .fade_gradient = rest + 3 * stencil.count,
               .share = rest + 6 * stencil.count};
  st_surface_gap(pair->surface, contacts->scratch, position, &all);
  *gap = all.gap;
  vec3_copy(all.gradient, outward);
  return true;
}

// Sorts a surface's samples for these positions, once for all pairs that use it.
static StStatus sort_surface(StContacts *contacts, const StPair *pair, const double *position) {
  for (int i = 0; i < contacts->surface_count; i++) {
    StSharedSurface *shared = &contacts->surface[i];
    if (shared->surface != pair->surface || shared->sorted)
      continue;
    shared->sorted = true;
    return st_surface_update(shared->surface, pair->rigid ? pair->rigid : position, NULL);
  }
  return ST_OK;
}

static StStatus find_touches(StContacts *contacts, int index, const double *position) {
  StPair *pair = &contacts->pair[index];
  if (pair->surface)
    ST_TRY(sort_surface(contacts, pair, position));
  for (int i = 0; i < pair->point_count; i++)
    ST_TRY(pair->surface ? try_surface(contacts, index, i, position)
                         : try_obstacle(contacts, index, i, position + 3 * pair->point[i]));
  return ST_OK;
}

// Vertices of a mesh obstacle and their velocities under its pose.
static void move_rigid(StPair *pair, const StRigidPose *pose) {
  for (int v = 0; v < pair->rigid_count; v++) {
    double *x = pair->rigid + 3 * v, arm[3];
    mat3_apply(pose->rotation, pair->rigid_rest + 3 * v, x);
    vec3_add_scaled(1, pose->shift, x);
    vec3_sub(x, pose->pivot, arm);
    vec3_cross(pose->spin, arm, pair->rigid_speed + 3 * v);
    vec3_add_scaled(1, pose->velocity, pair->rigid_speed + 3 * v);
  }
}

static void move_obstacles(StContacts *contacts, double time) {
  for (int i = 0; i < contacts->description->obstacle_count; i++)
    st_obstacle_at(&contacts->description->obstacle[i], time, &contacts->obstacle[i]);
  for (int p = 0; p < contacts->pair_count; p++)
    if (contacts->pair[p].rigid)
      move_rigid(&contacts->pair[p], &contacts->obstacle[contacts->pair[p].desc->obstacle].pose);
}

StStatus st_contacts_update(StContacts *contacts, double time, const double *position) {
  size_t bytes = 3 * (size_t)contacts->piece->vertex_count * sizeof(double);
  bool same_time = contacts->still ? !isnan(contacts->time) : time == contacts->time;
  if (same_time && memcmp(position, contacts->position, bytes) == 0)
    return contacts->trouble;
  contacts->time = time;
  memcpy(contacts->position, position, bytes);
  contacts->now.count = 0;
  contacts->now.used = 0;
  contacts->trouble = ST_OK;
  contacts->found.pair = NULL;
  for (int i = 0; i < contacts->surface_count; i++)
    contacts->surface[i].sorted = false;
  move_obstacles(contacts, time);
  for (int i = 0; i < contacts->pair_count && contacts->trouble == ST_OK; i++)
    contacts->trouble = find_touches(contacts, i, position);
  return contacts->trouble;
}

bool st_contacts_friction_falls(const StContacts *contacts) {
  for (int i = 0; i < contacts->pair_count; i++) {
    const StFrictionLaw *law = &contacts->pair[i].friction;
    if (law->static_coefficient > law->dynamic_coefficient)
      return true;
  }
  return false;
}

bool st_contacts_have_friction(const StContacts *contacts) {
  for (int i = 0; i < contacts->pair_count; i++)
    if (contacts->pair[i].friction.static_coefficient > 0)
      return true;
  return false;
}

void st_contacts_ease_friction(StContacts *contacts, double width) {
  contacts->eased = width > 0;
  for (int i = 0; i < contacts->pair_count; i++) {
    StPair *pair = &contacts->pair[i];
    pair->steady.sticking_speed = fmax(width, 1) * pair->friction.sticking_speed;
    pair->steady.stribeck_speed = fmax(width, 1) * pair->friction.stribeck_speed;
  }
}

void st_contacts_begin_step(StContacts *contacts, const double *position) {
  for (int i = 0; i < contacts->pair_count; i++)
    if (contacts->pair[i].surface && !contacts->pair[i].rigid)
      st_surface_grow_radius(contacts->pair[i].surface, position);
  st_sides_begin(contacts, position);
  contacts->time = NAN; // gaps may have changed with the radius
}

static bool list_copy(StTouchList *to, const StTouchList *from) {
  to->count = 0;
  to->used = 0;
  if (!st_grow((void **)&to->touch, &to->touch_capacity, (size_t)from->count, sizeof(StTouch)) ||
      !list_reserve(to, (int)from->used))
    return false;
  to->count = from->count;
  to->used = from->used;
  if (from->count) {
    memcpy(to->touch, from->touch, (size_t)from->count * sizeof(StTouch));
    memcpy(to->vertex, from->vertex, from->used * sizeof(int));
    memcpy(to->gradient, from->gradient, 3 * from->used * sizeof(double));
    memcpy(to->fade_gradient, from->fade_gradient, 3 * from->used * sizeof(double));
    memcpy(to->share, from->share, from->used * sizeof(double));
  }
  return true;
}

StStatus st_contacts_lag(StContacts *contacts, double time, const double *position,
                         StError *error) {
  if (st_contacts_update(contacts, time, position) != ST_OK ||
      !list_copy(&contacts->lag, &contacts->now))
    return st_fail_memory(error);
  return ST_OK;
}

bool st_contacts_revisit(StContacts *contacts, const StTouch *touch, double *position) {
  StStencil stencil;
  if (!find_samples(contacts, &contacts->pair[touch->pair], touch->point, &stencil, NULL) ||
      stencil.count != touch->count)
    return false;
  for (int k = 0; k < stencil.count; k++)
    vec3_copy(contacts->position + 3 * stencil.vertex[k], position + 3 * k);
  return true;
}

void st_contacts_gap_dual(StContacts *contacts, const StTouch *touch, const StDual *position,
                          StGapDual *gap, StDual matter[3]) {
  StPair *pair = &contacts->pair[touch->pair];
  for (int i = 0; i < 3; i++)
    matter[i] = 0;
  if (!pair->surface) {
    const StObstacleNow *obstacle = &contacts->obstacle[pair->desc->obstacle];
    gap->gap = st_obstacle_gap_dual(obstacle, position, gap->gradient);
    gap->fade = 1;
    gap->share[0] = 0;
    for (int i = 0; i < 3; i++)
      gap->fade_gradient[i] = 0;
    st_obstacle_velocity_dual(obstacle, position, matter);
    return;
  }
  StStencil stencil;
  find_samples(contacts, pair, touch->point, &stencil, NULL);
  st_surface_gap_dual(pair->surface, contacts->scratch, position, gap);
  for (int k = 1; pair->rigid && k < touch->count; k++)
    for (int i = 0; i < 3; i++)
      matter[i] += gap->share[k] * pair->rigid_speed[3 * stencil.vertex[k] + i];
}
