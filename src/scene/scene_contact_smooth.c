// Defaults of contact by smooth surfaces.
#include "scene/contact_scale.h"

#include "base/memory.h"
#include "contact/core/contacts.h"
#include "math/vec3.h"
#include "mesh/cage.h"
#include "model/body.h"
#include "contact/tunables.h"
#include "scene/tunables.h"

// Pressure due to its weight (or, without gravity, its motion). A solid carries a column of itself.
// A sheet carries little more than itself where it lies flat, but several times that where it hangs
// over an edge; tension presses only where it curves.
static void measure_makeup(const StBodyMakeup *makeup, const StSceneScale *scene,
                           StBodyScale *scale) {
  double size = scale->size;
  bool pulled = scene->pull > 0;
  double pull = pulled ? scene->pull : scene->motion * scene->motion / size;
  st_contact_scale_take(scale, makeup->density * pull * size, pulled ? "ρgL" : "ρv²", 0);
  st_contact_scale_take(scale, st_scene_tunables.sheet_layers * makeup->area_density * pull,
                        pulled ? "%g times the weight per area" : "%g times ρv²/L by area",
                        st_scene_tunables.sheet_layers);
}

// The modulus of a rigid body is as large as the solver can bear and says nothing of its loads. In
// free fall it presses as it is pushed, and if nothing is known of that, as it does on meeting
// another at the speed with which it crosses its own size in the run. κ grows where that is not
// enough.
static void measure_push(const StDescription *description, const StBodyMakeup *makeup,
                         const StSceneScale *scene, StBodyScale *scale) {
  double size = scale->size, speed = size / description->time.duration;
  if (scene->pull > 0)
    return;
  st_contact_scale_take(scale, scene->force / (size * size),
                        "F/L² with the strongest load or joint F", 0);
  st_contact_scale_take(scale, scene->pressure, "the strongest pressure", 0);
  if (scale->pressure == 0)
    st_contact_scale_take(scale, makeup->density * speed * speed, "ρ(L/T)² with the duration T", 0);
}

static void measure_stiffness(const StBodyMakeup *makeup, StBodyScale *scale) {
  st_contact_scale_take(scale, st_scene_tunables.smooth_stiffness * makeup->young,
                        "%g of Young's modulus", st_scene_tunables.smooth_stiffness);
  st_contact_scale_take(scale, st_scene_tunables.smooth_stiffness * makeup->tension / scale->size,
                        "%g of Young's modulus in N/m, over L", st_scene_tunables.smooth_stiffness);
}

static void measure_pressure(const StDescription *description, const StBodyDesc *body,
                             const StSceneScale *scene, StBodyScale *scale) {
  StBodyMakeup makeup;
  st_scene_body_makeup(description, body, &makeup);
  measure_makeup(&makeup, scene, scale);
  if (body->rigid) {
    measure_push(description, &makeup, scene, scale);
    return;
  }
  measure_stiffness(&makeup, scale);
  st_contact_scale_filling(description, body, &makeup, scale);
}

static int add_corner(int vertex, bool *seen) {
  bool fresh = !seen[vertex];
  seen[vertex] = true;
  return fresh;
}

static StStatus mean_vertex_area(const StReader *reader, const StMesh *mesh, double *mean) {
  int *triangle = NULL, count = 0, corners = 0;
  double area = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, reader->error));
  ST_FREE bool *seen = ST_NEW(bool, mesh->vertex_count);
  for (int i = 0; seen && i < 3 * count; i++)
    corners += add_corner(triangle[i], seen);
  for (int i = 0; i < count; i++)
    area += st_triangle_area(mesh->position, triangle + 3 * i);
  bool failed = !seen;
  free(triangle);
  *mean = area / fmax(corners, 1);
  return failed ? st_fail_memory(reader->error) : ST_OK;
}

static StStatus measure_standing(const StReader *reader, const StBodyDesc *body,
                                 const StSceneScale *scene, StBodyScale *scale) {
  double area, size = scale->size, mass = st_body_mass(reader->description, body);
  double force = mass * scene->pull;
  if (scene->pull == 0)
    force = fmax(mass * scene->motion * scene->motion / size,
                 fmax(scene->force, scene->pressure * size * size));
  ST_TRY(mean_vertex_area(reader, body->mesh, &area));
  scale->pointed = force / (st_scene_tunables.standing_vertices * area);
  return ST_OK;
}

static StStatus measure_bodies(StReader *reader, StBodyScale *body) {
  const StDescription *description = reader->description;
  StSceneScale scene = {0};
  st_scene_scale(description, &scene);
  for (int i = 0; i < description->body_count; i++) {
    const StBodyDesc *desc = &description->body[i];
    body[i] =
        (StBodyScale){.sheet = !st_body_is_solid(desc),
                      .share = 1,
                      .size = vec3_extent(desc->mesh->position, st_mesh_own_count(desc->mesh)),
                      .edge = INFINITY,
                      .wall = INFINITY};
    measure_pressure(description, desc, &scene, &body[i]);
    if (desc->rigid)
      ST_TRY(measure_standing(reader, desc, &scene, &body[i]));
    if (!description->contact_settings.area_weighted)
      ST_TRY(mean_vertex_area(reader, desc->mesh, &body[i].share));
  }
  return ST_OK;
}

static void choose_thickness(const StBodyScale *body, StContactDesc *contact,
                             StContactChoice *choice) {
  int a = contact->collider, b = contact->body;
  bool sheet = b >= 0 && (body[a].sheet || body[b].sheet);
  int small = b >= 0 && body[b].size < body[a].size ? b : a;
  double part =
      sheet ? st_scene_tunables.smooth_sheet_thickness : st_scene_tunables.smooth_thickness;
  choice->thin = (StThicknessChoice){ST_THICKNESS_SIZE, small, part};
  contact->thickness = part * body[small].size;
}

// Two bodies press as the heavier does. But a body's weight rarely rests on the cloth around it,
// and cloth that carries it stiffens its contact by itself: hence a value between the two scales.
static void choose_pressure(const StBodyScale *body, const StContactDesc *contact,
                            StContactChoice *choice) {
  int a = contact->collider, b = contact->body;
  int heavy = b >= 0 && body[b].pressure > body[a].pressure ? b : a;
  int sharp = b >= 0 && body[b].pointed > body[a].pointed ? b : a;
  bool mixed = b >= 0 && body[a].sheet != body[b].sheet;
  choice->stiff = mixed ? ST_STIFFNESS_MEAN : ST_STIFFNESS_LOAD;
  choice->stiff_by = heavy;
  choice->pressure = mixed ? sqrt(body[a].pressure * body[b].pressure) : body[heavy].pressure;
  bool rigid = a != b && (b < 0 || fmin(body[a].pointed, body[b].pointed) > 0);
  if (rigid && body[sharp].pointed > choice->pressure) {
    choice->stiff = ST_STIFFNESS_POINTS;
    choice->stiff_by = sharp;
    choice->pressure = body[sharp].pointed;
  }
  choice->rest = st_contact_tunables.stiffness_gap;
}

static void choose(const StBodyScale *body, StContactDesc *contact, StContactChoice *choice) {
  if (!(contact->thickness > 0))
    choose_thickness(body, contact, choice);
  if (!(contact->stiffness > 0)) {
    choose_pressure(body, contact, choice);
    double depth = (1 - st_contact_tunables.stiffness_gap) * contact->thickness;
    contact->stiffness = choice->pressure * contact->thickness / (3 * depth * depth);
  }
  contact->stiffness *= body[contact->collider].share;
}

StStatus st_contact_scale_smooth(StReader *reader, StBodyScale *body, StContactChoice *choice) {
  ST_TRY(measure_bodies(reader, body));
  for (int i = 0; i < reader->description->contact_count; i++)
    choose(body, &reader->description->contact[i], &choice[i]);
  return ST_OK;
}
