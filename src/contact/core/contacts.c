// Builds the pairs of a piece, and calls each pair's provider to find contacts. Tested by
// tests/contact/test_contact_set.c.
#include "contact/core/contacts.h"

#include "base/memory.h"
#include "base/search.h"
#include "contact/barrier/damping.h"
#include "contact/core/method.h"
#include "contact/core/provider.h"
#include "contact/friction/anchor_stiffening.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/closed.h"
#include "model/contact_pairs.h"

#include <string.h>

static const StContactMethodType *const METHODS[] = {
    [ST_CONTACT_SMOOTH] = &st_method_smooth, [ST_CONTACT_PRIMITIVES] = &st_method_primitives};

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

StStatus st_contacts_wall(const StMesh *mesh, double *wall, StError *error) {
  int *triangle = NULL, count = 0;
  double area = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  for (int t = 0; t < count; t++)
    area += st_triangle_area(mesh->position, triangle + 3 * t);
  double volume = st_surface_volume(mesh->position, triangle, count, NULL);
  free(triangle);
  *wall = volume > 0 ? 2 * volume / area : INFINITY;
  return ST_OK;
}

// Collects the points of a pair on this rank. Points of other ranks are included if their contacts
// involve a surface of vertices, because those contacts have entries in our rows.
static StStatus collect_points(StContacts *contacts, StPair *pair, const int *local,
                               StError *error) {
  const StDescription *description = contacts->description;
  const StMesh *mesh = description->body[pair->desc->collider].mesh;
  int offset = st_description_first_vertex(description, pair->desc->collider);
  ST_FREE int *triangle = NULL;
  int count = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  ST_FREE double *area = ST_NEW(double, mesh->vertex_count);
  pair->point = ST_OWN(contacts, int, mesh->vertex_count);
  pair->area = ST_OWN(contacts, double, mesh->vertex_count);
  ST_TRY_MEMORY(area && st_owner_is_whole(contacts), error);
  ST_TRY(contacts->method->areas(mesh->position, triangle, count, mesh->vertex_count, area, error));
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
  return ST_OK;
}

static StFrictionLaw friction_of(const StContacts *contacts, const StContactDesc *contact) {
  const StFrictionDesc *desc = &contact->friction;
  StFrictionLaw law = {.dynamic_coefficient = desc->dynamic_coefficient,
                       .static_coefficient = desc->static_coefficient,
                       .viscous_coefficient = desc->viscous_coefficient,
                       .sticking_speed = desc->sticking_speed,
                       .stribeck_speed = desc->stribeck_speed,
                       .anchored = desc->stick == ST_STICK_ANCHORED,
                       .damping = st_damping_time(contacts, contact)};
  if (contacts->description->statics) { // no speeds: static friction, undamped
    law.dynamic_coefficient = law.static_coefficient;
    law.viscous_coefficient = law.damping = 0;
  }
  st_friction_prepare(&law);
  return law;
}

static void find_sticking_speed(StContacts *contacts) {
  const StFrictionDesc *friction;
  contacts->sticking_speed = 0;
  for (int i = 0; (friction = st_pairs_friction(contacts->description, i)); i++)
    if (friction->stick != ST_STICK_ANCHORED)
      contacts->sticking_speed = fmax(contacts->sticking_speed, friction->sticking_speed);
}

StStatus st_contacts_renew_friction(StContacts *contacts, StError *error) {
  ST_TRY(st_bulk_measure(contacts->description, contacts->bulk, error));
  for (int p = 0; p < contacts->pair_count; p++) {
    if (contacts->desc)
      contacts->desc[p] = st_pair_law(contacts->description, contacts->pair[p].number);
    contacts->pair[p].friction = friction_of(contacts, contacts->pair[p].desc);
  }
  find_sticking_speed(contacts);
  return ST_OK;
}

// Every pair has a provider: the last one takes the pairs that no other takes.
static const StContactProvider *find_provider(const StContacts *contacts, int pair) {
  const StContactProvider *const *provider = contacts->method->provider;
  while (provider < contacts->method->provider + ST_PROVIDERS - 1 &&
         !(*provider)->takes(contacts, pair))
    provider++;
  return *provider;
}

// Creates the next stored pair.
static StStatus create_pair(StContacts *contacts, int number, const int *local, StError *error) {
  int index = contacts->pair_count++;
  StPair *pair = &contacts->pair[index];
  if (contacts->desc)
    contacts->desc[index] = st_pair_law(contacts->description, number);
  *pair = (StPair){.number = number,
                   .desc = contacts->desc ? &contacts->desc[index]
                                          : &contacts->description->contact[number]};
  pair->friction = friction_of(contacts, pair->desc);
  ST_TRY(contacts->method->add_pair(contacts, pair, local, error));
  pair->provider = find_provider(contacts, index);
  if (pair->provider->next)
    return ST_OK;
  contacts->always[contacts->always_count++] = index;
  return collect_points(contacts, pair, local, error);
}

// Finds the pairs of a rule that are stored: those of bodies with obstacles without a skin. list:
// NULL to count them.
static int find_kept(const StContacts *contacts, int *list) {
  const StDescription *description = contacts->description;
  int count = 0;
  for (int b = 0; b < description->body_count; b++)
    for (int o = 0; o < description->obstacle_count; o++) {
      if (st_skins_of_obstacle(contacts->skins, o) >= 0)
        continue;
      int pair = st_pair_of(description, b, description->body_count + o);
      if (list && pair != ST_NO_PAIR)
        list[count] = pair;
      count += pair != ST_NO_PAIR;
    }
  return count;
}

static StStatus create_kept(StContacts *contacts, int count, const int *list, const int *local,
                            StError *error) {
  contacts->pair = ST_OWN(contacts, StPair, count);
  contacts->always = ST_OWN(contacts, int, count);
  contacts->desc = list ? ST_OWN(contacts, StContactDesc, count) : NULL;
  ST_TRY_MEMORY(st_owner_is_whole(contacts), error);
  for (int i = 0; i < count; i++)
    ST_TRY(create_pair(contacts, list ? list[i] : i, local, error));
  return ST_OK;
}

static StStatus create_pairs(StContacts *contacts, const int *local, StError *error) {
  if (!contacts->description->contact_rule)
    return create_kept(contacts, contacts->description->contact_count, NULL, local, error);
  int count = find_kept(contacts, NULL);
  ST_FREE int *list = ST_NEW(int, count);
  ST_TRY_MEMORY(list, error);
  find_kept(contacts, list);
  return create_kept(contacts, count, list, local, error);
}

static StStatus build(StContacts *contacts, StError *error) {
  const StDescription *description = contacts->description;
  contacts->bulk = ST_OWN(contacts, StBulk, description->body_count);
  contacts->vertex_total = st_description_vertex_count(description);
  ST_FREE int *local = st_piece_find_vertices(contacts->piece, contacts->vertex_total);
  ST_TRY_MEMORY(local && st_owner_is_whole(contacts), error);
  ST_TRY(st_bulk_measure(description, contacts->bulk, error));
  ST_TRY(contacts->method->create(contacts, error));
  contacts->still = true;
  for (int i = 0; i < description->obstacle_count; i++)
    contacts->still = contacts->still && !st_motion_moves(&description->obstacle[i].motion);
  find_sticking_speed(contacts);
  return create_pairs(contacts, local, error);
}

StStatus st_contacts_create(const StDescription *description, const StPiece *piece,
                            StContacts **result, StError *error) {
  *result = NULL;
  if (!st_pairs_exist(description))
    return ST_OK;
  StContacts *contacts = ST_OWNER(StContacts);
  ST_TRY_MEMORY(contacts, error);
  contacts->method = METHODS[description->contact_settings.method];
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

void st_contacts_destroy(StContacts *contacts) {
  if (!contacts)
    return;
  if (contacts->method->destroy)
    contacts->method->destroy(contacts);
  st_skins_destroy(contacts->skins);
  st_owner_free(contacts);
}

bool st_contacts_keep_apart(const StContacts *contacts) {
  return contacts && contacts->method->keeps_apart;
}

int st_contacts_place(const StContacts *contacts, int pair) {
  int count = contacts->pair_count;
  if (!contacts->desc)
    return pair >= 0 && pair < count ? pair : -1;
  int low = st_find_row(contacts->pair, count, sizeof(StPair), offsetof(StPair, number), pair);
  return low < count && contacts->pair[low].number == pair ? low : -1;
}

double st_contacts_next_ease(const StContacts *contacts, StEasing easing, double ease) {
  return contacts && contacts->method->next_ease
             ? contacts->method->next_ease(contacts, easing, ease)
             : 0;
}

// Splits the friction of a pair into its parts, for displacements over a time span and over a step.
// Only displacements are damped, because friction by velocity dissipates anyway.
static void split_friction(const StFrictionLaw *friction, double span, double step,
                           StFrictionLaw part[ST_FRICTION_PART_COUNT]) {
  for (int i = 0; i < ST_FRICTION_PART_COUNT; i++) {
    part[i] = *friction;
    part[i].span = span;
    part[i].damping = i == ST_FRICTION_PART_DRY ? friction->damping : 0;
  }
  part[ST_FRICTION_PART_DRY].viscous_coefficient =
      part[ST_FRICTION_PART_START].viscous_coefficient = 0;
  part[ST_FRICTION_PART_START].span = step;
  part[ST_FRICTION_PART_FILM].dynamic_coefficient = part[ST_FRICTION_PART_FILM].static_coefficient =
      0;
  part[ST_FRICTION_PART_FILM].anchored = false;
}

// Whether the law left by the last evaluation is still that of this pair. Under a rule only
// friction changes, and that changes the state's version.
static bool is_known(const StContacts *contacts, const StContactState *state,
                     const StPairLaw *known, int pair) {
  return known->pair == pair &&
         (contacts->desc ||
          (known->stiffness == st_contact_state_stiffness(contacts, state, pair) &&
           known->thickness == contacts->pair[pair].desc->thickness));
}

static StStatus take_law(const StContacts *contacts, const StContactState *state, int number,
                         StContactSet *set) {
  int next = set->law_count;
  if (next < set->law_known && is_known(contacts, state, &set->law[next], number)) {
    set->law_count++;
    return ST_OK;
  }
  const StPair *pair = st_contacts_kept(contacts, number);
  StContactDesc own = pair ? *pair->desc : st_pair_law(contacts->description, number);
  StPairLaw *law = st_contact_set_add_law(set, number);
  if (!law)
    return ST_SYSTEM_FAULT;
  law->normal_law = contacts->method->normal_law;
  law->thickness = own.thickness;
  law->stiffness =
      contacts->desc ? own.stiffness : st_contact_state_stiffness(contacts, state, number);
  StFrictionLaw friction = pair ? pair->friction : friction_of(contacts, &own);
  double width = contacts->method->ease ? contacts->method->ease(state->ease, &friction) : 1;
  // Smooth contact stiffens, and critical damping grows with the root of the stiffness.
  double stiffer = law->stiffness / own.stiffness;
  friction.damping *= set->at_start ? 0 : 1 / sqrt(stiffer);
  split_friction(&friction, (set->span + friction.damping) / width,
                 contacts->description->time.step / width, law->friction);
  return ST_OK;
}

static int compare_laws(const void *a, const void *b) {
  const StPairLaw *x = a, *y = b;
  return (x->pair > y->pair) - (x->pair < y->pair);
}

// Adds the laws of pairs that had contacts at the start of the step and are not near each other
// now.
static StStatus take_lagged_laws(const StContactState *state, StContactSet *set) {
  const StContactArray *list = &state->before;
  int known = set->law_count;
  for (int t = 0; t < list->count; t++) {
    int pair = list->contact[t].pair;
    bool last = set->law_count > known && set->law[set->law_count - 1].pair == pair;
    if (last)
      continue;
    int count = set->law_count;
    set->law_count = known; // the sorted part
    bool missing = !st_contact_set_find_law(set, pair);
    set->law_count = count;
    if (missing)
      ST_TRY(take_law(set->contacts, state, pair, set));
  }
  if (set->law_count > known)
    qsort(set->law, (size_t)set->law_count, sizeof(StPairLaw), compare_laws);
  return ST_OK;
}

// With lagged friction the contacts are those of the start of the step, but velocities are current.
static StStatus take_slip(const StContactState *state, const double *position, StContactSet *set) {
  set->before = &state->before;
  set->slip = &set->now;
  if (!st_contact_set_lagged(set))
    return ST_OK;
  const StContactArray *list = set->slip = &state->before;
  ST_TRY(take_lagged_laws(state, set));
  if (!st_grow((void **)&set->slip_wall, &set->wall_capacity, (size_t)list->count,
               6 * sizeof(double)))
    return ST_SYSTEM_FAULT;
  for (int t = 0; t < list->count; t++) {
    const StContact *contact = &list->contact[t];
    double *velocity = set->slip_wall + 6 * (size_t)t;
    vec3_set(0, 0, 0, velocity);
    vec3_set(0, 0, 0, velocity + 3);
    if (contact->provider->wall)
      contact->provider->wall(set, contact, position, velocity, velocity + 3);
  }
  return ST_OK;
}

enum { CONTACTS_AT_ONCE = 256 };

typedef struct Finishing {
  const StContactState *state;
  StContactSet *set;
} Finishing;

// If contact is stiffer now than when the anchor was set, the anchor stiffens with it, and its
// elastic displacement shrinks; otherwise the anchor keeps its stiffness.
static void take_anchor(const StAnchor *anchor, const StPairLaw *pair, StContact *contact) {
  double ratio = anchor->stiffness / st_contact_area_stiffness(contact, pair);
  contact->anchored = true;
  contact->anchor_scale = fmax(ratio, 1);
  for (int i = 0; i < 3; i++)
    contact->held[i] = fmin(ratio, 1) * anchor->held[i];
}

// Stiffness of anchored friction. With a barrier it grows with the load, and the elastic
// displacement shrinks accordingly.
static void stiffen_anchor(const StContactSet *set, const StPairLaw *pair, StContact *contact) {
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  double factor = 1;
  if (pair->normal_law == ST_NORMAL_BARRIER)
    factor = st_anchor_stiffening(contact->gap, contact->thickness, contact->anchor_scale).factor;
  contact->damper_stiffness = st_contact_tangent_stiffness(&law);
  contact->tangent_stiffness = factor * contact->anchor_scale * contact->damper_stiffness;
  // Critical damping grows with the root of the stiffness.
  contact->damper_stiffness /= sqrt(contact->factor);
  for (int i = 0; i < 3; i++)
    contact->held[i] /= factor;
  contact->normal_state.tangent_stiffness = contact->tangent_stiffness * contact->mollifier;
  contact->normal_state.damper_stiffness = contact->damper_stiffness * contact->mollifier;
}

// Completes contacts, and gives those with anchored friction their anchor and stiffness.
static void finish_contacts(void *context, int begin, int end) {
  const Finishing *finishing = context;
  StContactSet *set = finishing->set;
  StAnchorSpan span = {0};
  for (int t = begin; t < end; t++) {
    StContact *contact = &set->now.contact[t];
    if (contact->provider->complete)
      contact->provider->complete(set, contact);
    const StPairLaw *pair = st_contact_set_pair_law(set, contact);
    if (!pair->friction[ST_FRICTION_PART_ALL].anchored)
      continue;
    const StAnchor *anchor = st_anchors_find(&finishing->state->anchors, set, contact, &span);
    if (anchor)
      take_anchor(anchor, pair, contact);
    stiffen_anchor(set, pair, contact);
  }
}

// The first pair from `pair` on that may have contacts. at: index in the list of pairs that every
// evaluation visits; it advances as pairs ascend.
static int next_pair(const StContacts *contacts, const StContactSet *set, int pair, int *at) {
  while (*at < contacts->always_count && contacts->pair[contacts->always[*at]].number < pair)
    ++*at;
  int first =
      *at < contacts->always_count ? contacts->pair[contacts->always[*at]].number : ST_NO_PAIR;
  const StContactProvider *const *provider = contacts->method->provider;
  for (int i = 0; i < ST_PROVIDERS; i++)
    if (provider[i]->next) {
      int next = provider[i]->next(set, pair);
      first = next < first ? next : first;
    }
  return first;
}

static StStatus evaluate(const StContacts *contacts, const StContactState *state,
                         const double *position, StContactSet *set) {
  const StContactProvider *const *providers = contacts->method->provider;
  for (int i = 0; i < ST_PROVIDERS; i++)
    if (providers[i]->begin)
      ST_TRY(providers[i]->begin(set, state, position));
  for (int at = 0, i = next_pair(contacts, set, 0, &at); i != ST_NO_PAIR;
       i = next_pair(contacts, set, i + 1, &at)) {
    const StPair *pair = st_contacts_kept(contacts, i);
    const StContactProvider *provider = pair ? pair->provider : providers[0];
    if (pair && set->parked && st_pair_is_parked(contacts, pair, set->parked))
      continue;
    ST_TRY(take_law(contacts, state, i, set));
    ST_TRY(provider->evaluate(set, state, i, position));
  }
  if (!st_contact_scratch_reserve_forces(set->work, set->now.used))
    return ST_SYSTEM_FAULT;
  st_crew_sweep(contacts->piece->crew, 0, set->now.count, CONTACTS_AT_ONCE, finish_contacts,
                &(Finishing){state, set});
  return take_slip(state, position, set);
}

// Sets the numbers on which laws depend. The laws of the last evaluation still hold if all these
// numbers are the same: every change of friction or stiffness raises the state's version, and the
// description's step is fixed.
static void set_basis(StContactSet *set, const StContactState *state, double time) {
  double start_time = state->begun ? state->start_time : time;
  bool at_start = !(time > start_time);
  double span = at_start ? 1 : time - start_time;
  bool same = set->version == state->version && set->span == span && set->at_start == at_start;
  set->law_known = same ? set->law_count : 0;
  set->law_count = 0;
  set->version = state->version;
  set->start_time = start_time;
  set->at_start = at_start;
  set->span = span;
}

StStatus st_contacts_evaluate(const StContacts *contacts, const StContactState *state,
                              StInstant instant, const double *position, StContactSet *set) {
  set_basis(set, state, instant.time);
  set->instant = instant;
  set->time = instant.time;
  set->start = state->begun ? state->start : NULL;
  set->now.count = 0;
  set->now.used = 0;
  return set->status = evaluate(contacts, state, position, set);
}
