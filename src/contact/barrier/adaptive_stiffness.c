// Adaptive stiffness: its four rules, see the header.
#include "contact/barrier/adaptive_stiffness.h"

#include "base/memory.h"
#include "contact/barrier/barrier.h"
#include "contact/barrier/damping.h"
#include "contact/core/contacts.h"
#include "math/vec3.h"
#include "model/body.h"
#include "model/contact_pairs.h"
#include "contact/tunables.h"

#include <math.h>
#include <string.h>

// The load of a vertex from its contacts of one kind.
typedef struct StVertexUse {
  double force;      // sum or largest of the contact forces over κ, with the present factors
  double capacity;   // the same at a gap of stiffness_gap with f = 1
  double gap, start; // smallest gap over thickness, now and at the start of the step
} StVertexUse;

void st_factors_free(StFactors *factors) {
  free(factors->item);
  *factors = (StFactors){0};
}

void st_meetings_free(StMeetings *meetings) {
  free(meetings->item);
  *meetings = (StMeetings){0};
}

void st_stiffness_reset(StStiffness *stiffness) {
  for (int k = 0; k < ST_CONTACT_KINDS; k++)
    for (int i = 0; i < stiffness->count; i++)
      stiffness->factor[k][i] = stiffness->began[k][i] = 1;
}

void st_stiffness_create(const StContacts *contacts, StContactState *state) {
  const StSkins *skins = contacts->skins;
  StStiffness *stiffness = &state->stiffness;
  int count = contacts->vertex_total + skins->place_count - skins->vertex_count;
  stiffness->use = ST_OWN(state, StVertexUse, count);
  for (int k = 0; k < ST_CONTACT_KINDS; k++) {
    stiffness->factor[k] = ST_OWN(state, double, count);
    stiffness->began[k] = ST_OWN(state, double, count);
  }
  stiffness->count = st_owner_is_whole(state) ? count : 0;
  st_stiffness_reset(stiffness);
}

// The number of a vertex, equal on all ranks.
static int number_of(const StContacts *contacts, int place) {
  const StPiece *piece = contacts->piece;
  return place < piece->vertex_count ? piece->vertex_id[place]
                                     : contacts->vertex_total + place - piece->vertex_count;
}

static bool is_sheet(const StContacts *contacts, int body) {
  return body >= 0 && !st_body_is_solid(&contacts->description->body[body]);
}

StContactKind st_stiffness_kind(const StContacts *contacts, int pair, bool edges) {
  StPairSides sides = st_pair_sides(contacts->description, pair);
  if (is_sheet(contacts, sides.collider) || is_sheet(contacts, sides.body))
    return edges ? ST_SHEET_EDGE_CONTACT : ST_SHEET_POINT_CONTACT;
  return edges ? ST_EDGE_CONTACT : ST_POINT_CONTACT;
}

static StContactKind kind_of(const StContactSet *set, const StContact *contact) {
  return st_stiffness_kind(set->contacts, contact->pair, contact->split == 2);
}

static bool is_point_kind(StContactKind kind) {
  return kind == ST_POINT_CONTACT || kind == ST_SHEET_POINT_CONTACT;
}

static bool is_sheet_kind(StContactKind kind) {
  return kind == ST_SHEET_POINT_CONTACT || kind == ST_SHEET_EDGE_CONTACT;
}

double st_stiffness_factor(const StStiffness *stiffness, const StContacts *contacts,
                           StContactKind kind, const int *place, int count) {
  if (stiffness->count == 0)
    return 1;
  if (is_point_kind(kind))
    return stiffness->factor[kind][number_of(contacts, place[0])];
  double largest = 1;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, stiffness->factor[kind][number_of(contacts, place[i])]);
  return largest;
}

// The number of vertices whose factors a contact depends on: its point alone, or all four of two
// edges.
static int vertex_count_of(const StContact *contact) {
  return contact->split == 2 ? contact->count : 1;
}

static double part_of(const StContact *contact) {
  return contact->gap / contact->thickness;
}

static double force_at(double part) {
  return -st_barrier_curve(part).slope;
}

// The same at the gap at which contact should carry its load.
static double carried(void) {
  return force_at(st_contact_tunables.stiffness_gap);
}

static bool is_loose(double part) {
  return !(part < st_contact_tunables.stiffness_loose);
}

static bool add_factor(StFactors *factors, int vertex, StContactKind kind, double factor) {
  if (!ST_GROW(factors->item, factors->capacity, factors->count + 1))
    return false;
  factors->item[factors->count++] = (StFactor){vertex, (int)kind, factor};
  return true;
}

// A vertex as the end of an edge takes the largest ratio of force and capacity of its contacts, a
// vertex as a point the ratio of their sums: the weights of a point's features add up to its area.
static void use(StVertexUse *of, const StContact *contact) {
  bool point = contact->split != 2;
  double weight = point ? contact->weight * contact->mollifier : 1, part = part_of(contact);
  double force = weight * contact->factor * force_at(part);
  if (point) {
    of->force += force;
    of->capacity += weight * carried();
  } else {
    of->force = fmax(of->force, force);
    of->capacity = carried();
  }
  of->gap = fmin(of->gap, part);
}

static void measure_use(const StContactSet *set, const StContactArray *start, StContactKind kind,
                        int count, StVertexUse *of) {
  const StContacts *contacts = set->contacts;
  for (int i = 0; i < count; i++)
    of[i] = (StVertexUse){.gap = 1, .start = 1};
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    const int *place = st_contact_array_places(&set->now, contact);
    for (int i = 0; kind_of(set, contact) == kind && i < vertex_count_of(contact); i++)
      use(&of[number_of(contacts, place[i])], contact);
  }
  for (int t = 0; t < start->count; t++) {
    const StContact *contact = &start->contact[t];
    const int *place = st_contact_array_places(start, contact);
    for (int i = 0; kind_of(set, contact) == kind && i < vertex_count_of(contact); i++) {
      StVertexUse *vertex = &of[number_of(contacts, place[i])];
      vertex->start = fmin(vertex->start, part_of(contact));
    }
  }
}

static bool is_at_rest(const StVertexUse *of) {
  return of->gap >= st_contact_tunables.stiffness_closing * of->start &&
         of->gap <= st_contact_tunables.stiffness_opening * of->start;
}

// Largest factor of the vertices that share an edge with a place.
static double factor_around(const StContacts *contacts, const double *factor, int place) {
  const StSkins *skins = contacts->skins;
  double largest = 1;
  for (int i = skins->around[place]; i < skins->around[place + 1]; i++)
    largest = fmax(largest, factor[number_of(contacts, skins->neighbour[i])]);
  return largest;
}

static double release(const StVertexUse *of, bool sheet, double factor, double began,
                      double around) {
  const double step = st_contact_tunables.stiffness_step;
  double need = of->capacity > 0 ? fmax(of->force / of->capacity, 0) : 0;
  double least = fmin(factor, fmax(began, step * need));
  if (is_loose(of->gap))
    return fmax(fmax(least, around) / step, 1);
  if (sheet && need > least && is_at_rest(of))
    return fmax(fmin(fmin(need, step * least), st_contact_tunables.stiffness_most), least);
  return fmax(least, 1);
}

bool st_stiffness_release(const StContactSet *set, const StContactState *state, StFactors *next) {
  const StContacts *contacts = set->contacts;
  const StStiffness *stiffness = &state->stiffness;
  int owned = contacts->piece->owned_count, vertices = contacts->piece->vertex_count;
  int places = stiffness->count > 0 ? contacts->skins->place_count : 0;
  next->count = 0;
  for (int k = 0; k < ST_CONTACT_KINDS && places > 0; k++) {
    const double *factor = stiffness->factor[k];
    measure_use(set, &state->before, (StContactKind)k, stiffness->count, stiffness->use);
    for (int p = 0; p < places; p++) {
      p = p == owned ? vertices : p; // ghosts are left to their owners
      if (p == places)
        break;
      int vertex = number_of(contacts, p);
      double around = factor_around(contacts, factor, p);
      double to = release(&stiffness->use[vertex], is_sheet_kind((StContactKind)k), factor[vertex],
                          stiffness->began[k][vertex], around);
      if ((factor[vertex] > 1 || to > 1) && !add_factor(next, vertex, (StContactKind)k, to))
        return false;
    }
  }
  return true;
}

static int compare_factors(const void *a, const void *b) {
  const StFactor *x = a, *y = b;
  if (x->vertex != y->vertex)
    return x->vertex < y->vertex ? -1 : 1;
  return x->kind != y->kind ? x->kind - y->kind : (x->factor < y->factor) - (x->factor > y->factor);
}

void st_factors_merge(StFactors *factors) {
  int count = 0;
  if (factors->count > 1)
    qsort(factors->item, (size_t)factors->count, sizeof(StFactor), compare_factors);
  for (int i = 0; i < factors->count; i++) {
    const StFactor item = factors->item[i], *last = count > 0 ? &factors->item[count - 1] : NULL;
    bool again = last && last->vertex == item.vertex && last->kind == item.kind;
    if (!again && item.factor > 1)
      factors->item[count++] = item;
  }
  factors->count = count;
}

void st_stiffness_begin(StStiffness *stiffness, const StFactors *factors) {
  st_stiffness_reset(stiffness);
  for (int i = 0; i < factors->count; i++) {
    const StFactor *item = &factors->item[i];
    if (item->vertex >= stiffness->count)
      continue; // the factor comes from a scene with another method
    stiffness->factor[item->kind][item->vertex] = item->factor;
    stiffness->began[item->kind][item->vertex] = item->factor;
  }
}

bool st_stiffness_list(const StStiffness *stiffness, StFactors *factors) {
  factors->count = 0;
  for (int i = 0; i < stiffness->count; i++)
    for (int k = 0; k < ST_CONTACT_KINDS; k++)
      if (stiffness->began[k][i] > 1 &&
          !add_factor(factors, i, (StContactKind)k, stiffness->began[k][i]))
        return false;
  return true;
}

void st_stiffness_restart(StStiffness *stiffness) {
  for (int k = 0; k < ST_CONTACT_KINDS && stiffness->count > 0; k++)
    memcpy(stiffness->factor[k], stiffness->began[k], (size_t)stiffness->count * sizeof(double));
}

// Speed at which a gap closes.
static double closing_speed(const StContactSet *set, const StContact *contact,
                            const double *velocity) {
  const int *place = st_contact_array_places(&set->now, contact);
  const double *gradient = set->now.gradient + 3 * contact->first;
  double of[3 * ST_CONTACT_SMALL], speed = vec3_dot(contact->normal_state.normal, contact->wall);
  st_contact_set_velocities(set, contact->count, place, velocity, of);
  for (int k = 0; k < contact->count; k++)
    speed -= vec3_dot(gradient + 3 * k, of + 3 * k);
  return speed;
}

// The first of the contacts of a pair, or of those with this id or a larger one.
static int find_contact(const StContactArray *list, int pair, uint64_t id) {
  int low = 0, high = list->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const StContact *at = &list->contact[middle];
    if (at->pair < pair || (at->pair == pair && at->id < id))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool was_pair_loaded(const StContactArray *start, int pair) {
  for (int t = find_contact(start, pair, 0); t < start->count && start->contact[t].pair == pair;
       t++)
    if (!is_loose(part_of(&start->contact[t])))
      return true;
  return false;
}

static bool was_loaded(const StContactArray *start, const StContact *contact) {
  int t = find_contact(start, contact->pair, contact->id);
  return t < start->count && start->contact[t].pair == contact->pair &&
         start->contact[t].id == contact->id && !is_loose(part_of(&start->contact[t]));
}

static void add_closing(const StContactSet *set, const StContact *contact, const double *velocity,
                        StMeeting *meeting) {
  double speed = closing_speed(set, contact, velocity);
  meeting->most = fmax(meeting->most, contact->factor);
  if (!contact->owned || !(speed > 0) || !(contact->weight > 0))
    return;
  double stiffness = st_contact_set_pair_law(set, contact)->stiffness * contact->factor;
  meeting->closing = fmax(meeting->closing, speed);
  meeting->hold += stiffness * contact->weight * contact->mollifier * carried();
}

bool st_stiffness_meet(const StContactSet *set, const StContactState *state, const double *velocity,
                       StMeetings *meetings) {
  const StContact *contact = set->now.contact;
  meetings->count = 0;
  for (int t = 0, next; t < set->now.count; t = next) {
    int pair = contact[t].pair;
    StPairSides sides = st_pair_sides(set->contacts->description, pair);
    for (next = t + 1; next < set->now.count && contact[next].pair == pair;)
      next++;
    if (sides.body == sides.collider)
      continue;
    if (!ST_GROW(meetings->item, meetings->capacity, meetings->count + 1))
      return false;
    StMeeting *meeting = &meetings->item[meetings->count++];
    *meeting = (StMeeting){.pair = pair, .loaded = was_pair_loaded(&state->before, pair)};
    for (int i = t; i < next && !meeting->loaded; i++)
      add_closing(set, &contact[i], velocity, meeting);
  }
  return true;
}

static int compare_meetings(const void *a, const void *b) {
  const StMeeting *x = a, *y = b;
  return (x->pair > y->pair) - (x->pair < y->pair);
}

void st_meetings_merge(StMeetings *meetings) {
  int count = 0;
  if (meetings->count > 1)
    qsort(meetings->item, (size_t)meetings->count, sizeof(StMeeting), compare_meetings);
  for (int i = 0; i < meetings->count; i++) {
    const StMeeting from = meetings->item[i];
    if (count == 0 || meetings->item[count - 1].pair != from.pair) {
      meetings->item[count++] = from;
      continue;
    }
    StMeeting *to = &meetings->item[count - 1];
    to->loaded = to->loaded || from.loaded;
    to->closing = fmax(to->closing, from.closing);
    to->hold += from.hold;
    to->most = fmax(to->most, from.most);
  }
  meetings->count = count;
}

// Effective mass that the contacts of a pair must stop. At worst a body is so stiff that all of its
// mass moves with the point in contact.
static double meeting_mass(const StContacts *contacts, const StMeeting *meeting) {
  StPairSides sides = st_pair_sides(contacts->description, meeting->pair);
  double mass = contacts->bulk[sides.collider].whole;
  return sides.body < 0 ? mass : 1 / (1 / mass + 1 / contacts->bulk[sides.body].whole);
}

// The factor that stops a pair: its momentum within the stage, or, if the stage's path is shorter
// than the thickness, its kinetic energy within the thickness, whichever force is smaller.
static double meeting_factor(const StContacts *contacts, const StMeeting *meeting, double thickness,
                             double span) {
  double mass = meeting_mass(contacts, meeting), speed = meeting->closing;
  double force = mass * speed / span;
  if (speed * span < thickness)
    force = fmin(force, 0.5 * mass * speed * speed / thickness * carried() /
                            st_barrier_curve(st_contact_tunables.stiffness_gap).value);
  double by = force / meeting->hold;
  return by > st_contact_tunables.stiffness_step ? by * meeting->most : 1;
}

static bool raise(const StContactSet *set, const StContact *contact, double to, StFactors *raised) {
  const int *place = st_contact_array_places(&set->now, contact);
  for (int i = 0; i < vertex_count_of(contact); i++)
    if (!add_factor(raised, number_of(set->contacts, place[i]), kind_of(set, contact), to))
      return false;
  return true;
}

// The factor that a new contact with a very small gap needs; 1: no rescue.
static double rescue_factor(const StContactSet *set, const StContactState *state,
                            const StContact *contact) {
  const int *place = st_contact_array_places(&set->now, contact);
  const double *began = state->stiffness.began[kind_of(set, contact)];
  double part = part_of(contact), most = 1;
  if (!(part < st_contact_tunables.stiffness_close) || was_loaded(&state->before, contact))
    return 1;
  for (int i = 0; i < vertex_count_of(contact); i++)
    most = fmax(most, began[number_of(set->contacts, place[i])]);
  return fmin(contact->factor * force_at(part) / carried(),
              st_contact_tunables.stiffness_most * most);
}

bool st_stiffness_raise(const StContactSet *set, const StContactState *state,
                        const StMeetings *meetings, double span, StFactors *raised) {
  raised->count = 0;
  for (int t = 0, m = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    while (m < meetings->count && meetings->item[m].pair < contact->pair)
      m++;
    const StMeeting *meeting = m < meetings->count ? &meetings->item[m] : NULL;
    double to = 1;
    if (meeting && meeting->pair == contact->pair && !meeting->loaded && meeting->hold > 0)
      to = meeting_factor(set->contacts, meeting, st_contact_set_pair_law(set, contact)->thickness,
                          span);
    double rescued = rescue_factor(set, state, contact);
    if (rescued > st_contact_tunables.stiffness_step * contact->factor)
      to = fmax(to, rescued);
    if (to > contact->factor && !raise(set, contact, to, raised))
      return false;
  }
  return true;
}

void st_stiffness_lift(StStiffness *stiffness, const StFactors *raised) {
  for (int i = 0; i < raised->count; i++) {
    const StFactor *item = &raised->item[i];
    double *factor = &stiffness->factor[item->kind][item->vertex];
    *factor = fmax(*factor, item->factor);
  }
}
