// Queries of a state: what touches what, and where surfaces are.
#include "api/handles.h"
#include "api/surfaces.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "scene/suggest.h"
#include "solve/runtime.h"

#include <string.h>

static void show_contact(const StDescription *description, const StContactItem *from,
                         StictionContact *to) {
  const StContactDesc law = st_pair_law(description, from->pair), *desc = &law;
  *to = (StictionContact){.pair = from->pair,
                          .body = desc->collider,
                          .other_body = desc->body,
                          .obstacle = desc->obstacle,
                          .state = from->state,
                          .vertex_count = from->count[0],
                          .other_vertex_count = from->count[1],
                          .gap = from->gap,
                          .normal_force = from->normal_force};
  memcpy(to->vertex, from->vertex[0], sizeof to->vertex);
  memcpy(to->other_vertex, from->vertex[1], sizeof to->other_vertex);
  vec3_copy(from->point, to->point);
  vec3_copy(from->normal, to->normal);
  vec3_copy(from->friction, to->friction);
  vec3_copy(from->force, to->force);
  vec3_copy(from->slip, to->slip);
}

static StStatus list_contacts(StictionSimulation *simulation, int *count, StError *error) {
  StContactList list;
  ST_TRY(st_simulation_contacts(simulation->simulation, &list, error));
  free(simulation->contact);
  simulation->contact = ST_NEW(StictionContact, list.count);
  *count = simulation->contact ? list.count : 0;
  for (int i = 0; i < *count; i++)
    show_contact(simulation->own, &list.item[i], &simulation->contact[i]);
  st_contact_list_free(&list);
  return st_runtime_agree(simulation->contact ? ST_OK : st_fail_memory(error), error);
}

StictionStatus stiction_simulation_contacts(StictionSimulation *simulation,
                                            const StictionContact **contact, int *count) {
  ST_NEED(contact);
  ST_NEED(count);
  *contact = NULL;
  *count = 0;
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  StStatus status = list_contacts(simulation, count, st_call_error());
  *contact = *count > 0 ? simulation->contact : NULL;
  return st_call_leave(status);
}

static StStatus find_object(const StDescription *description, const char *name,
                            StSurfaceQuery *query, StError *error) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = name};
  query->body = query->obstacle = -1;
  for (int i = 0; i < description->body_count; i++) {
    st_suggestion_add(&known, description->body[i].name);
    if (strcmp(description->body[i].name, name) == 0)
      query->body = i;
  }
  for (int i = 0; i < description->obstacle_count; i++) {
    st_suggestion_add(&known, description->obstacle[i].name);
    if (strcmp(description->obstacle[i].name, name) == 0)
      query->obstacle = i;
  }
  if (query->body < 0 && query->obstacle < 0)
    return st_fail(error, ST_BAD_INPUT,
                   "there is no body and no obstacle named \"%.200s\"; known: %.1500s", name,
                   st_suggestion_text(&known));
  return ST_OK;
}

static bool is_place(const double *x) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static StStatus check_query(const StSurfaceQuery *query, StError *error) {
  const double *direction = query->direction;
  if (!is_place(query->origin) || (direction && !is_place(direction)) || !(query->reach >= 0))
    return st_fail(error, ST_BAD_INPUT,
                   "the point, the direction or the reach is not a number, or the reach is "
                   "negative");
  if (direction && !(vec3_length(direction) > 0))
    return st_fail(error, ST_BAD_INPUT, "a ray needs a direction, which is not zero");
  return ST_OK;
}

// Rank 0 has all positions; the others receive the answer.
static StStatus run_query(StictionSimulation *simulation, StSurfaceQuery *query, StictionHit *hit,
                          StError *error) {
  StStatus status = ST_OK;
  double unit[3];
  ST_TRY(check_query(query, error));
  double length = query->direction ? vec3_length(query->direction) : 1;
  for (int c = 0; c < 3 && query->direction; c++)
    unit[c] = query->direction[c] / length;
  query->direction = query->direction ? unit : NULL;
  query->time = st_simulation_time(simulation->simulation);
  if (st_runtime_rank() == 0) {
    if (!simulation->surfaces)
      status = st_surfaces_create(simulation->own, &simulation->surfaces, error);
    if (status == ST_OK) {
      st_surfaces_fit(simulation->surfaces, simulation->live.position);
      *hit = st_surfaces_ask(simulation->surfaces, simulation->live.position, query);
    }
  }
  ST_TRY(st_runtime_agree(status, error));
  st_runtime_share(0, hit, sizeof *hit);
  return ST_OK;
}

static StictionStatus query(StictionSimulation *simulation, const char *name, StSurfaceQuery query,
                            StictionHit *hit) {
  StError *error = st_call_error();
  StStatus status = ST_OK;
  query.body = query.obstacle = -1;
  if (name)
    status = find_object(simulation->own, name, &query, error);
  if (status == ST_OK)
    status = run_query(simulation, &query, hit, error);
  return st_call_leave(status);
}

StictionStatus stiction_simulation_nearest(StictionSimulation *simulation, const char *name,
                                           const double point[3], double reach, StictionHit *hit) {
  ST_NEED(hit);
  ST_NEED(simulation);
  ST_NEED(point);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return query(simulation, name, (StSurfaceQuery){.origin = point, .reach = reach}, hit);
}

StictionStatus stiction_simulation_ray(StictionSimulation *simulation, const char *name,
                                       const double origin[3], const double direction[3],
                                       double reach, StictionHit *hit) {
  ST_NEED(hit);
  ST_NEED(simulation);
  ST_NEED(origin);
  ST_NEED(direction);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return query(simulation, name,
               (StSurfaceQuery){.origin = origin, .direction = direction, .reach = reach}, hit);
}
