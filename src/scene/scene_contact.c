// contact: {"pairs": "all" | "none" | [{"collider": …, "surface": …}, …], "thickness": …, …}: which
// body's vertices touch which surface, resolved into one entry per direction.
#include "scene/contact_method.h"

#include "base/memory.h"
#include "model/contact_pairs.h"
#include "scene/pair_plan.h"

#include <math.h>
#include <string.h>

typedef struct Pair {
  const StJson *collider, *surface, *stiff;
  bool touch, both;
  double thickness, stiffness; // 0: the common value
} Pair;

typedef struct Contact {
  const StJson *pairs, *stiff;
  double thickness, stiffness; // 0: from the scene's scale
  StContactSettings settings;
} Contact;

static const char *const PAIRS[] = {"all", "none", NULL};
static const char *const METHODS[] = {"smooth", "primitives", NULL};
static const char *const MODES[] = {"implicit", "implicit_fixed_basis", "lagged", NULL};
static const char *const KERNELS[] = {"smooth", "cubic", "interpolating", NULL};

#define STIFFNESS_UNITS "Pa with primitives, Pa/m with smooth surfaces"

static const StKey PAIR_KEYS[] = {
    ST_KEY(Pair, collider, NAMES,
           "Bodies whose surface vertices must stay outside: names, or \"all\".", .required = true),
    ST_KEY(Pair, surface, NAMES,
           "Bodies and obstacles whose surface they touch: names, or \"all\".", .required = true),
    ST_KEY(Pair, touch, SCALAR,
           "false: they pass through each other, such as links that a joint connects. A list that "
           "begins with such an entry begins with all pairs.",
           .param.kind = ST_BOOLEAN, .param.fallback = 1),
    ST_KEY(Pair, both, SCALAR,
           "If the surface is a body, its vertices also touch the collider. For smooth surfaces; "
           "primitives always work both ways.",
           .param.kind = ST_BOOLEAN, .param.fallback = 1),
    ST_KEY(Pair, thickness, SCALAR, "The same as for all pairs, for these only.",
           .param.dimension = ST_LENGTH_DIMENSION, .param.fallback = NAN, ST_KEY_POSITIVE,
           .otherwise = "as for all pairs"),
    ST_KEY_NAMED("stiffness", Pair, stiff, QUANTITY, "The same as for all pairs, for these only.",
                 .param.fallback = NAN, ST_KEY_POSITIVE, .units = STIFFNESS_UNITS,
                 .otherwise = "as for all pairs"),
};

const StKeyTable st_keys_pair = {
    .name = "pair",
    .doc =
        "Objects that touch, or do not. The last of several entries for the same two applies. With "
        "primitives a body touches itself unless its self_contact is false, whatever the "
        "entries say; an entry with itself sets the thickness and stiffness for that.",
    ST_KEYS(PAIR_KEYS),
};

static const StKey KEYS[] = {
    ST_KEY_NAMED(
        "method", Contact, settings.method, SCALAR,
        "primitives: points, edges and triangles of different bodies and of the same body, whose "
        "paths never cross; smooth: vertices against surfaces smoothed by a kernel.",
        .param.kind = ST_WORD, .param.fallback = ST_CONTACT_METHOD_DEFAULT, .param.word = METHODS),
    ST_KEY(Contact, pairs, OBJECTS,
           "Which objects touch. \"all\": every body touches every obstacle and every other body; "
           "\"none\" switches contact off.",
           .param.word = PAIRS, .table = &st_keys_pair, .otherwise = "\"all\""),
    ST_KEY(Contact, thickness, SCALAR,
           "Gap at which contact starts to act; resting bodies keep half of it or more. For a body "
           "against itself it is at most a quarter of its median edge length.",
           .param.dimension = ST_LENGTH_DIMENSION, .param.fallback = NAN, ST_KEY_POSITIVE,
           .otherwise =
               "1e-3 of the size L of each pair's smaller body; with primitives also a third of "
               "ρgL²/E, how far soft bodies give under their weight, and at most a quarter of the "
               "median edge of either, 2 % of how thick they are (twice volume over surface), half "
               "of a body's play between walls at the start, and no more than the thinnest other "
               "body is thick (cloth: the thickness of its own contact)"),
    ST_KEY_NAMED("stiffness", Contact, stiff, QUANTITY,
                 "κ. With primitives the pressure at a gap of half the thickness is 1.193 κ, and "
                 "grows without bound as the gap closes. With smooth surfaces it is 3κ(δ − ψ)²/δ "
                 "at a gap ψ with the thickness δ; κ grows automatically where something would get "
                 "inside or cloth carries more than it is made for, and without area weights it is "
                 "multiplied by the mean area of the collider's vertices.",
                 .param.fallback = NAN, ST_KEY_POSITIVE, .units = STIFFNESS_UNITS,
                 .otherwise =
                     "carries the weight (of rigid bodies on three vertices) at half the "
                     "thickness. With primitives also loads, overpressure and what prescribed "
                     "motion presses with; without any of these, inertia within a step; at up to "
                     "0.8 of the thickness where bodies themselves give less. With smooth surfaces "
                     "also overpressure, 1e-4 of Young's modulus and, without gravity, motion"),
    ST_KEY_NAMED("friction", Contact, settings.friction, SCALAR,
                 "implicit: normal force, directions and slip all at the end of the step; "
                 "implicit_fixed_basis: the same, for smooth surfaces without derivatives of the "
                 "directions; lagged: normal force and directions from the start of the step.",
                 .param.kind = ST_WORD, .param.word = MODES),
    ST_KEY_NAMED("friction_iterations", Contact, settings.friction_iterations, SCALAR,
                 "For lagged friction: solves per step, each with the normal force and directions "
                 "of the previous one.",
                 .param.kind = ST_INTEGER, .param.fallback = 1, ST_KEY_RANGE(1, 10000)),
    ST_KEY_NAMED("max_repeats", Contact, settings.max_repeats, SCALAR,
                 "With smooth surfaces: how often a step that ends with an overlap is solved again "
                 "with stiffer contact, before it is halved.",
                 .param.kind = ST_INTEGER, .param.fallback = 8, ST_KEY_RANGE(0, 1000)),
    ST_KEY_NAMED(
        "area_weighted", Contact, settings.area_weighted, SCALAR,
        "For smooth surfaces: each vertex carries in proportion to its share of the surface, so "
        "that results do not depend on the mesh; false: all vertices the same.",
        .param.kind = ST_BOOLEAN, .param.fallback = 1),
    ST_KEY_NAMED("kernel", Contact, settings.kernel, SCALAR,
                 "Weights of the smooth surface of a body or mesh.", .param.kind = ST_WORD,
                 .param.word = KERNELS),
    ST_KEY_NAMED("radius_multiplier", Contact, settings.radius_multiplier, SCALAR,
                 "For smooth surfaces: radius of the kernel over the size of the largest triangle; "
                 "larger is smoother and more expensive.",
                 .param.fallback = 2, ST_KEY_RANGE(1, 100)),
    ST_KEY_NAMED("smoothing", Contact, settings.smoothing, SCALAR,
                 "For the kernel \"smooth\": small values stay close to the triangles, large ones "
                 "round edges off.",
                 .param.fallback = 0.1, ST_KEY_POSITIVE),
};

const StKeyTable st_keys_contact = {
    .name = "contact",
    .path = "contact",
    .doc = "Which objects touch, and how.",
    ST_KEYS(KEYS),
};

// The entries being read.
typedef struct Reading {
  StPairPlan *plan;
  StPairValues common;
  int *collider, *surface; // [bodies and obstacles] of the entry being read, …
  int collider_count, surface_count;
} Reading;

static const char *name_at(const void *context, int index) {
  const StDescription *description = context;
  int obstacle = index - description->body_count;
  return obstacle < 0 ? description->body[index].name : description->obstacle[obstacle].name;
}

static bool is_all(const StJson *at) {
  return at->kind == ST_JSON_STRING && strcmp(at->text, "all") == 0;
}

// Lists the named ones among the first `count`; later names are valid, but rejected here.
static StStatus choose(const StReader *reader, const StJson *at, int count, int *chosen,
                       int *chosen_count) {
  const StDescription *description = reader->description;
  *chosen_count = is_all(at) ? count : 0;
  for (int i = 0; i < *chosen_count; i++)
    chosen[i] = i;
  if (is_all(at))
    return ST_OK;
  const StJson *name = at->kind == ST_JSON_LIST ? at->child : at;
  for (; name; name = at->kind == ST_JSON_LIST ? name->next : NULL) {
    int index, all = description->body_count + description->obstacle_count;
    ST_TRY(
        st_reader_find_name(reader, name, "body or obstacle", name_at, description, all, &index));
    if (index >= count)
      return st_reader_fail(reader, name, "\"%.60s\" is an obstacle; a collider must be a body",
                            name->text);
    if (*chosen_count < all)
      chosen[(*chosen_count)++] = index;
  }
  return ST_OK;
}

static bool may_touch(const StPairPlan *plan, int collider, int surface) {
  return surface != collider || plan->self[collider];
}

// Lists the pairs of the last entry. *made: their number.
static StStatus list_pairs(const StReader *reader, const StJson *at, const Reading *reading,
                           bool both, int *made) {
  StPairPlan *plan = reading->plan;
  bool room = true;
  for (int i = 0; i < reading->collider_count; i++)
    for (int k = 0; k < reading->surface_count && room; k++) {
      int c = reading->collider[i], s = reading->surface[k], entry = plan->entry_count - 1;
      if (!may_touch(plan, c, s))
        continue;
      room = st_pair_plan_add(plan, c, s, entry);
      if (both && s < plan->body_count && !plan->single)
        room = room && st_pair_plan_add(plan, s, c, entry);
      ++*made;
      if (plan->listed_count > ST_MOST_LISTED_PAIRS)
        return st_reader_fail(reader, at, "lists more than %d pairs; \"all\" needs no list",
                              ST_MOST_LISTED_PAIRS);
    }
  return room ? ST_OK : st_fail_memory(reader->error);
}

static StStatus read_stiffness(StReader *reader, const StJson *at, double *stiffness) {
  StContactMethod method = reader->description->contact_settings.method;
  StParam param = {.dimension = st_contact_traits(method)->stiffness, ST_POSITIVE};
  return at ? st_reader_param(reader, at, &param, stiffness) : ST_OK;
}

// A key that would silently be ignored.
static StStatus refuse_foreign(const StReader *reader, const StJson *at) {
  const char *const *key = st_scene_method(reader->description)->foreign;
  for (; *key && at; key++) {
    const StJson *child = st_json_get(at, *key);
    if (child)
      return st_reader_fail_key(
          reader, child,
          "does not apply to primitives; leave it out, or use \"method\": \"smooth\" in contact");
  }
  return ST_OK;
}

static StStatus fail_self(const StReader *reader, const StJson *at) {
  if (st_contact_traits(reader->description->contact_settings.method)->single)
    return st_reader_fail(reader, at, "is a body against itself, whose self_contact is false");
  return st_reader_fail(reader, at,
                        "is a body against itself, which touches only with \"method\": "
                        "\"primitives\" in contact");
}

static double first_positive(double a, double b) {
  return a > 0 ? a : b;
}

static StStatus read_pair(StReader *reader, const StJson *at, Reading *reading) {
  StPairPlan *plan = reading->plan;
  Pair pair = {0};
  int made = 0;
  ST_TRY(st_reader_object(reader, at, &st_keys_pair, &pair));
  ST_TRY(refuse_foreign(reader, at));
  ST_TRY(read_stiffness(reader, pair.stiff, &pair.stiffness));
  ST_TRY(
      choose(reader, pair.collider, plan->body_count, reading->collider, &reading->collider_count));
  ST_TRY(
      choose(reader, pair.surface, plan->surface_count, reading->surface, &reading->surface_count));
  plan->entry[plan->entry_count++] =
      (StPairValues){first_positive(pair.thickness, reading->common.thickness),
                     first_positive(pair.stiffness, reading->common.stiffness), !pair.touch};
  if (is_all(pair.collider) && is_all(pair.surface)) {
    st_pair_plan_add_all(plan);
    return ST_OK;
  }
  ST_TRY(list_pairs(reader, at, reading, pair.both, &made));
  if (made == 0 && !is_all(pair.collider) && !is_all(pair.surface))
    return fail_self(reader, at);
  return ST_OK;
}

static bool excludes(const StJson *pair) {
  const StJson *touch = pair ? st_json_get(pair, "touch") : NULL;
  return touch && touch->kind == ST_JSON_BOOLEAN && !touch->truth;
}

static StStatus read_pairs(StReader *reader, const StJson *at, Reading *reading) {
  bool named = at && at->kind != ST_JSON_STRING;
  if (!named || excludes(at->kind == ST_JSON_LIST ? at->child : at)) {
    reading->plan->entry[reading->plan->entry_count++] = reading->common;
    st_pair_plan_add_all(reading->plan);
  }
  if (!named)
    return ST_OK;
  if (at->kind == ST_JSON_OBJECT)
    return read_pair(reader, at, reading);
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(read_pair(reader, item, reading));
  return ST_OK;
}

// The most bodies that make no more pairs with each other and with the obstacles.
static int most_bodies(int obstacles, double pairs) {
  return (int)((sqrt((double)obstacles * obstacles + 4 * pairs) - obstacles) / 2);
}

// Pairs have numbers up to a limit, and those of smooth surfaces are kept.
static StStatus check_number(const StReader *reader, const StJson *at, const StPairPlan *plan) {
  int obstacles = plan->surface_count - plan->body_count;
  int limit = st_scene_method(reader->description)->most_pairs;
  if ((double)plan->body_count * plan->surface_count <= limit)
    return ST_OK;
  return st_reader_fail(
      reader, at ? at : st_json_root(reader->document),
      "%d bodies with contact are too many: a scene with %d obstacle%s has at most %d of them (%d "
      "pairs)%s",
      plan->body_count, obstacles, obstacles == 1 ? "" : "s", most_bodies(obstacles, limit), limit,
      plan->single ? "" : "; contact by primitives keeps none that are far apart");
}

static StStatus make_room(const StReader *reader, int entries, Reading *reading) {
  const StDescription *description = reader->description;
  StPairPlan *plan = reading->plan;
  int bodies = plan->body_count = description->body_count;
  plan->surface_count = description->body_count + description->obstacle_count;
  plan->single = st_contact_traits(description->contact_settings.method)->single;
  plan->rest = reading->common;
  plan->entry = ST_NEW(StPairValues, entries);
  plan->self = ST_NEW(bool, bodies);
  reading->collider = ST_NEW(int, plan->surface_count);
  reading->surface = ST_NEW(int, plan->surface_count);
  for (int b = 0; plan->self && b < bodies; b++)
    plan->self[b] = plan->single && description->body[b].self_contact;
  bool made = plan->entry && plan->self && reading->collider && reading->surface;
  return made ? ST_OK : st_fail_memory(reader->error);
}

static StStatus plan_pairs(StReader *reader, const Contact *given, StPairPlan *plan) {
  const StJson *pairs = given->pairs;
  Reading reading = {.plan = plan, .common = {given->thickness, given->stiffness}};
  int entries = pairs && pairs->kind == ST_JSON_LIST ? pairs->child_count : 1;
  StStatus status = make_room(reader, 1 + entries, &reading);
  if (status == ST_OK)
    status = check_number(reader, pairs, plan);
  if (status == ST_OK)
    status = read_pairs(reader, pairs, &reading);
  st_pair_plan_sort(plan);
  free(reading.collider);
  free(reading.surface);
  return status;
}

// An obstacle without a pair was probably forgotten.
static StStatus warn_of_idle(const StReader *reader, const StPairPlan *plan) {
  const StDescription *description = reader->description;
  bool *touches = ST_NEW(bool, plan->surface_count);
  if (!touches)
    return st_fail_memory(reader->error);
  for (int i = 0; i < plan->listed_count; i++)
    touches[plan->listed[i].surface] |= !plan->entry[plan->listed[i].entry].apart;
  for (int i = 0; i < description->obstacle_count && !plan->all; i++)
    if (!touches[plan->body_count + i])
      st_log(reader->log, ST_WARNING, "%s: contact.pairs leaves out the obstacle \"%s\"",
             reader->name, description->obstacle[i].name);
  free(touches);
  return ST_OK;
}

// A scene that asks for self-contact explicitly must get it.
static StStatus check_selves(const StReader *reader) {
  const StJson *bodies = st_json_get(st_json_root(reader->document), "bodies");
  if (st_contact_traits(reader->description->contact_settings.method)->single)
    return ST_OK;
  for (const StJson *body = bodies->child; body; body = body->next) {
    const StJson *word = st_json_get(body, "self_contact");
    if (word && word->truth)
      return st_reader_fail(
          reader, word,
          "smooth surfaces have no self-contact; use \"method\": \"primitives\" in contact");
  }
  return ST_OK;
}

StStatus st_scene_read_contact(StReader *reader, const StJson *at, StFrictionTable *table) {
  Contact given = {.settings = reader->description->contact_settings};
  StPairPlan plan = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_contact, &given));
  reader->description->contact_settings = given.settings;
  ST_TRY(refuse_foreign(reader, at));
  ST_TRY(check_selves(reader));
  ST_TRY(read_stiffness(reader, given.stiff, &given.stiffness));
  ST_TRY(st_scene_read_viscous(reader, table));
  if (given.pairs && given.pairs->kind == ST_JSON_STRING && strcmp(given.pairs->text, "none") == 0)
    return ST_OK;
  StStatus status = plan_pairs(reader, &given, &plan);
  if (status == ST_OK)
    status = warn_of_idle(reader, &plan);
  if (status == ST_OK)
    status = st_scene_method(reader->description)->choose(reader, &plan, table);
  st_pair_plan_free(&plan);
  return status;
}
