// Which bodies stand on others at the start, and what weight the lower ones carry. Only what lies
// above another with its lowest point at the other's highest counts; where bodies lean or fit into
// each other, nothing is known. A body's load goes to what it stands on in equal parts.
#include "scene/stack.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/cage.h"
#include "model/body.h"
#include "model/piece.h"

// Of the smaller body's size: how far the upper one may start above or inside the lower one.
static const double NEAR = 0.05;
// The same for cloth, of how far the smaller one reaches to its sides.
static const double NEAR_SHEET = 0.005;

typedef struct Standing {
  int upper, lower;
  double height; // of the upper one's lowest point, m
} Standing;

static double distance_across(const StStackScale *scale, const double *x, const double middle[3]) {
  double arm[3];
  vec3_sub(x, middle, arm);
  vec3_add_scaled(-vec3_dot(arm, scale->up), scale->up, arm);
  return vec3_length(arm);
}

static void measure(const StDescription *description, const StBodyDesc *body,
                    const StStackScale *scale, StStackBody *of) {
  const StMesh *mesh = body->mesh;
  const double *pull = body->own_gravity ? body->gravity : description->gravity;
  int count = st_mesh_own_count(mesh);
  *of = (StStackBody){.mesh = mesh, .low = INFINITY, .high = -INFINITY};
  for (int v = 0; v < count; v++) {
    double height = vec3_dot(mesh->position + 3 * v, scale->up);
    vec3_add_scaled(1.0 / count, mesh->position + 3 * v, of->middle);
    of->low = fmin(of->low, height);
    of->high = fmax(of->high, height);
  }
  for (int v = 0; v < count; v++)
    of->reach = fmax(of->reach, distance_across(scale, mesh->position + 3 * v, of->middle));
  of->solid = st_body_is_solid(body);
  of->weight = of->load = st_body_mass(description, body) * fmax(-vec3_dot(pull, scale->up), 0);
}

static void find_held(const StDescription *description, StStackBody *body) {
  for (int i = 0; i < description->boundary_count; i++)
    for (int k = 0; k < description->boundary[i].vertex_count; k++)
      body[st_description_body_of(description, description->boundary[i].vertex[k])].held = true;
}

// How far a body extends from a point of the line through two middles.
static double extent(const StStackBody *body, const double from[3], const double along[3]) {
  double most = 0;
  for (int v = 0; v < st_mesh_own_count(body->mesh); v++) {
    double arm[3];
    vec3_sub(body->mesh->position + 3 * v, from, arm);
    most = fmax(most, vec3_dot(arm, along));
  }
  return most;
}

static bool overlap_across(const StStackScale *scale, const StStackBody *a, const StStackBody *b) {
  double way[3], back[3] = {0};
  vec3_sub(b->middle, a->middle, way);
  vec3_add_scaled(-vec3_dot(way, scale->up), scale->up, way);
  double distance = vec3_length(way);
  if (distance >= a->reach + b->reach)
    return false;
  if (!(distance > NEAR * fmin(a->reach, b->reach)))
    return true;
  for (int c = 0; c < 3; c++)
    way[c] /= distance;
  vec3_add_scaled(-1, way, back);
  return extent(a, a->middle, way) + extent(b, b->middle, back) > distance;
}

bool st_stack_stands_on(const StStackScale *scale, int upper, int lower) {
  const StStackBody *a = &scale->body[upper], *b = &scale->body[lower];
  bool solid = a->solid && b->solid;
  double near = solid ? NEAR * fmin(a->high - a->low, b->high - b->low)
                      : NEAR_SHEET * fmin(a->reach, b->reach);
  bool free = !a->held || !a->solid; // cloth that is held somewhere still passes on its load
  return scale->pull > 0 && free && fabs(a->low - b->high) <= near && overlap_across(scale, a, b);
}

static int compare(const void *a, const void *b) {
  const Standing *x = a, *y = b;
  if (x->height != y->height)
    return x->height > y->height ? -1 : 1;
  return x->upper != y->upper ? x->upper - y->upper : x->lower - y->lower;
}

// Pairs that stand on each other; a pair that is listed in both directions counts twice.
static int list_standing(const StDescription *description, const StStackScale *scale,
                         Standing *list) {
  int count = 0;
  for (int i = 0; i < description->contact_count; i++) {
    const int pair[2] = {description->contact[i].collider, description->contact[i].body};
    for (int k = 0; k < 2 && pair[1] >= 0 && pair[0] != pair[1]; k++)
      if (st_stack_stands_on(scale, pair[k], pair[1 - k]))
        list[count++] = (Standing){pair[k], pair[1 - k], scale->body[pair[k]].low};
  }
  return count;
}

// From the top down: all that stands on a body is known before its load is passed on.
static void pass_down(Standing *list, int count, StStackBody *body) {
  for (int i = 0; i < count; i++)
    body[list[i].upper].supports++;
  qsort(list, (size_t)count, sizeof *list, compare);
  for (int i = 0; i < count; i++) {
    const StStackBody *upper = &body[list[i].upper];
    body[list[i].lower].load += upper->load / upper->supports;
  }
}

StStatus st_stack_measure(const StDescription *description, StStackScale *scale, StError *error) {
  *scale = (StStackScale){.pull = vec3_length(description->gravity)};
  scale->body = ST_NEW(StStackBody, description->body_count);
  Standing *list = ST_NEW(Standing, description->contact_count);
  if (!scale->body || !list) {
    free(list);
    st_stack_free(scale);
    return st_fail_memory(error);
  }
  for (int c = 0; c < 3 && scale->pull > 0; c++)
    scale->up[c] = -description->gravity[c] / scale->pull;
  for (int b = 0; b < description->body_count; b++)
    measure(description, &description->body[b], scale, &scale->body[b]);
  find_held(description, scale->body);
  pass_down(list, list_standing(description, scale, list), scale->body);
  free(list);
  return ST_OK;
}

void st_stack_free(StStackScale *scale) {
  free(scale->body);
  scale->body = NULL;
}

double st_stack_layers(const StStackScale *scale, int body) {
  const StStackBody *of = &scale->body[body];
  return of->weight > 0 && !of->held ? of->load / of->weight : 1;
}
