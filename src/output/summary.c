// Writes summary.json. Keys include their unit, numbers are SI.
#include "output/summary.h"

#include "base/file.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "mesh/second_order.h"
#include "model/body.h"
#include "output/series.h"
#include "solve/runtime.h"
#include "step/motion_loss.h"
#include "step/rigidity.h"
#include "step/spin_loss.h"
#include "step/verdict.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stiction_commit.h> // made at every build
#include <time.h>
#include <unistd.h>

typedef struct Sizes {
  long vertices, tets, triangles;
} Sizes;

static Sizes description_sizes(const StDescription *description) {
  Sizes sizes = {0, 0, 0};
  for (int i = 0; i < description->body_count; i++) {
    const StMesh *mesh = description->body[i].mesh;
    sizes.vertices += st_body_vertex_count(&description->body[i]);
    sizes.tets += st_mesh_element_count(mesh);
    sizes.triangles += mesh->triangle_count;
  }
  return sizes;
}

static const char *solver_name(StSolverKind kind) {
  switch (kind) {
  case ST_SOLVER_AUTO: return "auto";
  case ST_SOLVER_DIRECT: return "direct";
  case ST_SOLVER_ITERATIVE: return "iterative";
  }
  return "unknown";
}

// When, where and with which versions: for anyone who finds the folder in a year.
static void add_origin(StJsonOut *out) {
  char date[32] = "", host[256] = "", petsc[96], mpi[96], hdf5[48];
  struct timespec now = {0};
  struct tm utc;
  unsigned major = 0, minor = 0, patch = 0;
  if (clock_gettime(CLOCK_REALTIME, &now) == 0 && gmtime_r(&now.tv_sec, &utc))
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  gethostname(host, sizeof host - 1);
  st_runtime_versions(petsc, mpi, sizeof petsc);
  H5get_libversion(&major, &minor, &patch);
  snprintf(hdf5, sizeof hdf5, "%u.%u.%u", major, minor, patch);
  st_json_string(out, "written", date);
  st_json_string(out, "host", host);
  st_json_string(out, "commit", STICTION_COMMIT);
  StJsonOut libraries = st_json_line(out, "libraries", '{');
  st_json_string(&libraries, "petsc", petsc);
  st_json_string(&libraries, "mpi", mpi);
  st_json_string(&libraries, "hdf5", hdf5);
  st_json_end(&libraries);
}

static void add_tunables(StJsonOut *out, const StDescription *description) {
  StJsonOut tunables = st_json_line(out, "tunables", '{');
  for (int i = 0; i < description->tunable_count; i++) {
    const StTunableSetting *setting = &description->tunable[i];
    st_json_number(&tunables, setting->table->row[setting->row].name, setting->value);
  }
  st_json_end(&tunables);
}

static void add_scene(StJsonOut *out, const StDescription *description) {
  Sizes sizes = description_sizes(description);
  st_json_string(out, "title", description->title ? description->title : "");
  st_json_number(out, "bodies", description->body_count);
  st_json_number(out, "vertices", (double)sizes.vertices);
  st_json_number(out, "tets", (double)sizes.tets);
  st_json_number(out, "triangles", (double)sizes.triangles);
  st_json_string(out, "integrator", description->integrator);
  st_json_string(out, "solver", solver_name(description->solver.kind));
  st_json_number(out, "step_s", description->time.step);
  st_json_number(out, "duration_s", description->time.duration);
  if (description->tunable_count > 0)
    add_tunables(out, description);
}

// The initial frame takes no steps, so it does not count in the time per frame.
static void add_cost(StJsonOut *out, const StSummary *summary) {
  st_json_number(out, "steps", (double)summary->report->step);
  st_json_number(out, "retries", (double)summary->total_retries);
  st_json_number(out, "newton_iterations", (double)summary->total_newton);
  st_json_number(out, "linear_iterations", (double)summary->total_linear);
  st_json_number(out, "frames", summary->frames_written);
  st_json_number(out, "frames_planned", summary->frame_count);
  st_json_number(out, "wall_s", summary->wall_seconds);
  st_json_number(out, "processor_s", summary->processor_seconds);
  st_json_number(out, "wall_per_frame_s",
                 summary->frames_written > 1 ? summary->wall_seconds / (summary->frames_written - 1)
                                             : NAN);
  st_json_number(out, "peak_memory_bytes", (double)summary->peak_memory);
  st_json_number(out, "sent_bytes", summary->sent);
}

static void add_energies(StJsonOut *out, const StReport *report) {
  StJsonOut energy = st_json_lines(out, "energy_J", '{');
  st_json_number(&energy, "kinetic", report->kinetic_energy);
  for (int i = 0; i < report->force_count; i++)
    if (!isnan(report->force_energy[i]))
      st_json_number(&energy, report->force_name[i], report->force_energy[i]);
  st_json_number(&energy, "total", report->total_energy);
  st_json_end(&energy);
}

// External work, what the total gained beyond it, and what backward Euler took.
static void add_energy_balance(StJsonOut *out, const StDescription *description,
                               const StReport *report) {
  const StEnergyRecord *record = report->energy;
  char words[600];
  bool stepped = !isinf(record->largest_gain);
  StJsonOut balance = st_json_lines(out, "energy_balance", '{');
  st_json_number(&balance, "external_work_J", record->work);
  st_json_number(&balance, "largest_gain_J", stepped ? record->largest_gain : NAN);
  st_json_number(&balance, "largest_gain_time_s", stepped ? record->largest_time : NAN);
  st_json_number(&balance, "unexplained_steps", (double)record->unexplained);
  st_json_number(&balance, "unexplained_gain_J", record->unexplained_energy);
  st_json_number(&balance, "numerical_loss_J", report->loss->taken);
  st_json_number(&balance, "numerical_loss_of_motion", st_motion_loss_share(report->loss, 0));
  st_motion_loss_words(description, report->loss, words, sizeof words);
  if (words[0])
    st_json_string(&balance, "warning", words);
  st_json_end(&balance);
}

static void add_rigidity(StJsonOut *out, const StDescription *description,
                         const StRigidRecord *record) {
  char words[400];
  st_rigidity_words(description, record, words, sizeof words);
  StJsonOut rigid = st_json_lines(out, "rigid", '{');
  st_json_number(&rigid, "largest_strain", record->strain);
  st_json_number(&rigid, "time_s", record->time);
  st_json_string(&rigid, "body", description->body[record->body].name);
  if (words[0])
    st_json_string(&rigid, "warning", words);
  st_json_end(&rigid);
}

static void add_spin(StJsonOut *out, const StDescription *description, const StSpinRecord *record) {
  char words[600];
  st_spin_loss_words(description, record, words, sizeof words);
  StJsonOut rotation = st_json_lines(out, "rotation", '{');
  st_json_string(&rotation, "body", description->body[record->body].name);
  st_json_number(&rotation, "time_s", record->time);
  st_json_number(&rotation, "speed_rad_per_s", record->speed);
  st_json_number(&rotation, "energy_loss", record->lost);
  st_json_number(&rotation, "energy_loss_by_end", record->until_end);
  st_json_string(&rotation, "warning", words);
  st_json_end(&rotation);
}

// How steps were solved, and why attempts at them were rejected.
static void add_recovery(StJsonOut *out, const StRecoveryRecord *record) {
  StJsonOut recovery = st_json_lines(out, "recovery", '{');
  StJsonOut solved = st_json_line(&recovery, "steps_solved", '{');
  for (int i = 0; i < ST_RUNG_COUNT; i++)
    st_json_number(&solved, st_rungs[i].name, (double)record->solved[i]);
  st_json_end(&solved);
  StJsonOut rejected = st_json_line(&recovery, "attempts_rejected", '{');
  for (int i = ST_OUTCOME_GOOD + 1; i < ST_OUTCOME_COUNT; i++)
    st_json_number(&rejected, st_outcome_names[i], (double)record->rejected[i]);
  st_json_end(&rejected);
  st_json_number(&recovery, "most_newton_iterations", record->most_iterations);
  st_json_number(&recovery, "most_newton_iterations_time_s", record->most_time);
  st_json_end(&recovery);
}

static void add_range(StJsonOut *out, const char *key, const StCourseRange *range) {
  StJsonOut part = st_json_line(out, key, '{');
  st_json_number(&part, "first", range->first);
  st_json_number(&part, "last", range->last);
  st_json_number(&part, "least", range->least);
  st_json_number(&part, "most", range->most);
  st_json_end(&part);
}

static void add_zones(StJsonOut *out, const StDescription *description,
                      const StZoneCourse *course) {
  StJsonOut volumes = st_json_lines(out, "volumes", '{');
  for (int i = 0; i < course->zone_count; i++) {
    const StVolumeDesc *desc = &description->volume[i];
    StZoneFigures figures = st_zone_figures(course, i);
    StJsonOut zone = st_json_lines(&volumes, desc->name, '{');
    st_json_string(&zone, "model", desc->model.name);
    st_json_number(&zone, "rest_volume_m3", desc->rest_volume);
    st_json_number(&zone, "outside_pressure_Pa", desc->outside_pressure);
    add_range(&zone, "volume_m3", &figures.volume);
    add_range(&zone, "pressure_Pa", &figures.pressure);
    st_json_number(&zone, "pressure_volume_spread", figures.product_spread);
    st_json_number(&zone, "volume_loss_percent", 100 * figures.loss);
    st_json_number(&zone, "largest_volume_loss_percent", 100 * figures.largest_loss);
    st_json_end(&zone);
  }
  st_json_end(&volumes);
}

static void add_triple(StJsonOut *out, const char *key, const double value[3]) {
  StJsonOut triple = st_json_line(out, key, '[');
  for (int k = 0; k < 3; k++)
    st_json_number(&triple, NULL, value[k]);
  st_json_end(&triple);
}

static void add_actions(StJsonOut *out, const StReport *report, bool joints) {
  StJsonOut actions = st_json_lines(out, joints ? "joints" : "loads", '{');
  for (int i = 0; i < report->action_count; i++) {
    const StActionReport *action = &report->action[i];
    if (action->joint != joints)
      continue;
    StJsonOut one = st_json_lines(&actions, action->name, '{');
    add_triple(&one, "force_N", action->action.force);
    add_triple(&one, "torque_N_m", action->action.torque);
    if (joints)
      st_json_number(&one, "travel", action->action.travel);
    st_json_end(&one);
  }
  st_json_end(&actions);
}

// Reactions of boundaries or obstacles in the last step.
static void add_reactions(StJsonOut *out, const StReport *report, bool obstacles) {
  StJsonOut reactions =
      st_json_lines(out, obstacles ? "obstacle_reactions" : "boundary_reactions", '{');
  for (int i = 0; i < report->reaction_count; i++) {
    const StReactionReport *reaction = &report->reaction[i];
    if (reaction->obstacle != obstacles)
      continue;
    StJsonOut one = st_json_lines(&reactions, reaction->name, '{');
    add_triple(&one, "force_N", reaction->force);
    add_triple(&one, "torque_N_m", reaction->torque);
    st_json_end(&one);
  }
  st_json_end(&reactions);
}

static bool has_reactions(const StReport *report, bool obstacles) {
  for (int i = 0; i < report->reaction_count; i++)
    if (report->reaction[i].obstacle == obstacles)
      return true;
  return false;
}

static bool has_actions(const StReport *report, bool joints) {
  for (int i = 0; i < report->action_count; i++)
    if (report->action[i].joint == joints)
      return true;
  return false;
}

static void add_bearings(StJsonOut *out, const StReport *report) {
  StJsonOut bearings = st_json_lines(out, "bearings", '{');
  for (int i = 0; i < report->bearing_count; i++) {
    const StBearingReport *bearing = &report->bearing[i];
    StJsonOut one = st_json_lines(&bearings, bearing->name, '{');
    st_json_number(&one, "angle_rad", bearing->angle);
    st_json_number(&one, "speed_rad_per_s", bearing->speed);
    st_json_number(&one, "torque_N_m", bearing->torque);
    st_json_end(&one);
  }
  st_json_end(&bearings);
}

static void add_finding(StJsonOut *out, const StDescription *description, const char *key,
                        const StFindingRecord *finding) {
  char pair[512];
  bool any = finding->states > 0;
  if (any)
    st_verdict_pair(description, finding, pair, sizeof pair);
  StJsonOut one = st_json_lines(out, key, '{');
  st_json_number(&one, "states", (double)finding->states);
  st_json_number(&one, "most", (double)finding->most);
  st_json_number(&one, "most_time_s", any ? finding->most_time : NAN);
  st_json_number(&one, "first_time_s", any ? finding->first_time : NAN);
  st_json_string(&one, "first", any ? pair : NULL);
  st_json_end(&one);
}

// The checks and findings of the judge.
static void add_judge(StJsonOut *out, const StDescription *description, const StReport *report) {
  static const char *const mode[] = {"step", "frame", "off"};
  const StJudgeRecord *judged = report->judged;
  char words[ST_VERDICT_SIZE];
  st_verdict_words(description, judged, report->record, words, sizeof words);
  st_json_string(out, "verdict", words);
  StJsonOut judge = st_json_lines(out, "judge", '{');
  st_json_string(&judge, "checked", mode[report->judge.mode]);
  st_json_number(&judge, "states", (double)(judged->starts + judged->steps));
  st_json_number(&judge, "states_with_findings", (double)judged->found);
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    add_finding(&judge, description, st_finding_name[k], &judged->kind[k]);
  st_json_end(&judge);
}

// The certificate: the worst of all committed steps.
static void add_contact(StJsonOut *out, const StContactRecord *record) {
  StJsonOut contact = st_json_lines(out, "contact", '{');
  st_json_number(&contact, "deepest_gap_m", record->deepest_gap);
  st_json_number(&contact, "deepest_gap_time_s",
                 record->deepest_vertex < 0 ? NAN : record->deepest_time);
  st_json_number(&contact, "overlapping_steps", (double)record->overlapping_steps);
  st_json_number(&contact, "cone_violation_N", record->cone_violation);
  st_json_number(&contact, "friction_power_W", record->friction_power);
  st_json_number(&contact, "pair_net_force_N", record->pair_net_force);
  st_json_number(&contact, "normal_force_error_N", record->normal_force_error);
  st_json_number(&contact, "creep_speed_m_per_s", record->creep_speed);
  st_json_number(&contact, "sticking_speed_m_per_s", record->sticking_speed);
  st_json_number(&contact, "held_displacement_m", record->held_displacement);
  st_json_number(&contact, "stiffness_growth", record->stiffness_growth);
  st_json_number(&contact, "repeats", (double)record->repeats);
  st_json_end(&contact);
}

static void add_files(StJsonOut *out, const StSummary *summary) {
  bool hdf = summary->series && st_series_format(summary->series) == ST_FRAMES_VTKHDF;
  StJsonOut files = st_json_lines(out, "files", '{');
  st_json_string(&files, "series", summary->series);
  st_json_string(&files, "frames", hdf ? "frames/frame_*.vtkhdf" : "frames/frame_*.vtu");
  st_json_string(&files, "history", "history.csv");
  st_json_string(&files, "checkpoint", "checkpoint.h5");
  st_json_end(&files);
}

StStatus st_summary_write(const char *path, const StSummary *summary, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  StJsonOut out = st_json_begin(&text, '{', 2);
  st_json_string(&out, "stiction", STICTION_VERSION);
  st_json_string(&out, "status", summary->state);
  st_json_string(&out, "reason", summary->reason);
  add_origin(&out);
  add_scene(&out, summary->description);
  st_json_number(&out, "ranks", summary->ranks);
  st_json_number(&out, "threads", summary->threads);
  st_json_number(&out, "time_s", summary->report->time);
  add_cost(&out, summary);
  add_energies(&out, summary->report);
  if (summary->report->energy)
    add_energy_balance(&out, summary->description, summary->report);
  if (summary->report->recovery)
    add_recovery(&out, summary->report->recovery);
  if (summary->report->rigidity && summary->report->rigid_count > 0)
    add_rigidity(&out, summary->description, summary->report->rigidity);
  if (summary->report->spin && summary->report->spin->body >= 0)
    add_spin(&out, summary->description, summary->report->spin);
  if (summary->zones)
    add_zones(&out, summary->description, summary->zones);
  if (summary->report->bearing_count > 0)
    add_bearings(&out, summary->report);
  for (int joints = 0; joints < 2; joints++)
    if (has_actions(summary->report, joints))
      add_actions(&out, summary->report, joints);
  for (int obstacles = 0; obstacles < 2; obstacles++)
    if (has_reactions(summary->report, obstacles))
      add_reactions(&out, summary->report, obstacles);
  if (summary->report->judged)
    add_judge(&out, summary->description, summary->report);
  if (summary->report->record)
    add_contact(&out, summary->report->record);
  add_files(&out, summary);
  st_json_end(&out);
  st_text_add(&text, "\n");
  return text.failed ? st_fail_memory(error) : st_file_write(path, text.data, text.length, error);
}
