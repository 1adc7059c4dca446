// A cloth falls over a ball, off its centre: friction holds it where it lands, and nothing is ever
// inside, by a count that asks the vertices and not the engine. The ball is an obstacle, or soft
// and pressed in by its load.
#include "verify/list.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/closed.h"
#include "verify/trial.h"

static const double radius = 0.25, thickness = 5e-3, sticking = 1e-3, step = 0.01;

typedef struct Drape {
  bool soft; // a ball of tets, its lower half held; otherwise an obstacle
  int cells; // of the cloth, along a side of 1 m
  double friction, duration;
  StTouch touch;
} Drape;

static StContactDesc drape_contact(const Drape *drape) {
  return (StContactDesc){
      .body = drape->soft ? 1 : -1,
      .obstacle = drape->soft ? -1 : 0,
      .thickness = thickness,
      .stiffness = st_world_stiffness(drape->touch.method, 100, thickness),
      .friction = st_touch_friction(&drape->touch, drape->friction, drape->friction, sticking)};
}

static bool lower_half(const double X[3], const void *context) {
  (void)context;
  return X[2] < 1e-9;
}

// Body 0 is the cloth, a little aside; body 1 the ball when it is soft.
static void add_bodies(StWorld *world, const Drape *drape) {
  const StCloth cloth = {.young = 500,
                         .poisson = 0.3,
                         .area_density = 0.2,
                         .bending = 5e-4,
                         .mass_damping = 3,
                         .stiffness_damping = 2e-3};
  const StWorldMaterial foam = {
      .young = 5e3, .poisson = 0.3, .density = 100, .stiffness_damping = 1e-2};
  const double value[] = {1, 1, 0, drape->cells, drape->cells}, origin[3] = {0, 0, 0};
  int cotton = st_world_add_cloth(world, &cloth);
  StMesh *mesh = st_world_surface(world, "sheet", value, ST_LENGTH(value),
                                  (double[3]){0.08, 0.03, radius + 0.03});
  st_world_add_body(world, "cloth", mesh, cotton);
  if (!drape->soft) {
    st_world_add_ball(world, origin, radius);
    return;
  }
  const double size[] = {radius, 0, 4};
  int material = st_world_add_material(world, &foam);
  mesh = st_world_shape(world, "sphere", size, ST_LENGTH(size), origin);
  st_world_add_body(world, "ball", mesh, material);
  st_world_add_boundary(world, 1, lower_half, NULL);
}

static StWorld drape_world(const Drape *drape) {
  StWorld world = st_world_begin();
  st_world_set_touch(&world, &drape->touch);
  add_bodies(&world, drape);
  StContactDesc contact = drape_contact(drape);
  (drape->soft ? st_world_add_mutual : st_world_add_contact)(&world, &contact);
  st_world_set_time(&world, "be", step, drape->duration);
  st_world_set_tolerance(&world, 1e-2 * sticking);
  if (world.description)
    world.description->gravity[2] = -ST_VERIFY_GRAVITY;
  return world;
}

// How deep the cloth is inside the round obstacle; negative: it is clear of it.
static double depth_in_round(const StSnapshot *state) {
  double depth = -INFINITY;
  for (int v = 0; v < state->vertex_count; v++)
    depth = fmax(depth, radius - vec3_length(state->position + 3 * v));
  return depth;
}

// How deep a point is inside a body that stays convex, or nearly: its smallest distance to the
// planes of the faces.
static double depth_in_planes(const double *position, const StParts *skin, const double x[3]) {
  double depth = INFINITY;
  for (int t = 0; t < skin->start[1]; t++) {
    const int *corner = skin->triangle + 3 * t;
    const double *a = position + 3 * corner[0];
    double side[2][3], normal[3], arm[3];
    vec3_sub(position + 3 * corner[1], a, side[0]);
    vec3_sub(position + 3 * corner[2], a, side[1]);
    vec3_cross(side[0], side[1], normal);
    vec3_sub(a, x, arm);
    depth = fmin(depth, vec3_dot(normal, arm) / vec3_length(normal));
  }
  return depth;
}

static StStatus depth_in_ball(const StTrial *trial, const StSnapshot *state, double *depth,
                              StError *error) {
  const StBodyDesc *body = trial->description->body;
  ST_FINALLY(st_parts_free) StParts skin = {0};
  int outer, cloth = body[0].mesh->vertex_count;
  ST_TRY(st_mesh_walls(body[1].mesh, &skin, &outer, error));
  *depth = -INFINITY;
  for (int v = 0; v < cloth; v++)
    *depth =
        fmax(*depth, depth_in_planes(state->position + 3 * cloth, &skin, state->position + 3 * v));
  return ST_OK;
}

typedef struct Draped {
  double depth;   // m, the deepest that any vertex of the cloth ever was inside
  double slid;    // m, how far the vertex over the ball's top has moved sideways
  double creep;   // m/s, speed of that vertex at the end
  double fastest; // m/s, of all, at the end
} Draped;

// The vertex of the cloth that begins nearest to the axis.
static int top_vertex(const StMesh *cloth) {
  int top = 0;
  for (int v = 1; v < cloth->vertex_count; v++)
    if (hypot(cloth->position[3 * v], cloth->position[3 * v + 1]) <
        hypot(cloth->position[3 * top], cloth->position[3 * top + 1]))
      top = v;
  return top;
}

static StStatus look(const Drape *drape, const StTrial *trial, const StSnapshot *state,
                     Draped *seen, StError *error) {
  const StMesh *cloth = trial->description->body[0].mesh;
  int top = top_vertex(cloth);
  const double *now = state->position + 3 * top, *start = cloth->position + 3 * top;
  double depth = depth_in_round(state);
  if (drape->soft)
    ST_TRY(depth_in_ball(trial, state, &depth, error));
  seen->depth = fmax(seen->depth, depth);
  seen->slid = hypot(now[0] - start[0], now[1] - start[1]);
  seen->creep = vec3_length(state->velocity + 3 * top);
  seen->fastest = 0;
  for (int v = 0; v < cloth->vertex_count; v++)
    seen->fastest = fmax(seen->fastest, vec3_length(state->velocity + 3 * v));
  // A velocity that is no number is lost in a maximum, but not in a sum.
  double sum = 0;
  for (int i = 0; i < 3 * state->vertex_count; i++)
    sum += state->position[i] + state->velocity[i];
  if (!isfinite(sum))
    seen->depth = NAN;
  return ST_OK;
}

static StStatus let_fall(const Drape *drape, Draped *seen, StError *error) {
  StWorld world = drape_world(drape);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  *seen = (Draped){.depth = -INFINITY};
  while (status == ST_OK && !st_simulation_finished(trial.simulation)) {
    StSnapshot state;
    status = st_trial_step(&trial, error);
    if (status == ST_OK)
      status = st_trial_state(&trial, &state, error);
    if (status != ST_OK)
      break;
    status = look(drape, &trial, &state, seen, error);
    st_snapshot_free(&state);
  }
  return status;
}

static StStatus check(StVerify *verify, const Drape *drape, StError *error) {
  const char *name = drape->soft ? "soft ball" : drape->friction > 0 ? "obstacle" : "no friction";
  Draped seen;
  ST_TRY(let_fall(drape, &seen, error));
  bool held = drape->friction > 0;
  st_verify_bound(verify, "m", isnan(seen.depth) ? NAN : fmax(seen.depth, 0), 0,
                  "%s: deepest vertex inside", name);
  // Friction holds up to where the ball is as steep as its angle, and the cloth lands at the top.
  st_verify_bound(verify, "m", seen.slid, held ? radius * atan(drape->friction) : NAN,
                  "%s: slid off the top by", name);
  if (!held)
    return ST_OK;
  st_verify_bound(verify, "m/s", seen.creep, sticking, "%s: speed at the top", name);
  st_verify_bound(verify, "m/s", seen.fastest, NAN, "%s: fastest vertex at the end", name);
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  Drape drape = {
      .cells = 12, .friction = 0.5, .duration = 3, .touch = st_verify_touch(&verify->settings)};
  ST_TRY(check(verify, &drape, error));
  drape.friction = 0;
  drape.duration = 0.8;
  ST_TRY(check(verify, &drape, error));
  if (!verify->settings.full)
    return ST_OK;
  drape.friction = 0.5;
  drape.duration = 3;
  drape.cells = 32;
  ST_TRY(check(verify, &drape, error));
  drape.soft = true;
  drape.cells = 16;
  return check(verify, &drape, error);
}

const StVerifyCase st_verify_drape = {
    .name = "drape",
    .summary = "A cloth falls over a ball, a rigid or a soft one, with steps of 0.01 s: no vertex "
               "is ever inside, and friction keeps it where it lands.",
    .both = true,
    .has_friction = true,
    .run = run,
};
