// Combines the read-outs of all ranks.
#include "step/certificate.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/text.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "solve/runtime.h"
#include "step/rows.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const StContactRecord NOTHING_YET = {.cone_violation = NAN,
                                            .friction_power = NAN,
                                            .deepest_gap = NAN,
                                            .deepest_vertex = -1,
                                            .stiffness_growth = 1};

static char *pair_name(const StDescription *description, const StContactDesc *desc) {
  StText text = {0};
  st_text_add(&text, "%s|%s", description->body[desc->collider].name,
              desc->body >= 0 ? description->body[desc->body].name
                              : description->obstacle[desc->obstacle].name);
  char *name = text.failed ? NULL : st_copy_string(text.data);
  st_text_free(&text);
  return name;
}

static bool add_report(StCertificate *certificate, int at, int pair) {
  const StDescription *description = certificate->system->description;
  StContactDesc desc = st_pair_law(description, pair);
  char *name = pair_name(description, &desc);
  if (!name ||
      !ST_GROW(certificate->pair, certificate->pair_capacity, certificate->pair_count + 1)) {
    free(name);
    return false;
  }
  StPairReport *report = certificate->pair + at;
  memmove(report + 1, report, (size_t)(certificate->pair_count++ - at) * sizeof *report);
  *report = (StPairReport){.pair = pair, .name = name, .itself = desc.body == desc.collider};
  return true;
}

static bool build(StCertificate *certificate) {
  const StDescription *description = certificate->system->description;
  int next = st_pair_next(description, 0);
  certificate->record = NOTHING_YET;
  certificate->mean =
      ST_OWN(certificate, double, 3 * (size_t)certificate->system->piece->vertex_count);
  bool good = st_owner_is_whole(certificate);
  for (; good && next != ST_NO_PAIR && certificate->pair_count < ST_REPORT_PAIRS;
       next = st_pair_next(description, next + 1))
    good = add_report(certificate, certificate->pair_count, next);
  return good;
}

StStatus st_certificate_create(const StSystem *system, StCertificate **result, StError *error) {
  *result = NULL;
  if (!system->contacts)
    return ST_OK;
  StCertificate *certificate = ST_OWNER(StCertificate);
  ST_TRY(st_owner_give(certificate, result, error));
  certificate->system = system;
  return build(certificate) ? ST_OK : st_fail_memory(error);
}

void st_certificate_destroy(StCertificate *certificate) {
  if (!certificate)
    return;
  for (int p = 0; p < certificate->pair_count; p++)
    free((char *)certificate->pair[p].name);
  free(certificate->pair);
  free(certificate->touching);
  st_pair_readouts_free(&certificate->sum);
  st_owner_free(certificate);
}

// Of equally deep vertices the lowest counts, so that the result is the same for any partition.
static void combine(StContactExtremes *worst) {
  if (st_runtime_size() == 1)
    return;
  double mine = worst->deepest_gap;
  double largest[6] = {worst->cone_violation, worst->normal_force_error,
                       worst->creep_speed,    -mine,
                       worst->displacement,   worst->factor};
  st_runtime_max_all(largest, 6);
  int vertex = mine == -largest[3] && worst->deepest_vertex >= 0 ? worst->deepest_vertex : INT_MAX;
  vertex = st_runtime_least(vertex);
  *worst = (StContactExtremes){.cone_violation = largest[0],
                               .normal_force_error = largest[1],
                               .creep_speed = largest[2],
                               .displacement = largest[4],
                               .factor = largest[5],
                               .deepest_gap = -largest[3],
                               .deepest_vertex = vertex == INT_MAX ? -1 : vertex};
}

static StStatus combine_pairs(StPairReadouts *sum, StError *error) {
  ST_TRY(ST_ROWS_GATHER(sum->row, sum->capacity, sum->count, error));
  if (st_runtime_size() > 1)
    st_pair_readouts_merge(sum);
  return ST_OK;
}

static double or_nan(double value) {
  return isinf(value) ? NAN : value;
}

static void report_pair(const StPairReadout *sum, StPairReport *pair) {
  pair->touching = (int)sum->touching;
  pair->sticking = (int)sum->sticking;
  pair->normal_force = sum->normal_force;
  vec3_copy(sum->friction, pair->friction);
  vec3_copy(sum->force, pair->force);
  vec3_copy(sum->torque, pair->torque);
  vec3_copy(sum->other_torque, pair->other_torque);
}

// growth: of the pair's stiffness.
static void add_pair(const StPairReadout *sum, double growth, StContactReport *all) {
  all->touching += (int)sum->touching;
  all->sticking += (int)sum->sticking;
  all->normal_force += sum->normal_force;
  all->friction_force += sum->friction_size;
  all->friction_power += sum->power;
  all->pair_net_force = fmax(all->pair_net_force, vec3_length(sum->net));
  all->stiffness_growth = fmax(all->stiffness_growth, growth);
}

// Clears the previous values of the pairs.
static void clear_pairs(StCertificate *certificate) {
  for (int i = 0; i < certificate->sum.count; i++) {
    StPairReport *pair = &certificate->pair[certificate->touching[i]];
    *pair = (StPairReport){.pair = pair->pair, .name = pair->name, .itself = pair->itself};
  }
  certificate->sum.count = 0;
}

// NULL: no step.
static const double *find_mean(StCertificate *certificate, const StStepTaken *step) {
  const StSystem *system = certificate->system;
  if (!step)
    return NULL;
  for (int i = 0; i < 3 * system->piece->owned_count; i++)
    certificate->mean[i] = 0.5 * (step->before[i] + step->after[i]);
  st_exchange_forward(system->exchange, certificate->mean);
  st_piece_follow(system->piece, certificate->mean);
  return certificate->mean;
}

// The place of a pair's report, or where it has to be entered.
static int find_report(const StCertificate *certificate, int pair) {
  return st_find_row(certificate->pair, certificate->pair_count, sizeof(StPairReport),
                     offsetof(StPairReport, pair), pair);
}

// A pair's report, made if it has none; -1: no memory.
static int enter_report(StCertificate *certificate, int pair) {
  int at = find_report(certificate, pair);
  bool known = at < certificate->pair_count && certificate->pair[at].pair == pair;
  return known || add_report(certificate, at, pair) ? at : -1;
}

// Enters pairs that touch or strike for the first time, and finds the places of those that touch.
static bool find_reports(StCertificate *certificate, const StStepTaken *step) {
  const StPairReadouts *sum = &certificate->sum;
  bool good = ST_GROW(certificate->touching, certificate->touching_capacity, sum->count);
  for (int i = 0; step && i < step->loss_count && good; i++)
    good = enter_report(certificate, step->loss[i].pair) >= 0;
  for (int i = 0; i < sum->count && good; i++) {
    certificate->touching[i] = enter_report(certificate, sum->row[i].pair);
    good = certificate->touching[i] >= 0; // rows ascend: later ones do not move it
  }
  return good;
}

static void report_losses(StCertificate *certificate, const StStepTaken *step) {
  for (int i = 0; i < certificate->pair_count; i++)
    certificate->pair[i].lost = 0;
  for (int i = 0; i < certificate->sum.count && step; i++)
    certificate->pair[certificate->touching[i]].lost = step->h * certificate->sum.row[i].lost_power;
  for (int i = 0; step && i < step->loss_count; i++)
    certificate->pair[find_report(certificate, step->loss[i].pair)].lost += step->loss[i].lost;
}

static void report_pairs(StCertificate *certificate, StContactReport *all) {
  const StSystem *system = certificate->system;
  for (int i = 0; i < certificate->sum.count; i++) {
    const StPairReadout *sum = &certificate->sum.row[i];
    StPairReport *report = &certificate->pair[certificate->touching[i]];
    StContactDesc desc = st_pair_law(system->description, sum->pair);
    report_pair(sum, report);
    if (desc.body < 0)
      vec3_set(0, 0, 0, report->other_torque);
    double stiffness =
        st_contact_state_stiffness(system->contacts, system->contact_state, sum->pair);
    add_pair(sum, stiffness / desc.stiffness, all);
  }
}

StStatus st_certificate_measure(StCertificate *certificate, const StPoint *at,
                                const StStepTaken *step, StReport *report, StError *error) {
  if (!certificate)
    return ST_OK;
  const StContacts *contacts = certificate->system->contacts;
  StContactExtremes worst;
  clear_pairs(certificate);
  StStatus status = st_readout_pairs(at->contact_set, at->position, at->velocity,
                                     find_mean(certificate, step), &certificate->sum, &worst);
  ST_TRY(st_runtime_agree(status == ST_OK ? ST_OK : st_fail_memory(error), error));
  ST_TRY(combine_pairs(&certificate->sum, error));
  if (!find_reports(certificate, step)) {
    certificate->sum.count = 0;
    return st_fail_memory(error);
  }
  combine(&worst);
  StContactReport *all = &report->contact;
  *all = (StContactReport){.cone_violation = or_nan(worst.cone_violation),
                           .normal_force_error = worst.normal_force_error,
                           .creep_speed = worst.creep_speed,
                           .held_displacement = worst.displacement,
                           .deepest_gap = or_nan(worst.deepest_gap),
                           .deepest_vertex = worst.deepest_vertex,
                           .sticking_speed = contacts->sticking_speed,
                           .stiffness_growth = worst.factor};
  report_pairs(certificate, all);
  report_losses(certificate, step);
  report->possible_pairs = st_pairs_count(certificate->system->description);
  report->pair_count = certificate->pair_count;
  report->touching_count = certificate->sum.count;
  report->touching = certificate->touching;
  report->pair = certificate->pair;
  report->record = &certificate->record;
  return ST_OK;
}

// fmax and fmin ignore NAN, so missing values do not matter.
void st_certificate_count(StCertificate *certificate, StReport *report, int repeats) {
  if (!certificate)
    return;
  StContactRecord *record = &certificate->record;
  StContactReport *step = &report->contact;
  step->repeats = repeats;
  record->repeats += repeats;
  record->cone_violation = fmax(record->cone_violation, step->cone_violation);
  record->friction_power = fmax(record->friction_power, step->friction_power);
  record->pair_net_force = fmax(record->pair_net_force, step->pair_net_force);
  record->normal_force_error = fmax(record->normal_force_error, step->normal_force_error);
  record->creep_speed = fmax(record->creep_speed, step->creep_speed);
  record->held_displacement = fmax(record->held_displacement, step->held_displacement);
  record->sticking_speed = fmax(record->sticking_speed, step->sticking_speed);
  record->stiffness_growth = fmax(record->stiffness_growth, step->stiffness_growth);
  if (step->deepest_vertex >= 0 && !(step->deepest_gap >= record->deepest_gap)) {
    record->deepest_gap = step->deepest_gap;
    record->deepest_vertex = step->deepest_vertex;
    record->deepest_time = report->time;
  }
  record->overlapping = step->deepest_gap < 0;
  record->overlapping_steps += record->overlapping;
  if (record->overlapping)
    record->overlap_time = report->time;
}

// One column of the gathered numbers.
static double *column_of(const double *whole, int count, int column) {
  double *values = ST_NEW(double, count);
  for (int i = 0; values && i < count; i++)
    values[i] = whole[ST_READOUT_WIDTH * (size_t)i + (size_t)column];
  return values;
}

static StStatus take_apart(const double *whole, StSnapshot *snapshot, StError *error) {
  int count = snapshot->vertex_count;
  snapshot->contact_normal_force = column_of(whole, count, ST_READOUT_NORMAL_FORCE);
  snapshot->contact_gap = column_of(whole, count, ST_READOUT_GAP);
  snapshot->slip_speed = column_of(whole, count, ST_READOUT_SLIP_SPEED);
  snapshot->held_displacement = column_of(whole, count, ST_READOUT_HELD);
  snapshot->contact_state = ST_NEW(int, count);
  if (!snapshot->contact_normal_force || !snapshot->contact_gap || !snapshot->slip_speed ||
      !snapshot->held_displacement || !snapshot->contact_state)
    return st_fail_memory(error);
  for (int i = 0; i < count; i++)
    snapshot->contact_state[i] = (int)whole[ST_READOUT_WIDTH * (size_t)i + ST_READOUT_STATE];
  return ST_OK;
}

StStatus st_certificate_gather(const StCertificate *certificate, const StGather *gather,
                               const StPoint *at, StSnapshot *snapshot, StError *error) {
  if (!certificate)
    return ST_OK;
  const StSystem *system = certificate->system;
  ST_FREE double *local = ST_NEW(double, ST_READOUT_WIDTH *(size_t)system->piece->owned_count);
  ST_FREE double *whole = NULL;
  StStatus status = ST_SYSTEM_FAULT;
  if (local)
    status = st_readout_vertices(at->contact_set, at->position, at->velocity, local);
  ST_TRY(st_runtime_agree(status == ST_OK ? ST_OK : st_fail_memory(error), error));
  ST_TRY(st_gather_vertices(gather, local, ST_READOUT_WIDTH, &whole, error));
  return st_runtime_agree(whole ? take_apart(whole, snapshot, error) : ST_OK, error);
}

void st_certificate_words(const StDescription *description, const StContactRecord *record,
                          char *text, size_t size) {
  char vertex[160];
  if (record->deepest_vertex < 0) {
    snprintf(text, size, "By contact's own measure nothing touched.");
    return;
  }
  st_description_name_vertex(description, record->deepest_vertex, vertex, sizeof vertex);
  if (record->overlapping_steps == 0)
    snprintf(text, size, "By contact's own measure the smallest gap was %.3g m (%s, t = %.6g s).",
             record->deepest_gap, vertex, record->deepest_time);
  else if (record->overlapping)
    snprintf(text, size,
             "By contact's own measure the overlap the scene began with is still being pushed out "
             "at t = %.6g s; %s was %.3g m inside at t = %.6g s, the deepest.",
             record->overlap_time, vertex, -record->deepest_gap, record->deepest_time);
  else
    snprintf(text, size,
             "By contact's own measure the overlap the scene began with lasted until t = %.6g s "
             "(deepest: %s, %.3g m inside at t = %.6g s).",
             record->overlap_time, vertex, -record->deepest_gap, record->deepest_time);
}
