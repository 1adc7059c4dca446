// Creates a description with its defaults, and frees everything it owns.
#include "model/description.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/cage.h"

#include <stdio.h>

StDescription *st_description_create(void) {
  StDescription *description = ST_NEW(StDescription, 1);
  if (!description)
    return NULL;
  description->gravity[2] = -9.81;
  description->time =
      (StTimeDesc){.duration = 1, .step = 0.01, .frame_rate = 50, .smallest_step = 0.01 / 1024};
  description->integrator = "be";
  description->solver = (StSolverDesc){
      .kind = ST_SOLVER_AUTO,
      .preconditioner = ST_PC_AUTO,
      .velocity_tolerance = 1e-6,
      .change_tolerance = 1e-5,
      .max_iterations = 50,
      .step_iterations = 1000,
      .max_linear_iterations = 1000,
  };
  description->contact_settings = (StContactSettings){.method = ST_CONTACT_METHOD_DEFAULT,
                                                      .friction_iterations = 1,
                                                      .max_repeats = 8,
                                                      .area_weighted = true,
                                                      .radius_multiplier = 2,
                                                      .smoothing = 0.1};
  description->output = (StOutputDesc){.stress = true, .forces = true};
  return description;
}

static void free_body(StBodyDesc *body) {
  free(body->name);
  free(body->source);
  st_mesh_destroy(body->mesh);
  free(body->label_material);
  st_carried_free(&body->carried);
}

static void free_boundary(StBoundaryDesc *boundary) {
  free(boundary->name);
  free(boundary->vertex);
  st_motion_free(&boundary->motion);
}

static void free_volume(StVolumeDesc *volume) {
  free(volume->name);
  free(volume->triangle);
  st_curve_free(&volume->pressure);
}

static void free_bearing(StBearingDesc *bearing) {
  free(bearing->name);
  free(bearing->vertex);
  st_curve_free(&bearing->torque);
}

static void free_load(StLoadDesc *load) {
  free(load->name);
  free(load->vertex);
  free(load->weight);
  free(load->triangle);
  for (int k = 0; k < 3; k++)
    st_curve_free(&load->value[k]);
}

static void free_joint(StJointDesc *joint) {
  free(joint->name);
  for (int e = 0; e < 2; e++) {
    free(joint->end[e].vertex);
    free(joint->end[e].weight);
  }
  for (int i = 0; i < ST_PARAM_MAX; i++)
    st_curve_free(&joint->curve[i]);
}

static void free_probe(StProbeDesc *probe) {
  free(probe->name);
  free(probe->vertex);
  free(probe->other);
}

static void free_force(StForceDesc *force) {
  for (int i = 0; i < ST_PARAM_MAX; i++)
    st_curve_free(&force->curve[i]);
}

static void free_obstacle(StObstacleDesc *obstacle) {
  free(obstacle->name);
  free(obstacle->material);
  st_mesh_destroy(obstacle->mesh);
  st_motion_free(&obstacle->motion);
}

static void free_note(StNote *note) {
  free(note->key);
  free(note->value);
  free(note->reason);
}

void st_description_destroy(StDescription *description) {
  if (!description)
    return;
  for (int i = 0; i < description->material_count; i++)
    free(description->material[i].name);
  for (int i = 0; i < description->body_count; i++)
    free_body(&description->body[i]);
  for (int i = 0; i < description->boundary_count; i++)
    free_boundary(&description->boundary[i]);
  for (int i = 0; i < description->volume_count; i++)
    free_volume(&description->volume[i]);
  for (int i = 0; i < description->bearing_count; i++)
    free_bearing(&description->bearing[i]);
  for (int i = 0; i < description->load_count; i++)
    free_load(&description->load[i]);
  for (int i = 0; i < description->joint_count; i++)
    free_joint(&description->joint[i]);
  for (int i = 0; i < description->probe_count; i++)
    free_probe(&description->probe[i]);
  for (int i = 0; i < description->force_count; i++)
    free_force(&description->force[i]);
  for (int i = 0; i < description->obstacle_count; i++)
    free_obstacle(&description->obstacle[i]);
  for (int i = 0; i < description->note_count; i++)
    free_note(&description->note[i]);
  for (StShared *next; description->shared; description->shared = next) {
    next = description->shared->next;
    st_shared_destroy(description->shared);
  }
  free(description->title);
  free(description->material);
  free(description->body);
  free(description->start);
  free(description->boundary);
  free(description->volume);
  free(description->bearing);
  free(description->load);
  free(description->joint);
  free(description->probe);
  free(description->obstacle);
  free(description->body_start);
  free(description->contact);
  if (description->contact_rule)
    description->contact_rule->destroy(description->contact_rule);
  free(description->acceleration);
  free(description->force);
  free(description->tunable);
  free(description->note);
  free(description);
}

void st_description_keep(StDescription *description, StShared *shared) {
  shared->next = description->shared;
  description->shared = shared;
}

size_t st_description_joined(const StDescription *description) {
  size_t sum = 0;
  for (const StShared *shared = description->shared; shared; shared = shared->next)
    sum += shared->joined ? shared->size : 0;
  return sum;
}

bool st_description_number(StDescription *description) {
  int *start = ST_NEW(int, description->body_count + 1);
  for (int b = 0; start && b < description->body_count; b++)
    start[b + 1] = start[b] + description->body[b].mesh->vertex_count;
  description->body_start = start;
  return start;
}

int st_description_first_vertex(const StDescription *description, int body) {
  int first = 0;
  if (description->body_start)
    return description->body_start[body];
  for (int b = 0; b < body; b++)
    first += description->body[b].mesh->vertex_count;
  return first;
}

int st_description_vertex_count(const StDescription *description) {
  return st_description_first_vertex(description, description->body_count);
}

int st_description_body_of(const StDescription *description, int vertex) {
  int body = 0, high = description->body_count - 1;
  const int *start = description->body_start;
  while (start && body < high) {
    int middle = body + (high - body) / 2;
    if (start[middle + 1] <= vertex)
      body = middle + 1;
    else
      high = middle;
  }
  for (; !start && vertex >= description->body[body].mesh->vertex_count; body++)
    vertex -= description->body[body].mesh->vertex_count;
  return body;
}

void st_description_mark_held(const StDescription *description, bool *held) {
  for (int b = 0; b < description->boundary_count; b++)
    for (int i = 0; i < description->boundary[b].vertex_count; i++)
      held[st_description_body_of(description, description->boundary[b].vertex[i])] = true;
}

bool st_description_has_callbacks(const StDescription *description) {
  bool has = false;
  for (int i = 0; i < description->boundary_count; i++)
    has = has || description->boundary[i].motion.driver;
  for (int i = 0; i < description->obstacle_count; i++)
    has = has || description->obstacle[i].motion.driver;
  for (int i = 0; i < description->force_count; i++)
    has = has || description->force[i].type;
  return has;
}

static StStatus heed(const StMotion *motion, const char *kind, const char *name, StError *error) {
  if (!motion->driver || !motion->driver->failed)
    return ST_OK;
  motion->driver->failed = false;
  return st_fail(error, ST_INTERRUPTED, "the program that drives %s \"%s\" failed to give a pose",
                 kind, name);
}

StStatus st_description_check_drivers(const StDescription *description, StError *error) {
  for (int i = 0; i < description->boundary_count; i++)
    ST_TRY(
        heed(&description->boundary[i].motion, "boundary", description->boundary[i].name, error));
  for (int i = 0; i < description->obstacle_count; i++)
    ST_TRY(
        heed(&description->obstacle[i].motion, "obstacle", description->obstacle[i].name, error));
  return ST_OK;
}

static void widen(const StMesh *mesh, double low[3], double high[3]) {
  for (int v = 0; v < st_mesh_own_count(mesh); v++)
    for (int k = 0; k < 3; k++) {
      double x = mesh->position[3 * v + k];
      low[k] = x < low[k] ? x : low[k];
      high[k] = x > high[k] ? x : high[k];
    }
}

bool st_description_bounds(const StDescription *description, double low[3], double high[3]) {
  if (st_description_vertex_count(description) == 0)
    return false;
  for (int k = 0; k < 3; k++) {
    low[k] = INFINITY;
    high[k] = -INFINITY;
  }
  for (int i = 0; i < description->body_count; i++)
    widen(description->body[i].mesh, low, high);
  return true;
}

double st_description_diagonal(const StDescription *description) {
  double low[3], high[3], diagonal[3];
  if (!st_description_bounds(description, low, high))
    return 0;
  vec3_sub(high, low, diagonal);
  return vec3_length(diagonal);
}

const StContactTraits *st_contact_traits(StContactMethod method) {
  static const StContactTraits traits[] = {[ST_CONTACT_SMOOTH] = {.title = "smooth surfaces",
                                                                  .stiffness = ST_BEDDING,
                                                                  .viscous = ST_DAMPING_RATE,
                                                                  .stiffness_unit = "Pa/m",
                                                                  .vertex_unit = "N/m",
                                                                  .viscous_unit = "kg/s"},
                                           [ST_CONTACT_PRIMITIVES] = {.title = "primitives",
                                                                      .keeps_apart = true,
                                                                      .single = true,
                                                                      .stiffness = ST_PRESSURE,
                                                                      .viscous = ST_AREA_DAMPING,
                                                                      .stiffness_unit = "Pa",
                                                                      .vertex_unit = "Pa",
                                                                      .viscous_unit = "Pa s/m"}};
  return &traits[method];
}

const char *st_contact_stiffness_unit(const StContactSettings *settings) {
  const StContactTraits *traits = st_contact_traits(settings->method);
  return settings->area_weighted ? traits->stiffness_unit : traits->vertex_unit;
}

StStatus st_description_add_note(StDescription *description, const char *key, const char *value,
                                 const char *reason, StError *error) {
  StNote note = {st_copy_string(key), st_copy_string(value), st_copy_string(reason)};
  size_t count = (size_t)description->note_count;
  StNote *grown = realloc(description->note, (count + 1) * sizeof *grown);
  if (grown)
    description->note = grown;
  if (!grown || !note.key || !note.value || !note.reason) {
    free_note(&note);
    return st_fail_memory(error);
  }
  description->note[description->note_count++] = note;
  return ST_OK;
}

void st_description_name_vertex(const StDescription *description, int vertex, char *text,
                                size_t size) {
  int offset = 0;
  for (int b = 0; b < description->body_count; b++) {
    int count = description->body[b].mesh->vertex_count;
    if (vertex < offset + count) {
      snprintf(text, size, "vertex %d of body \"%s\"", vertex - offset, description->body[b].name);
      return;
    }
    offset += count;
  }
  snprintf(text, size, "vertex %d", vertex);
}

void st_description_name_party(const StDescription *description, int body, int obstacle, char *text,
                               size_t size) {
  snprintf(text, size, "%s \"%.100s\"", body >= 0 ? "body" : "obstacle",
           body >= 0 ? description->body[body].name : description->obstacle[obstacle].name);
}
