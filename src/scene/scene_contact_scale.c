// Defaults of contact by primitives: the stiffness κ at the start. It only has to be of the right
// order, since contact stiffens where it is too low, but nothing lowers it. One rule: κ carries the
// largest pressure of a list, at stiffness_gap of the thickness or, between stiff bodies, at a
// wider gap. The list holds, of each body, its weight, loads and pressures, what fills it, and, of
// a sheet, those of the bodies that may lie on it; of the pair, what prescribed motion squeezes it
// with and a weight on a few vertices. Where nothing is known it is the inertia within a step.
#include "scene/contact_rule.h"

#include "base/memory.h"
#include "contact/barrier/barrier.h"
#include "contact/barrier/facing_area.h"
#include "contact/core/contacts.h"
#include "contact/tunables.h"
#include "math/vec3.h"
#include "model/body.h"
#include "scene/tunables.h"

#include <stdio.h>

void st_contact_scale_take(StBodyScale *scale, double pressure, const char *format, double factor) {
  if (!(pressure > scale->pressure))
    return;
  scale->pressure = pressure;
  snprintf(scale->source, sizeof scale->source, format, factor);
}

// An inflated body presses with its inner pressure, but with no more than its skin can hold: a
// bubble of the body's size stretched to twice its size. (The given pressure is that at the rest
// volume, and falls as the skin expands.)
void st_contact_scale_filling(const StDescription *description, const StBodyDesc *body,
                              const StBodyMakeup *makeup, StBodyScale *scale) {
  double most = makeup->young + 4 * makeup->tension / scale->size;
  for (int i = 0; i < description->volume_count; i++) {
    const StVolumeDesc *volume = &description->volume[i];
    if (st_scene_vertex(description, volume->triangle[0]).body != body)
      continue;
    double over = st_curve_largest_value(&volume->pressure, description->time.duration) -
                  volume->outside_pressure;
    st_contact_scale_take(scale, fmin(over, most),
                          over < most ? "overpressure" : "what the skin can hold", 0);
  }
}

// Loads on the bodies, [bodies] each.
typedef struct Loads {
  double *size, *force, *pressure;
} Loads;

static StStatus measure_shape(StReader *reader, int index, StBodyScale *scale) {
  const StBodyDesc *body = &reader->description->body[index];
  StBodyMakeup makeup;
  st_scene_body_makeup(reader->description, body, &makeup);
  *scale = (StBodyScale){.sheet = !st_body_is_solid(body),
                         .share = 1,
                         .load_of = index,
                         .size = st_scene_body_size(body->mesh),
                         .wall = INFINITY};
  ST_TRY(st_scene_median_edge(reader, body->mesh, &scale->edge));
  if (!scale->sheet)
    ST_TRY(st_contacts_wall(body->mesh, &scale->wall, reader->error));
  scale->softness = body->rigid ? 0 : makeup.young > 0 ? scale->size / makeup.young : INFINITY;
  scale->column = makeup.density * scale->size + makeup.area_density;
  return ST_OK;
}

// Loads count as weight does: ρgL is mgL/V, and FL/V of a sheet is F over its area.
static void measure_load(const StDescription *description, int index, const Loads *loads,
                         StBodyScale *scale) {
  const StBodyDesc *body = &description->body[index];
  double pull = st_scene_body_pull(description, index), mass = st_body_mass(description, body);
  StBodyMakeup makeup;
  st_scene_body_makeup(description, body, &makeup);
  scale->weight = makeup.density * pull * scale->size;
  st_contact_scale_take(scale, scale->weight, "ρgL", 0);
  st_contact_scale_take(scale, st_scene_tunables.sheet_layers * makeup.area_density * pull,
                        "%g times the weight per area", st_scene_tunables.sheet_layers);
  st_contact_scale_take(scale, loads->force[index] * scale->column / mass, "FL/V of the loads F",
                        0);
  st_contact_scale_take(scale, loads->pressure[index], "the pressure", 0);
  if (!body->rigid)
    st_contact_scale_filling(description, body, &makeup, scale);
}

// A body of which nothing is known passes on what acts on others, or is moved within a step: as
// far as the fastest given motion goes, or by its thickness.
static void measure_passing(const StSceneScale *scene, double step, StBodyScale *scale) {
  double size = scale->size;
  if (scale->pressure > 0)
    return;
  st_contact_scale_take(scale, scene->force / (size * size),
                        "F/L² with the scene's strongest load F", 0);
  st_contact_scale_take(scale, scene->pressure, "the scene's strongest pressure", 0);
  double way = fmax(scene->motion * step, st_scene_tunables.thickness_size * size);
  scale->guessed = scale->pressure == 0;
  if (scale->guessed)
    st_contact_scale_take(scale, scale->column * way / (step * step),
                          "for want of a load the inertia within a step", 0);
}

// The mean area with which a vertex of the skin presses.
static StStatus mean_facing_area(const StReader *reader, const StMesh *mesh, double *mean) {
  int *triangle = NULL, count = 0, corners = 0;
  double *area = ST_NEW(double, mesh->vertex_count), sum = 0;
  StStatus status = area ? ST_OK : st_fail_memory(reader->error);
  if (status == ST_OK)
    status = st_contacts_skin(mesh, &triangle, &count, reader->error);
  if (status == ST_OK)
    status =
        st_facing_areas(mesh->position, triangle, count, mesh->vertex_count, area, reader->error);
  for (int v = 0; v < mesh->vertex_count && status == ST_OK; v++) {
    sum += area[v];
    corners += area[v] > 0;
  }
  free(triangle);
  free(area);
  *mean = sum / fmax(corners, 1);
  return status;
}

static StStatus measure_standing(const StReader *reader, int index, double force,
                                 StBodyScale *scale) {
  const StBodyDesc *body = &reader->description->body[index];
  StBodyMakeup makeup;
  double area, pull = st_scene_body_pull(reader->description, index);
  ST_TRY(mean_facing_area(reader, body->mesh, &area));
  scale->pointed = (st_body_mass(reader->description, body) * pull + force) /
                   (st_scene_tunables.standing_vertices * area);
  st_scene_body_makeup(reader->description, body, &makeup);
  scale->hardness = body->rigid ? INFINITY : makeup.young / sqrt(area);
  return ST_OK;
}

static bool touch(const StPairPlan *plan, int a, int b) {
  StPairValues ignored;
  return st_pair_plan_find(plan, a < b ? a : b, a < b ? b : a, &ignored);
}

// A sheet carries the bodies that may lie on it, and has nothing but its gaps to keep them from
// what is below it.
static void pass_on(const StPairPlan *plan, StBodyScale *body) {
  for (int a = 0; a < plan->body_count; a++)
    for (int b = 0; body[a].sheet && b < plan->body_count; b++)
      if (!body[b].sheet && body[b].pressure > body[a].pressure && touch(plan, a, b)) {
        body[a].pressure = body[b].pressure;
        body[a].load_of = b;
      }
}

static StStatus measure_all(StReader *reader, const StSceneRule *rule, const Loads *loads) {
  StBodyScale *body = rule->body;
  const StDescription *description = reader->description;
  StSceneScale scene = {0};
  st_scene_scale(description, &scene);
  for (int i = 0; i < description->body_count; i++) {
    ST_TRY(measure_shape(reader, i, &body[i]));
    loads->size[i] = body[i].size;
  }
  st_scene_body_loads(description, loads->size, loads->force, loads->pressure);
  for (int i = 0; i < description->body_count; i++) {
    measure_load(description, i, loads, &body[i]);
    measure_passing(&scene, description->time.step, &body[i]);
    if (!body[i].sheet)
      ST_TRY(measure_standing(reader, i, loads->force[i], &body[i]));
  }
  pass_on(&rule->plan, body);
  return ST_OK;
}

StStatus st_contact_measure_bodies(StReader *reader, const StSceneRule *rule) {
  int count = reader->description->body_count;
  Loads loads = {ST_NEW(double, count), ST_NEW(double, count), ST_NEW(double, count)};
  bool good = loads.size && loads.force && loads.pressure;
  StStatus status = good ? measure_all(reader, rule, &loads) : st_fail_memory(reader->error);
  free(loads.size);
  free(loads.force);
  free(loads.pressure);
  return status;
}

// The part of the thickness that remains under this pressure.
static double rest_gap(const StBodyScale *body, const StContactDesc *contact, double pressure) {
  double softness = body[contact->collider].softness;
  if (contact->body >= 0)
    softness = fmax(softness, body[contact->body].softness);
  return fmin(fmax(1 - softness * pressure / contact->thickness, st_contact_tunables.stiffness_gap),
              st_scene_tunables.rest_gap_stiff);
}

static void take(StContactChoice *choice, StStiffnessReason reason, int body, double pressure) {
  if (!(pressure > choice->pressure))
    return;
  choice->stiff = reason;
  choice->stiff_by = body;
  choice->pressure = pressure;
}

// The largest of what is known of both bodies and of their contact. Prescribed motion presses as
// hard as it takes; it says more than the inertia of a body of which nothing is known. A few
// vertices press no more than what dents the softer body by as much as contact gives. No body
// stands on itself.
static void choose_pressure(const StBodyScale *body, const StContactDesc *contact, double squeezed,
                            StContactChoice *choice) {
  int a = contact->collider, b = contact->body, other = b >= 0 ? b : a;
  int heavy = body[other].pressure > body[a].pressure ? other : a;
  int sharp = body[other].pointed > body[a].pointed ? other : a;
  bool guessed = body[body[heavy].load_of].guessed && squeezed > 0;
  take(choice, ST_STIFFNESS_LOAD, body[heavy].load_of, guessed ? 0 : body[heavy].pressure);
  take(choice, ST_STIFFNESS_SQUEEZE, body[a].softness == 0 ? other : a, squeezed);
  choice->rest = rest_gap(body, contact, choice->pressure);
  double hardness = fmin(body[a].hardness, body[other].hardness);
  double dent = (1 - st_scene_tunables.rest_gap_stiff) * contact->thickness * hardness;
  bool dents = dent < body[sharp].pointed;
  if (a != b)
    take(choice, dents ? ST_STIFFNESS_DENT : ST_STIFFNESS_POINTS, sharp,
         dents ? dent : body[sharp].pointed);
}

void st_contact_stiffness(const StSceneRule *rule, StContactDesc *contact, const StPairExtra *extra,
                          StContactChoice *choice) {
  if (contact->stiffness > 0)
    return;
  choose_pressure(rule->body, contact, extra->squeeze.pressure, choice);
  contact->stiffness = -choice->pressure / st_barrier_curve(choice->rest).slope;
}

StStatus st_contact_measure_squeeze(StReader *reader, StSceneRule *rule) {
  const StBodyScale *body = rule->body;
  int count = rule->plan.body_count;
  ST_FREE StSqueezed *squeezed = ST_NEW(StSqueezed, count);
  ST_TRY_MEMORY(squeezed, reader->error);
  for (int i = 0; i < count; i++)
    squeezed[i] = (StSqueezed){body[i].size, body[i].size / body[i].softness};
  ST_TRY(st_squeeze_measure(reader->description, squeezed, &rule->extras, reader->error));
  st_pair_extras_sort(&rule->extras);
  return ST_OK;
}
