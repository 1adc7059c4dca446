// Reports, field by field.
#include "api/public_report.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>

StStatus st_public_report_create(const StReport *like, StPublicReport *report, StError *error) {
  *report = (StPublicReport){.volume = ST_NEW(StictionVolumeReport, like->zone_count),
                             .bearing = ST_NEW(StictionBearingReport, like->bearing_count),
                             .action = ST_NEW(StictionActionReport, like->action_count),
                             .reaction = ST_NEW(StictionReactionReport, like->reaction_count),
                             .body = ST_NEW(StictionBodyReport, like->body_count),
                             .probe = ST_NEW(StictionProbeReport, like->probe_count)};
  bool good = report->volume && report->bearing && report->action && report->reaction &&
              report->body && report->probe;
  return good ? ST_OK : st_fail_memory(error);
}

void st_public_report_free(StPublicReport *report) {
  free(report->volume);
  free(report->bearing);
  free(report->action);
  free(report->reaction);
  free(report->pair);
  free(report->body);
  free(report->probe);
  *report = (StPublicReport){0};
}

static void fill_motion(const StReport *from, StictionReport *to) {
  to->step = from->step;
  to->time = from->time;
  to->step_size = from->h;
  to->newton_iterations = from->newton_iterations;
  to->linear_iterations = from->linear_iterations;
  to->residual_evaluations = from->residual_evaluations;
  to->retries = from->retries;
  to->solved_by = st_rungs[from->rung].name;
  to->residual = from->residual;
  to->seconds = from->seconds;
  to->kinetic_energy = from->kinetic_energy;
  to->total_energy = from->total_energy;
  to->external_work = from->external_work;
  to->energy_gain = from->energy_gain;
  to->energy_error = from->energy_error;
  to->tet_volume = from->volume;
  vec3_copy(from->momentum, to->momentum);
  vec3_copy(from->angular_momentum, to->angular_momentum);
  vec3_copy(from->centre_of_mass, to->centre_of_mass);
}

static void fill_parts(const StReport *from, StPublicReport *to) {
  for (int i = 0; i < from->force_count; i++)
    to->force[i] = (StictionForceReport){from->force_name[i], from->force_energy[i]};
  for (int i = 0; i < from->zone_count; i++)
    to->volume[i] =
        (StictionVolumeReport){from->zone[i].name, from->zone[i].volume, from->zone[i].pressure};
  for (int i = 0; i < from->bearing_count; i++) {
    const StBearingReport *bearing = &from->bearing[i];
    to->bearing[i] =
        (StictionBearingReport){bearing->name, bearing->angle, bearing->speed, bearing->torque};
  }
  for (int i = 0; i < from->action_count; i++) {
    const StActionReport *action = &from->action[i];
    to->action[i] = (StictionActionReport){
        .name = action->name, .joint = action->joint, .travel = action->action.travel};
    vec3_copy(action->action.force, to->action[i].force);
    vec3_copy(action->action.torque, to->action[i].torque);
  }
  for (int i = 0; i < from->reaction_count; i++) {
    const StReactionReport *reaction = &from->reaction[i];
    to->reaction[i] =
        (StictionReactionReport){.name = reaction->name, .obstacle = reaction->obstacle};
    vec3_copy(reaction->force, to->reaction[i].force);
    vec3_copy(reaction->torque, to->reaction[i].torque);
  }
}

// Returns the number of pairs.
static int fill_pairs(const StReport *from, StPublicReport *to) {
  int count = from->pair_count;
  if (!st_grow((void **)&to->pair, &to->pair_capacity, (size_t)count, sizeof *to->pair))
    count = (int)to->pair_capacity;
  for (int i = 0; i < count; i++) {
    const StPairReport *pair = &from->pair[i];
    to->pair[i] = (StictionPairReport){.name = pair->name,
                                       .touching = pair->touching,
                                       .sticking = pair->sticking,
                                       .normal_force = pair->normal_force,
                                       .lost = pair->lost};
    vec3_copy(pair->friction, to->pair[i].friction);
    vec3_copy(pair->force, to->pair[i].force);
    vec3_copy(pair->torque, to->pair[i].torque);
    vec3_copy(pair->other_torque, to->pair[i].other_torque);
  }
  return count;
}

static void fill_body(const StBodyReport *from, StictionBodyReport *to) {
  *to = (StictionBodyReport){.name = from->name,
                             .mass = from->mass,
                             .volume = from->volume,
                             .kinetic_energy = from->kinetic_energy,
                             .elastic_energy = from->elastic_energy,
                             .potential_energy = from->potential_energy};
  vec3_copy(from->centre, to->centre);
  vec3_copy(from->velocity, to->velocity);
  vec3_copy(from->momentum, to->momentum);
  vec3_copy(from->angular_momentum, to->angular_momentum);
  vec3_copy(from->contact_force, to->contact_force);
  vec3_copy(from->contact_torque, to->contact_torque);
}

static void fill_bodies(const StReport *from, StPublicReport *to) {
  for (int i = 0; i < from->body_count; i++)
    fill_body(&from->body[i], &to->body[i]);
  for (int i = 0; i < from->probe_count; i++) {
    const StProbeReport *probe = &from->probe[i];
    to->probe[i] = (StictionProbeReport){.name = probe->name, .distance = probe->distance};
    vec3_copy(probe->point, to->probe[i].point);
    vec3_copy(probe->velocity, to->probe[i].velocity);
  }
}

static void fill_contact(const StContactReport *from, StictionContactReport *to) {
  *to = (StictionContactReport){
      .touching = from->touching,
      .sticking = from->sticking,
      .normal_force = from->normal_force,
      .friction_force = from->friction_force,
      .cone_violation = from->cone_violation,
      .friction_power = from->friction_power,
      .pair_net_force = from->pair_net_force,
      .normal_force_error = from->normal_force_error,
      .deepest_gap = from->deepest_gap,
      .deepest_vertex = from->deepest_vertex,
      .creep_speed = from->creep_speed,
      .held_displacement = from->held_displacement,
      .sticking_speed = from->sticking_speed,
      .stiffness_growth = from->stiffness_growth,
      .repeats = from->repeats,
  };
}

static void fill_certificate(const StContactRecord *from, StictionCertificate *to) {
  *to = (StictionCertificate){
      .deepest_gap = from->deepest_gap,
      .deepest_time = from->deepest_time,
      .deepest_vertex = from->deepest_vertex,
      .overlapping_steps = from->overlapping_steps,
      .cone_violation = from->cone_violation,
      .friction_power = from->friction_power,
      .pair_net_force = from->pair_net_force,
      .normal_force_error = from->normal_force_error,
      .creep_speed = from->creep_speed,
      .held_displacement = from->held_displacement,
  };
}

static void fill_judge(const StReport *from, StictionReport *to) {
  long now[ST_FOUND_KINDS], most[ST_FOUND_KINDS];
  double first = NAN;
  for (int k = 0; k < ST_FOUND_KINDS; k++) {
    const StFindingRecord *record = &from->judged->kind[k];
    now[k] = from->judge.checked ? from->judge.found.kind[k].count : 0;
    most[k] = record->most;
    first = record->states > 0 ? fmin(first, record->first_time) : first;
  }
  to->judge = (StictionJudgeReport){from->judge.checked,         now[ST_FOUND_CROSSING],
                                    now[ST_FOUND_SELF_CROSSING], now[ST_FOUND_OBSTACLE_CROSSING],
                                    now[ST_FOUND_INSIDE],        now[ST_FOUND_INVERTED],
                                    now[ST_FOUND_PASSAGE]};
  to->judged = (StictionJudgeRecord){.states = from->judged->starts + from->judged->steps,
                                     .findings = from->judged->found,
                                     .crossings = most[ST_FOUND_CROSSING],
                                     .self_crossings = most[ST_FOUND_SELF_CROSSING],
                                     .obstacle_crossings = most[ST_FOUND_OBSTACLE_CROSSING],
                                     .vertices_inside = most[ST_FOUND_INSIDE],
                                     .inverted_tets = most[ST_FOUND_INVERTED],
                                     .passages = most[ST_FOUND_PASSAGE],
                                     .first_time = first};
}

void st_public_report_fill(const StReport *from, StPublicReport *to) {
  int pairs = fill_pairs(from, to);
  to->report = (StictionReport){.force_count = from->force_count,
                                .force = to->force,
                                .volume_count = from->zone_count,
                                .volume = to->volume,
                                .bearing_count = from->bearing_count,
                                .bearing = to->bearing,
                                .action_count = from->action_count,
                                .action = to->action,
                                .has_contact = from->record != NULL,
                                .pair_count = pairs,
                                .pair = to->pair,
                                .body_count = from->body_count,
                                .body = to->body,
                                .probe_count = from->probe_count,
                                .probe = to->probe,
                                .reaction_count = from->reaction_count,
                                .reaction = to->reaction};
  fill_motion(from, &to->report);
  fill_parts(from, to);
  fill_bodies(from, to);
  fill_judge(from, &to->report);
  if (!from->record)
    return;
  fill_contact(&from->contact, &to->report.contact);
  fill_certificate(from->record, &to->report.certificate);
}
