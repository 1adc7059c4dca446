// Contact before and after a step.
#include "step/contact_step.h"

#include "base/memory.h"
#include "contact/sides.h"
#include "solve/runtime.h"
#include "solve/communicator.h"
#include "step/diagnose.h"
#include "step/rows.h"

#include <mpi.h>
#include <stdio.h>

StStatus st_contact_step_create(const StSystem *system, StContactStep **result, StError *error) {
  StContactStep *contact_step = ST_NEW(StContactStep, 1);
  int pairs = system->contacts ? system->contacts->pair_count : 0;
  if (!contact_step)
    return st_fail_memory(error);
  contact_step->system = system;
  contact_step->tried = ST_NEW(double, pairs);
  contact_step->thin = ST_NEW(double, pairs);
  if (!contact_step->tried || !contact_step->thin) {
    st_contact_step_destroy(contact_step);
    return st_fail_memory(error);
  }
  *result = contact_step;
  return ST_OK;
}

void st_contact_step_destroy(StContactStep *contact_step) {
  if (!contact_step)
    return;
  st_pair_ends_free(&contact_step->ends);
  st_pair_ends_free(&contact_step->met);
  free(contact_step->tried);
  free(contact_step->thin);
  free(contact_step);
}

// The deepest of all ranks first; if equally deep, the lowest rank's; crossings before all others.
static int compare_ends(const void *a, const void *b) {
  const StPairEnd *x = a, *y = b;
  double deepest[2] = {x->crossed ? -INFINITY : x->deepest, y->crossed ? -INFINITY : y->deepest};
  if (x->pair != y->pair)
    return x->pair < y->pair ? -1 : 1;
  if (deepest[0] != deepest[1])
    return deepest[0] < deepest[1] ? -1 : 1;
  return x->rank - y->rank;
}

static StStatus combine(StPairEnds *ends, StError *error) {
  int count = 0;
  if (st_runtime_size() == 1)
    return ST_OK;
  for (int i = 0; i < ends->count; i++)
    ends->end[i].rank = st_runtime_rank();
  ST_TRY(
      st_rows_gather((void **)&ends->end, &ends->capacity, &ends->count, sizeof *ends->end, error));
  if (ends->count > 0)
    qsort(ends->end, (size_t)ends->count, sizeof *ends->end, compare_ends);
  for (int i = 0; i < ends->count; i++)
    if (count == 0 || ends->end[count - 1].pair != ends->end[i].pair)
      ends->end[count++] = ends->end[i];
    else {
      StPairEnd *end = &ends->end[count - 1];
      st_impact_join(&end->impact, &ends->end[i].impact);
      end->carrying.force += ends->end[i].carrying.force;
      end->carrying.moment += ends->end[i].carrying.moment;
      end->before.gap = fmin(end->before.gap, ends->end[i].before.gap);
      end->before.stored += ends->end[i].before.stored;
    }
  ends->count = count;
  return ST_OK;
}

static StStatus measure(StContactStep *contact_step, const StTouchSet *set, double start,
                        const double *before, const double *after, const double *velocity,
                        StError *error) {
  StStatus status = st_contact_check_measure(set, contact_step->system->contact_state, start,
                                             before, after, velocity, &contact_step->ends);
  if (status == ST_NOT_SOLVED)
    st_fail(error, status, "bodies meet exactly");
  else if (status != ST_OK)
    status = st_fail(error, ST_SYSTEM_FAULT, "the contact search ran out of memory");
  ST_TRY(st_runtime_agree(status, error));
  return combine(&contact_step->ends, error);
}

// "body "ball" against obstacle "floor""
static void name_pair(const StDescription *description, const StContactDesc *desc, char *text,
                      size_t size) {
  const char *kind = desc->body >= 0 ? "body" : "obstacle";
  const char *other = desc->body >= 0 ? description->body[desc->body].name
                                      : description->obstacle[desc->obstacle].name;
  snprintf(text, size, "%s \"%s\"", kind, other);
}

static void describe_end(const StDescription *description, const StContactDesc *desc,
                         const StPairEnd *end, char *text, size_t size) {
  char vertex[160], other[160];
  st_diagnose_vertex(description, end->vertex, vertex, sizeof vertex);
  name_pair(description, desc, other, sizeof other);
  if (end->crossed)
    snprintf(text, size, "%s passed through %s", vertex, other);
  else if (end->deepest >= 0)
    snprintf(text, size, "%s is only %.3g m from %s", vertex, end->deepest, other);
  else
    snprintf(text, size, "%s is %.3g m inside %s", vertex, -end->deepest, other);
}

// Contact resolves a small overlap; a body half inside another is a mistake in the scene, and would
// be thrown out.
static const double LARGEST_OVERLAP = 0.05; // of the body's size

static double size_of(const StMesh *mesh) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double square = 0;
  for (int i = 0; i < 3 * mesh->vertex_count; i++) {
    low[i % 3] = fmin(low[i % 3], mesh->position[i]);
    high[i % 3] = fmax(high[i % 3], mesh->position[i]);
  }
  for (int c = 0; c < 3; c++)
    square += (high[c] - low[c]) * (high[c] - low[c]);
  return sqrt(square);
}

static StStatus judge_overlap(const StDescription *description, const StContactDesc *desc,
                              const StPairEnd *end, const StLog *log, StError *error) {
  char text[400];
  describe_end(description, desc, end, text, sizeof text);
  double allowed = LARGEST_OVERLAP * size_of(description->body[desc->collider].mesh);
  if (-end->deepest > allowed)
    return st_fail(
        error, ST_BAD_INPUT,
        "the scene starts with bodies inside each other: %s; contact resolves up to %.3g m", text,
        allowed);
  st_log(log, ST_WARNING,
         "the scene starts with an overlap by contact's own measure, which it will push out: %s",
         text);
  return ST_OK;
}

// A smooth surface whose radius reaches through its body confuses the two faces: it would report
// false overlaps and throw bodies apart.
static StStatus warn_of_blur(const StContacts *contacts, int pair, const StLog *log,
                             StError *error) {
  const StSurface *surface = st_contacts_surface(contacts, pair);
  int body = contacts->pair[pair].desc->body;
  if (!surface || body < 0 || contacts->description->body[body].mesh->tet_count == 0)
    return ST_OK;
  const StBodyDesc *desc = &contacts->description->body[body];
  double thickness, reach = st_surface_radius(surface);
  ST_TRY(st_contacts_wall(desc->mesh, &thickness, error));
  if (reach > thickness)
    st_log(log, ST_WARNING,
           "the triangles of body \"%s\" are too large for contact by smooth surfaces: they are "
           "rounded off over %.3g m, and it is only %.3g m thick; take smaller ones, or "
           "contact.method \"primitives\"",
           desc->name, reach, thickness);
  return ST_OK;
}

StStatus st_contact_step_start(StContactStep *contact_step, double time, const double *position,
                               const StLog *log, StError *error) {
  const StSystem *system = contact_step->system;
  const StContacts *contacts = system->contacts;
  StContactState *state = system->contact_state;
  if (!contacts)
    return ST_OK;
  st_sides_forget(contacts, state);
  st_contact_state_let_go(state);
  st_contact_state_begin(contacts, state, time, position);
  const StTouchSet *set = st_touches_at(system->touches, time, position, 0);
  ST_TRY(measure(contact_step, set, time, NULL, position, NULL, error));
  st_contact_check_begin(set, &contact_step->ends, state);
  for (int i = 0; i < contact_step->ends.count; i++) {
    const StPairEnd *end = &contact_step->ends.end[i];
    if (!state->pair[end->pair].overlapping)
      continue;
    ST_TRY(warn_of_blur(contacts, end->pair, log, error));
    ST_TRY(judge_overlap(contacts->description, contacts->pair[end->pair].desc, end, log, error));
  }
  // Lagged friction acts on the initial state as on any other.
  return st_contact_step_lag(contact_step, time, position, error);
}

StStatus st_contact_step_recall(StContactStep *contact_step, const StHandover *handover,
                                double time, const double *position, StError *error) {
  const StContacts *contacts = contact_step->system->contacts;
  StContactState *state = contact_step->system->contact_state;
  if (!contacts)
    return ST_OK;
  for (int i = 0; i < handover->pair_count; i++)
    st_contact_state_recall(contacts, state, &handover->pair[i]);
  StStatus status =
      st_anchors_unpack(handover->anchors, handover->anchors_size, contacts, &state->anchors);
  if (status != ST_OK)
    status = st_fail(error, status, "the anchors of friction could not be taken over");
  ST_TRY(st_runtime_agree(status, error));
  st_contact_state_begin(contacts, state, time, position);
  return st_contact_step_lag(contact_step, time, position, error);
}

// The previous step has been committed: its anchors hold from here on.
static StStatus take_anchors(const StSystem *system, double time, const double *position,
                             StError *error) {
  if (!system->contact_state->committed)
    return ST_OK;
  const StTouchSet *set = st_touches_at(system->touches, time, position, 0);
  bool good = set->status == ST_OK && st_contact_state_anchor(system->contact_state, set, position);
  return good ? ST_OK : st_fail_memory(error);
}

// A step of another size starts over.
void st_contact_step_begin_attempt(StContactStep *contact_step, double start, double end,
                                   double energy) {
  contact_step->energy = energy;
  if (!contact_step->system->contacts || (start == contact_step->start && end == contact_step->end))
    return;
  contact_step->start = start;
  contact_step->end = end;
  contact_step->repeats = 0;
  for (int p = 0; p < contact_step->system->contacts->pair_count; p++)
    contact_step->tried[p] = INFINITY;
}

StStatus st_contact_step_begin_step(StContactStep *contact_step, double time,
                                    const double *position, StError *error) {
  const StSystem *system = contact_step->system;
  if (!system->contacts)
    return ST_OK;
  ST_TRY(st_runtime_agree(take_anchors(system, time, position, error), error));
  st_contact_state_begin(system->contacts, system->contact_state, time, position);
  return st_contact_step_lag(contact_step, time, position, error);
}

StStatus st_contact_step_lag(StContactStep *contact_step, double time, const double *position,
                             StError *error) {
  const StSystem *system = contact_step->system;
  const StTouchSet *set = st_touches_at(system->touches, time, position, 0);
  return st_runtime_agree(st_contact_state_lag(system->contact_state, set, error), error);
}

// Primitives that are close are still apart: a step is fine once stiffening was tried as often as
// the scene allows.
static bool is_tried_enough(const StContactStep *contact_step) {
  const StContacts *contacts = contact_step->system->contacts;
  return contacts->skins &&
         contact_step->repeats >= contacts->description->contact_settings.max_repeats;
}

double st_contact_step_closest(const StContactStep *contact_step, const StTouchSet *set) {
  const StSystem *system = contact_step->system;
  double closest = INFINITY;
  if (system->contacts->skins && !is_tried_enough(contact_step) && set->status == ST_OK)
    closest = st_contact_check_closest(set, system->contact_state, contact_step->tried);
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, &closest, 1, MPI_DOUBLE, MPI_MIN, st_communicator());
  return closest;
}

StStatus st_contact_step_brace(StContactStep *contact_step, const StTouchSet *set,
                               const double *velocity, double span, bool *braced) {
  const StSystem *system = contact_step->system;
  *braced = false;
  if (!system->contacts->skins)
    return ST_OK;
  StStatus status = set->status == ST_OK
                        ? st_contact_check_meet(set, system->contact_state, velocity,
                                                st_runtime_size() > 1, &contact_step->met)
                        : set->status;
  ST_TRY(st_runtime_agree(status, NULL));
  ST_TRY(combine(&contact_step->met, NULL));
  *braced =
      st_contact_check_brace(system->contacts, system->contact_state, &contact_step->met, span) > 0;
  return ST_OK;
}

static bool stiffen(StContactStep *contact_step) {
  const StSystem *system = contact_step->system;
  return !is_tried_enough(contact_step) &&
         st_contact_check_stiffen(system->contacts, system->contact_state, &contact_step->ends,
                                  contact_step->energy, contact_step->tried) > 0;
}

// Velocities on the way to a solution say nothing of impacts. Pairs that pressed already wait for
// the end of the step: stiffened by more than they need, they would give back too much.
StStatus st_contact_step_stiffen(StContactStep *contact_step, const StTouchSet *set,
                                 StError *error) {
  StPairEnds *ends = &contact_step->ends;
  ST_TRY(measure(contact_step, set, contact_step->start, NULL, NULL, NULL, error));
  for (int i = 0; i < ends->count; i++)
    if (st_impact_pressed(&ends->end[i].before))
      ends->end[i].deepest = INFINITY;
  stiffen(contact_step);
  contact_step->repeats++;
  return ST_OK;
}

StStatus st_contact_step_judge(StContactStep *contact_step, double start, double time,
                               const double *before, const double *after, const double *velocity,
                               StVerdict *verdict, StError *error) {
  const StSystem *system = contact_step->system;
  const StContacts *contacts = system->contacts;
  *verdict = ST_VERDICT_CLEAR;
  if (!contacts)
    return ST_OK;
  const StTouchSet *set = st_touches_at(system->touches, time, after, 0);
  ST_TRY(measure(contact_step, set, start, before, after, velocity, error));
  for (int i = 0; i < contact_step->ends.count; i++)
    if (contact_step->ends.end[i].crossed)
      *verdict = ST_VERDICT_CROSSED;
  if (*verdict == ST_VERDICT_CLEAR && stiffen(contact_step)) {
    *verdict = ST_VERDICT_STIFFENED;
    contact_step->repeats++;
  }
  return ST_OK;
}

static void widen(StContactStep *contact_step, double time, const double *position) {
  const StSystem *system = contact_step->system;
  double *thin = contact_step->thin;
  if (!st_contact_check_widen(&contact_step->ends, system->contact_state, thin))
    return;
  st_contact_check_find_touching(st_touches_at(system->touches, time, position, 0), thin);
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, thin, system->contacts->pair_count, MPI_DOUBLE, MPI_MIN,
                  st_communicator());
  st_contact_check_narrow(system->contacts, system->contact_state, thin);
}

void st_contact_step_commit(StContactStep *contact_step, double time, const double *position) {
  const StSystem *system = contact_step->system;
  if (!system->contacts)
    return;
  st_contact_check_commit(st_touches_at(system->touches, time, position, 0), &contact_step->ends,
                          system->contact_state);
  st_contact_check_ease(system->contacts, system->contact_state, &contact_step->ends);
  st_contact_check_firm(system->contacts, system->contact_state, &contact_step->ends);
  widen(contact_step, time, position);
  st_contact_state_accept(system->contacts, system->contact_state);
}

// Crossing is worse than being inside.
static bool is_worse(const StPairEnd *end, const StPairEnd *than) {
  return end->crossed != than->crossed ? end->crossed : end->deepest < than->deepest;
}

void st_contact_step_describe(const StContactStep *contact_step, char *text, size_t size) {
  const StContacts *contacts = contact_step->system->contacts;
  const StPairEnd *worst = contact_step->ends.end;
  for (int i = 1; i < contact_step->ends.count; i++)
    if (is_worse(&contact_step->ends.end[i], worst))
      worst = &contact_step->ends.end[i];
  describe_end(contacts->description, contacts->pair[worst->pair].desc, worst, text, size);
}
