// Contact around a step.
#include "step/touchdown.h"

#include "base/memory.h"
#include "contact/sides.h"
#include "solve/runtime.h"
#include "solve/communicator.h"
#include "step/diagnose.h"

#include <mpi.h>
#include <stdio.h>

StStatus st_touchdown_create(const StSystem *system, StTouchdown **result, StError *error) {
  StTouchdown *touchdown = ST_NEW(StTouchdown, 1);
  int pairs = system->contacts ? system->contacts->pair_count : 0;
  if (!touchdown)
    return st_fail_memory(error);
  touchdown->system = system;
  touchdown->end = ST_NEW(StPairEnd, pairs);
  touchdown->tried = ST_NEW(double, pairs);
  if (!touchdown->end || !touchdown->tried) {
    st_touchdown_destroy(touchdown);
    return st_fail_memory(error);
  }
  *result = touchdown;
  return ST_OK;
}

void st_touchdown_destroy(StTouchdown *touchdown) {
  if (!touchdown)
    return;
  free(touchdown->end);
  free(touchdown->tried);
  free(touchdown);
}

// The deepest of all ranks with its vertex; a crossing anywhere is one everywhere.
static void combine(StPairEnd *end) {
  if (st_runtime_size() == 1)
    return;
  struct {
    double deepest;
    int rank;
  } mine = {end->crossed ? -INFINITY : end->deepest, st_runtime_rank()}, worst;
  MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE_INT, MPI_MINLOC, st_communicator());
  MPI_Bcast(end, (int)sizeof *end, MPI_BYTE, worst.rank, st_communicator());
}

static StStatus measure(StTouchdown *touchdown, const StTouchSet *set, double start,
                        const double *before, const double *after, StError *error) {
  const StContacts *contacts = touchdown->system->contacts;
  StStatus status = st_closing_measure(set, touchdown->system->contact_state, start, before, after,
                                       touchdown->end);
  if (status == ST_NOT_SOLVED)
    st_fail(error, status, "bodies meet exactly");
  else if (status != ST_OK)
    status = st_fail(error, ST_SYSTEM_FAULT, "the contact search ran out of memory");
  ST_TRY(st_runtime_agree(status, error));
  for (int p = 0; p < contacts->pair_count; p++)
    combine(&touchdown->end[p]);
  return ST_OK;
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
// be shot out.
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

// How thick a flat body would be that has as much of both: twice its volume over its surface.
static StStatus thickness_of(const StMesh *mesh, double *thickness, StError *error) {
  int *triangle = NULL, count = 0;
  double volume = 0, area = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  for (int t = 0; t < mesh->tet_count; t++)
    volume += st_tet_volume(mesh->position, mesh->tet + 4 * t);
  for (int t = 0; t < count; t++)
    area += st_triangle_area(mesh->position, triangle + 3 * t);
  free(triangle);
  *thickness = 2 * volume / area;
  return ST_OK;
}

// A smooth surface that reaches through its body takes one face for the other: what it calls an
// overlap is none, and it would throw apart what lies well.
static StStatus tell_blur(const StContacts *contacts, int pair, const StLog *log, StError *error) {
  const StSurface *surface = st_contacts_surface(contacts, pair);
  int body = contacts->pair[pair].desc->body;
  if (!surface || body < 0 || contacts->description->body[body].mesh->tet_count == 0)
    return ST_OK;
  const StBodyDesc *desc = &contacts->description->body[body];
  double thickness, reach = st_surface_radius(surface);
  ST_TRY(thickness_of(desc->mesh, &thickness, error));
  if (reach > thickness)
    st_log(log, ST_WARNING,
           "the triangles of body \"%s\" are too large for contact by smooth surfaces: they are "
           "rounded off over %.3g m, and it is only %.3g m thick; take smaller ones, or "
           "contact.method \"primitives\"",
           desc->name, reach, thickness);
  return ST_OK;
}

StStatus st_touchdown_start(StTouchdown *touchdown, double time, const double *position,
                            const StLog *log, StError *error) {
  const StSystem *system = touchdown->system;
  const StContacts *contacts = system->contacts;
  StContactState *state = system->contact_state;
  if (!contacts)
    return ST_OK;
  st_sides_forget(contacts, state);
  st_contact_state_let_go(state);
  st_contact_state_begin(contacts, state, time, position);
  const StTouchSet *set = st_touches_at(system->touches, time, position, 0);
  ST_TRY(measure(touchdown, set, time, NULL, position, error));
  st_closing_begin(set, touchdown->end, state);
  for (int p = 0; p < contacts->pair_count; p++)
    if (state->pair[p].overlapping) {
      ST_TRY(tell_blur(contacts, p, log, error));
      ST_TRY(judge_overlap(contacts->description, contacts->pair[p].desc, &touchdown->end[p], log,
                           error));
    }
  // Lagged friction acts on the state to start from as on any other.
  return st_touchdown_lag(touchdown, time, position, error);
}

// The step before has been committed: what it leaves held is held from here.
static StStatus take_anchors(const StSystem *system, double time, const double *position,
                             StError *error) {
  if (!system->contact_state->committed)
    return ST_OK;
  const StTouchSet *set = st_touches_at(system->touches, time, position, 0);
  bool good = set->status == ST_OK && st_contact_state_anchor(system->contact_state, set, position);
  return good ? ST_OK : st_fail_memory(error);
}

StStatus st_touchdown_begin_step(StTouchdown *touchdown, double time, const double *position,
                                 StError *error) {
  const StSystem *system = touchdown->system;
  if (!system->contacts)
    return ST_OK;
  ST_TRY(st_runtime_agree(take_anchors(system, time, position, error), error));
  st_contact_state_begin(system->contacts, system->contact_state, time, position);
  return st_touchdown_lag(touchdown, time, position, error);
}

StStatus st_touchdown_lag(StTouchdown *touchdown, double time, const double *position,
                          StError *error) {
  const StSystem *system = touchdown->system;
  const StTouchSet *set = st_touches_at(system->touches, time, position, 0);
  return st_runtime_agree(st_contact_state_lag(system->contact_state, set, error), error);
}

// A step of another size is another matter.
static void begin_judging(StTouchdown *touchdown, double start, double time) {
  if (start == touchdown->start && time == touchdown->time)
    return;
  touchdown->start = start;
  touchdown->time = time;
  touchdown->repeats = 0;
  for (int p = 0; p < touchdown->system->contacts->pair_count; p++)
    touchdown->tried[p] = INFINITY;
}

// Primitives that are close are still apart: nothing is wrong with a step where stiffening them was
// tried as often as the scene allows.
static bool is_tried_enough(const StTouchdown *touchdown) {
  const StContacts *contacts = touchdown->system->contacts;
  return contacts->skins &&
         touchdown->repeats >= contacts->description->contact_settings.max_repeats;
}

StStatus st_touchdown_judge(StTouchdown *touchdown, double start, double time, const double *before,
                            const double *after, StVerdict *verdict, StError *error) {
  const StSystem *system = touchdown->system;
  const StContacts *contacts = system->contacts;
  *verdict = ST_VERDICT_CLEAR;
  if (!contacts)
    return ST_OK;
  const StTouchSet *set = st_touches_at(system->touches, time, after, 0);
  begin_judging(touchdown, start, time);
  ST_TRY(measure(touchdown, set, start, before, after, error));
  for (int p = 0; p < contacts->pair_count; p++)
    if (touchdown->end[p].crossed)
      *verdict = ST_VERDICT_CROSSED;
  if (*verdict == ST_VERDICT_CLEAR && !is_tried_enough(touchdown) &&
      st_closing_stiffen(contacts, system->contact_state, touchdown->end, touchdown->tried) > 0) {
    *verdict = ST_VERDICT_STIFFENED;
    touchdown->repeats++;
  }
  return ST_OK;
}

void st_touchdown_commit(StTouchdown *touchdown, double time, const double *position) {
  const StSystem *system = touchdown->system;
  if (!system->contacts)
    return;
  st_closing_commit(st_touches_at(system->touches, time, position, 0), touchdown->end,
                    system->contact_state);
  system->contact_state->committed = true;
}

// What passed through is worse than what is inside.
static bool is_worse(const StPairEnd *end, const StPairEnd *than) {
  return end->crossed != than->crossed ? end->crossed : end->deepest < than->deepest;
}

void st_touchdown_describe(const StTouchdown *touchdown, char *text, size_t size) {
  const StContacts *contacts = touchdown->system->contacts;
  int worst = 0;
  for (int p = 1; p < contacts->pair_count; p++)
    if (is_worse(&touchdown->end[p], &touchdown->end[worst]))
      worst = p;
  describe_end(contacts->description, contacts->pair[worst].desc, &touchdown->end[worst], text,
               size);
}
