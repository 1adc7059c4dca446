// Arrays of contacts, and the sets that hold them.
#include "contact/core/contact_set.h"

#include "base/memory.h"
#include "base/search.h"
#include "contact/core/method.h"
#include "contact/core/provider.h"
#include "math/vec3.h"

#include <string.h>

void st_contact_array_free(StContactArray *list) {
  free(list->contact);
  free(list->vertex);
  free(list->gradient);
  free(list->mollifier_gradient);
  free(list->share);
}

// Makes room for one more contact, and for `count` more stencil entries.
static bool reserve(StContactArray *list, size_t count) {
  if (!ST_GROW(list->contact, list->contact_capacity, list->count + 1))
    return false;
  size_t needed = list->used + count;
  if (needed <= list->capacity)
    return true;
  size_t wanted = needed + needed / 2 + 64, c[4] = {0};
  bool good = ST_GROW(list->vertex, c[0], wanted) &&
              st_grow((void **)&list->gradient, &c[1], wanted, 3 * sizeof(double)) &&
              st_grow((void **)&list->mollifier_gradient, &c[2], wanted, 3 * sizeof(double)) &&
              ST_GROW(list->share, c[3], wanted);
  if (good)
    list->capacity = wanted;
  return good;
}

bool st_contact_array_copy(StContactArray *to, const StContactArray *from) {
  to->count = 0;
  to->used = 0;
  if (!ST_GROW(to->contact, to->contact_capacity, from->count) || !reserve(to, from->used))
    return false;
  to->count = from->count;
  to->used = from->used;
  if (from->count) {
    memcpy(to->contact, from->contact, (size_t)from->count * sizeof(StContact));
    memcpy(to->vertex, from->vertex, from->used * sizeof(int));
    memcpy(to->gradient, from->gradient, 3 * from->used * sizeof(double));
    memcpy(to->mollifier_gradient, from->mollifier_gradient, 3 * from->used * sizeof(double));
    memcpy(to->share, from->share, from->used * sizeof(double));
  }
  return true;
}

StGap st_contact_array_gap(const StContactArray *list, const StContact *contact) {
  return (StGap){.gap = contact->gap,
                 .mollifier = contact->mollifier,
                 .gradient = list->gradient + 3 * contact->first,
                 .mollifier_gradient = list->mollifier_gradient + 3 * contact->first,
                 .share = list->share + contact->first};
}

const int *st_contact_array_places(const StContactArray *list, const StContact *contact) {
  return list->vertex + contact->first;
}

const double *st_contact_array_shares(const StContactArray *list, const StContact *contact) {
  return list->share + contact->first;
}

static StStatus open_providers(StContactSet *set, StError *error) {
  const StContactProvider *const *provider = set->contacts->method->provider;
  for (int i = 0; i < ST_PROVIDERS; i++)
    if (provider[i]->open)
      ST_TRY(provider[i]->open(set, &set->own[i], error));
  return ST_OK;
}

StStatus st_contact_set_create(const StContacts *contacts, StContactSet **result, StError *error) {
  StContactSet *set = ST_NEW(StContactSet, 1);
  ST_TRY_MEMORY(set, error);
  set->contacts = contacts;
  set->slip = set->before = &set->now;
  StStatus status = st_contact_scratch_create(&set->work, error);
  if (status == ST_OK)
    status = open_providers(set, error);
  if (status != ST_OK) {
    st_contact_set_destroy(set);
    return status;
  }
  *result = set;
  return ST_OK;
}

void st_contact_set_destroy(StContactSet *set) {
  if (!set)
    return;
  for (int i = 0; i < ST_PROVIDERS; i++)
    if (set->contacts->method->provider[i]->close)
      set->contacts->method->provider[i]->close(set->own[i]);
  st_contact_array_free(&set->now);
  st_contact_scratch_destroy(set->work);
  free(set->slip_wall);
  free(set->law);
  free(set->rigid_position);
  free(set->rigid_velocity);
  free(set->rigid_shift);
  free(set);
}

StStatus st_contact_set_add_rigid(StContactSet *set, int count, int *first, StError *error) {
  size_t total = (size_t)(set->rigid_count + count), room[3] = {0};
  *first = set->contacts->piece->vertex_count + set->rigid_count;
  if (!st_grow((void **)&set->rigid_position, &room[0], total, 3 * sizeof(double)) ||
      !st_grow((void **)&set->rigid_velocity, &room[1], total, 3 * sizeof(double)) ||
      !st_grow((void **)&set->rigid_shift, &room[2], total, 3 * sizeof(double)))
    return st_fail_memory(error);
  set->rigid_count += count;
  return ST_OK;
}

void *st_contact_set_own(const StContactSet *set, const StContactProvider *provider) {
  for (int i = 0; i < ST_PROVIDERS; i++)
    if (set->contacts->method->provider[i] == provider)
      return set->own[i];
  return NULL;
}

StPairLaw *st_contact_set_add_law(StContactSet *set, int pair) {
  if (!ST_GROW(set->law, set->law_capacity, set->law_count + 1))
    return NULL;
  StPairLaw *law = &set->law[set->law_count++];
  law->pair = pair;
  return law;
}

const StPairLaw *st_contact_set_find_law(const StContactSet *set, int pair) {
  int low =
      st_find_row(set->law, set->law_count, sizeof(StPairLaw), offsetof(StPairLaw, pair), pair);
  return low < set->law_count && set->law[low].pair == pair ? &set->law[low] : NULL;
}

StContactLaw st_contact_set_law(const StContactSet *set, const StContact *contact,
                                StFrictionPart part) {
  const StPairLaw *pair = st_contact_set_pair_law(set, contact);
  StContactLaw law = {.normal_law = pair->normal_law,
                      .thickness = contact->thickness,
                      .stiffness = pair->stiffness * contact->factor * contact->weight,
                      .tangent_stiffness = contact->tangent_stiffness,
                      .damper_stiffness = contact->damper_stiffness,
                      .film = pair->normal_law != ST_NORMAL_BARRIER ? 1
                              : contact->split == 1                 ? contact->weight
                                                                    : 0,
                      .friction = &pair->friction[part]};
  st_contact_set_held(set, contact, part, law.held);
  return law;
}

int st_contact_set_friction_parts(const StContactSet *set, const StContact *contact,
                                  StFrictionPart part[2]) {
  const StFrictionLaw *law = &st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_ALL];
  bool starts = set->at_start && !contact->anchored;
  part[0] = !law->anchored ? ST_FRICTION_PART_ALL
            : starts       ? ST_FRICTION_PART_START
                           : ST_FRICTION_PART_DRY;
  part[1] = ST_FRICTION_PART_FILM;
  return law->anchored && law->viscous_coefficient > 0 ? 2 : 1;
}

static StFrictionMode friction_mode(const StContactSet *set) {
  return set->contacts->description->contact_settings.friction;
}

bool st_contact_set_lagged(const StContactSet *set) {
  return friction_mode(set) == ST_FRICTION_LAGGED;
}

bool st_contact_set_fixed_basis(const StContactSet *set) {
  return friction_mode(set) == ST_FRICTION_FIXED_BASIS && set->contacts->method->takes_fixed_basis;
}

const double *st_contact_set_wall_velocity(const StContactSet *set, const StContactArray *list,
                                           const StContact *contact) {
  return list == &set->now ? contact->wall : set->slip_wall + 6 * (contact - list->contact);
}

const double *st_contact_set_shift(const StContactSet *set, const StContactArray *list,
                                   const StContact *contact) {
  return list == &set->now ? contact->shift : st_contact_set_wall_velocity(set, list, contact) + 3;
}

void st_contact_set_friction_wall(const StContactSet *set, const StContactArray *list,
                                  const StContact *contact, StFrictionPart part, double wall[3]) {
  const double *velocity = st_contact_set_wall_velocity(set, list, contact);
  const double *shift = st_contact_set_shift(set, list, contact);
  double held[3];
  st_contact_set_held(set, contact, part, held);
  for (int i = 0; i < 3; i++)
    wall[i] = part == ST_FRICTION_PART_DRY ? shift[i] / set->span - held[i] : velocity[i];
}

double st_contact_set_elastic_time(const StContactSet *set, const StContact *contact) {
  return set->span + st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_DRY].damping;
}

void st_contact_set_held(const StContactSet *set, const StContact *contact, StFrictionPart part,
                         double held[3]) {
  double time = st_contact_set_elastic_time(set, contact);
  for (int i = 0; i < 3; i++)
    held[i] = part == ST_FRICTION_PART_DRY ? contact->held[i] / time : 0;
}

double st_contact_set_elastic(const StContactSet *set, const StContact *contact,
                              const StFrictionLoad *load, const double slip[3], double z[3]) {
  const StFrictionLaw *law = &st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_DRY];
  double time = st_contact_set_elastic_time(set, contact), held[3];
  double yield = st_friction_yield(law, load), length = time * vec3_length(slip);
  double cut = length > yield ? yield / length : 1;
  st_contact_held(contact, held);
  for (int i = 0; i < 3; i++)
    z[i] = set->span * cut * slip[i] + law->damping / time * held[i];
  return cut;
}

void st_contact_held(const StContact *contact, double held[3]) {
  vec3_copy(contact->held, held);
  vec3_add_scaled(-vec3_dot(held, contact->normal_state.normal), contact->normal_state.normal,
                  held);
}

double st_contact_set_friction_factor(const StContactSet *set, StFrictionPart part,
                                      double by_position, double by_velocity) {
  return part == ST_FRICTION_PART_DRY ? by_position / set->span : by_velocity;
}

bool st_contact_set_is_local(const StContactSet *set, int place) {
  return place < set->contacts->piece->vertex_count;
}

int st_contact_set_vertex(const StContactSet *set, const StContactArray *list,
                          const StContact *contact) {
  const int *place = st_contact_array_places(list, contact);
  int k = 0;
  while (k < contact->count - 1 && !st_contact_set_is_local(set, place[k]))
    k++;
  return place[k];
}

static void gather(const StContactSet *set, int count, const int *place, const double *local,
                   const double *rigid, double *gathered) {
  int vertices = set->contacts->piece->vertex_count;
  for (int k = 0; k < count; k++) {
    const double *from = place[k] < vertices ? local + 3 * (size_t)place[k]
                                             : rigid + 3 * (size_t)(place[k] - vertices);
    vec3_copy(from, gathered + 3 * k);
  }
}

void st_contact_set_positions(const StContactSet *set, int count, const int *place,
                              const double *position, double *gathered) {
  gather(set, count, place, position, set->rigid_position, gathered);
}

void st_contact_set_velocities(const StContactSet *set, int count, const int *place,
                               const double *velocity, double *gathered) {
  gather(set, count, place, velocity, set->rigid_velocity, gathered);
}

bool st_contact_set_first_positions(const StContactSet *set, int count, const int *place,
                                    double *gathered) {
  int vertices = set->contacts->piece->vertex_count;
  for (int k = 0; k < count && set->start; k++)
    for (int i = 0; i < 3; i++) {
      size_t at = 3 * (size_t)place[k] + (size_t)i, rigid = at - 3 * (size_t)vertices;
      gathered[3 * k + i] = place[k] < vertices
                                ? set->start[at]
                                : set->rigid_position[rigid] - set->rigid_shift[rigid];
    }
  return set->start != NULL;
}

void st_contact_set_friction_moved(const StContactSet *set, int count, const int *place,
                                   const double *position, double *moved) {
  int vertices = set->contacts->piece->vertex_count;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++) {
      size_t at = 3 * (size_t)place[k] + (size_t)i;
      double way = place[k] >= vertices ? set->rigid_shift[at - 3 * (size_t)vertices]
                   : set->start         ? position[3 * k + i] - set->start[at]
                                        : 0;
      moved[3 * k + i] = way / set->span;
    }
}

void st_contact_set_friction_dual(const StContactSet *set, int place, const StDual position[3],
                                  StDual moved[3]) {
  int vertices = set->contacts->piece->vertex_count;
  for (int i = 0; i < 3; i++) {
    size_t at = 3 * (size_t)place + (size_t)i;
    moved[i] = place >= vertices ? set->rigid_shift[at - 3 * (size_t)vertices] / set->span
               : set->start      ? (position[i] - set->start[at]) / set->span
                                 : 0;
  }
}

void st_contact_set_friction_velocities(const StContactSet *set, int count, const int *place,
                                        StFrictionPart part, const double *position,
                                        const double *velocity, double *gathered) {
  if (part == ST_FRICTION_PART_DRY) {
    st_contact_set_positions(set, count, place, position, gathered);
    st_contact_set_friction_moved(set, count, place, gathered, gathered);
  } else {
    st_contact_set_velocities(set, count, place, velocity, gathered);
  }
}

StContact *st_contact_set_add(StContactSet *set, const StContactProvider *provider, int pair,
                              int count) {
  StContactArray *list = &set->now;
  if (!reserve(list, (size_t)count) || !st_contact_scratch_reserve(set->work, count))
    return NULL;
  StContact *contact = &list->contact[list->count];
  *contact = (StContact){.provider = provider,
                         .pair = pair,
                         .law = set->law_count - 1,
                         .count = count,
                         .split = 1,
                         .first = list->used,
                         .weight = 1,
                         .factor = 1,
                         .thickness = set->law[set->law_count - 1].thickness,
                         .mollifier = 1,
                         .anchor_scale = 1};
  return contact;
}

void st_contact_set_keep(StContactSet *set, const StContact *contact) {
  set->now.used += (size_t)contact->count;
  set->now.count++;
}
