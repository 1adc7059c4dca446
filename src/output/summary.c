// Writes summary.json. Keys include their unit, numbers are SI.
#include "output/summary.h"

#include "base/file.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "model/body.h"
#include "output/series.h"
#include "solve/runtime.h"
#include "step/rigidity.h"
#include "step/spin_loss.h"
#include "step/verdict.h"

#include <hdf5.h>
#include <math.h>
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
    sizes.tets += mesh->tet_count;
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

// Indentation of nested objects.
enum { OUTER = 2, MEMBER = 4, FIGURE = 6 };

static void add_field(StText *text, int indent, const char *key, double value) {
  st_text_add(text, ",\n%*s\"%s\": ", indent, "", key);
  st_json_text_add_number(text, value);
}

static void add_key(StText *text, const char *key) {
  st_text_add(text, ",\n  \"%s\": ", key);
}

static void add_string(StText *text, const char *key, const char *value) {
  add_key(text, key);
  st_json_text_add_string(text, value);
}

static void add_number(StText *text, const char *key, double value) {
  add_field(text, OUTER, key, value);
}

// When, where and with which versions: for anyone who finds the folder in a year.
static void add_origin(StText *text) {
  char date[32] = "", host[256] = "", petsc[96], mpi[96];
  struct timespec now = {0};
  struct tm utc;
  unsigned major = 0, minor = 0, patch = 0;
  if (clock_gettime(CLOCK_REALTIME, &now) == 0 && gmtime_r(&now.tv_sec, &utc))
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  gethostname(host, sizeof host - 1);
  st_runtime_versions(petsc, mpi, sizeof petsc);
  H5get_libversion(&major, &minor, &patch);
  add_string(text, "written", date);
  add_string(text, "host", host);
  add_string(text, "commit", STICTION_COMMIT);
  add_key(text, "libraries");
  st_text_add(text, "{\"petsc\": ");
  st_json_text_add_string(text, petsc);
  st_text_add(text, ", \"mpi\": ");
  st_json_text_add_string(text, mpi);
  st_text_add(text, ", \"hdf5\": \"%u.%u.%u\"}", major, minor, patch);
}

static void add_tunables(StText *text, const StDescription *description) {
  add_key(text, "tunables");
  st_text_add(text, "{");
  for (int i = 0; i < description->tunable_count; i++) {
    const StTunableSetting *setting = &description->tunable[i];
    st_text_add(text, "%s\"%s\": ", i ? ", " : "", setting->table->row[setting->row].name);
    st_json_text_add_number(text, setting->value);
  }
  st_text_add(text, "}");
}

static void add_scene(StText *text, const StDescription *description) {
  Sizes sizes = description_sizes(description);
  add_string(text, "title", description->title ? description->title : "");
  add_number(text, "bodies", description->body_count);
  add_number(text, "vertices", (double)sizes.vertices);
  add_number(text, "tets", (double)sizes.tets);
  add_number(text, "triangles", (double)sizes.triangles);
  add_string(text, "integrator", description->integrator);
  add_string(text, "solver", solver_name(description->solver.kind));
  add_number(text, "step_s", description->time.step);
  add_number(text, "duration_s", description->time.duration);
  if (description->tunable_count > 0)
    add_tunables(text, description);
}

// The initial frame takes no steps, so it does not count in the time per frame.
static void add_cost(StText *text, const StSummary *summary) {
  add_number(text, "steps", (double)summary->report->step);
  add_number(text, "retries", (double)summary->total_retries);
  add_number(text, "newton_iterations", (double)summary->total_newton);
  add_number(text, "linear_iterations", (double)summary->total_linear);
  add_number(text, "frames", summary->frames_written);
  add_number(text, "frames_planned", summary->frame_count);
  add_number(text, "wall_s", summary->wall_seconds);
  add_number(text, "processor_s", summary->processor_seconds);
  add_number(text, "wall_per_frame_s",
             summary->frames_written > 1 ? summary->wall_seconds / (summary->frames_written - 1)
                                         : NAN);
  add_number(text, "peak_memory_bytes", (double)summary->peak_memory);
  add_number(text, "sent_bytes", summary->sent);
}

static void add_energies(StText *text, const StReport *report) {
  add_key(text, "energy_J");
  st_text_add(text, "{\n    \"kinetic\": ");
  st_json_text_add_number(text, report->kinetic_energy);
  for (int i = 0; i < report->force_count; i++) {
    if (isnan(report->force_energy[i]))
      continue;
    st_text_add(text, ",\n    ");
    st_json_text_add_string(text, report->force_name[i]);
    st_text_add(text, ": ");
    st_json_text_add_number(text, report->force_energy[i]);
  }
  st_text_add(text, ",\n    \"total\": ");
  st_json_text_add_number(text, report->total_energy);
  st_text_add(text, "\n  }");
}

// External work, and what the total gained beyond it.
static void add_energy_balance(StText *text, const StEnergyRecord *record) {
  bool stepped = !isinf(record->largest_gain);
  add_key(text, "energy_balance");
  st_text_add(text, "{\n    \"external_work_J\": ");
  st_json_text_add_number(text, record->work);
  add_field(text, MEMBER, "largest_gain_J", stepped ? record->largest_gain : NAN);
  add_field(text, MEMBER, "largest_gain_time_s", stepped ? record->largest_time : NAN);
  add_field(text, MEMBER, "unexplained_steps", (double)record->unexplained);
  add_field(text, MEMBER, "unexplained_gain_J", record->unexplained_energy);
  st_text_add(text, "\n  }");
}

static void add_rigidity(StText *text, const StDescription *description,
                         const StRigidRecord *record) {
  char words[400];
  st_rigidity_words(description, record, words, sizeof words);
  add_key(text, "rigid");
  st_text_add(text, "{\n    \"largest_strain\": ");
  st_json_text_add_number(text, record->strain);
  add_field(text, MEMBER, "time_s", record->time);
  st_text_add(text, ",\n    \"body\": ");
  st_json_text_add_string(text, description->body[record->body].name);
  if (words[0]) {
    st_text_add(text, ",\n    \"warning\": ");
    st_json_text_add_string(text, words);
  }
  st_text_add(text, "\n  }");
}

static void add_spin(StText *text, const StDescription *description, const StSpinRecord *record) {
  char words[600];
  st_spin_loss_words(description, record, words, sizeof words);
  add_key(text, "rotation");
  st_text_add(text, "{\n    \"body\": ");
  st_json_text_add_string(text, description->body[record->body].name);
  add_field(text, MEMBER, "time_s", record->time);
  add_field(text, MEMBER, "speed_rad_per_s", record->speed);
  add_field(text, MEMBER, "energy_loss", record->lost);
  add_field(text, MEMBER, "energy_loss_by_end", record->until_end);
  st_text_add(text, ",\n    \"warning\": ");
  st_json_text_add_string(text, words);
  st_text_add(text, "\n  }");
}

static void add_count(StText *text, const char *name, long count, bool *first) {
  st_text_add(text, "%s", *first ? "" : ", ");
  st_json_text_add_string(text, name);
  st_text_add(text, ": %ld", count);
  *first = false;
}

// How steps were solved, and why attempts at them were rejected.
static void add_recovery(StText *text, const StRecoveryRecord *record) {
  bool first = true;
  add_key(text, "recovery");
  st_text_add(text, "{\n    \"steps_solved\": {");
  for (int i = 0; i < ST_RUNG_COUNT; i++)
    add_count(text, st_rungs[i].name, record->solved[i], &first);
  st_text_add(text, "},\n    \"attempts_rejected\": {");
  first = true;
  for (int i = ST_OUTCOME_GOOD + 1; i < ST_OUTCOME_COUNT; i++)
    add_count(text, st_outcome_names[i], record->rejected[i], &first);
  st_text_add(text, "}");
  add_field(text, MEMBER, "most_newton_iterations", record->most_iterations);
  add_field(text, MEMBER, "most_newton_iterations_time_s", record->most_time);
  st_text_add(text, "\n  }");
}

static void add_range(StText *text, const char *key, const StCourseRange *range) {
  const struct {
    const char *key;
    double value;
  } part[] = {{"first", range->first},
              {"last", range->last},
              {"least", range->least},
              {"most", range->most}};
  st_text_add(text, ",\n      \"%s\": {", key);
  for (int i = 0; i < ST_LENGTH(part); i++) {
    st_text_add(text, "%s\"%s\": ", i ? ", " : "", part[i].key);
    st_json_text_add_number(text, part[i].value);
  }
  st_text_add(text, "}");
}

// Begins an object under a user's name inside of another.
static void add_name(StText *text, const char *name, bool is_first) {
  st_text_add(text, is_first ? "\n    " : ",\n    ");
  st_json_text_add_string(text, name);
  st_text_add(text, ": {\n      ");
}

static void add_zone(StText *text, const StVolumeDesc *zone, const StZoneFigures *figures) {
  st_text_add(text, "\"model\": ");
  st_json_text_add_string(text, zone->model.name);
  add_field(text, FIGURE, "rest_volume_m3", zone->rest_volume);
  add_field(text, FIGURE, "outside_pressure_Pa", zone->outside_pressure);
  add_range(text, "volume_m3", &figures->volume);
  add_range(text, "pressure_Pa", &figures->pressure);
  add_field(text, FIGURE, "pressure_volume_spread", figures->product_spread);
  add_field(text, FIGURE, "volume_loss_percent", 100 * figures->loss);
  add_field(text, FIGURE, "largest_volume_loss_percent", 100 * figures->largest_loss);
  st_text_add(text, "\n    }");
}

static void add_zones(StText *text, const StDescription *description, const StZoneCourse *course) {
  add_key(text, "volumes");
  st_text_add(text, "{");
  for (int i = 0; i < course->zone_count; i++) {
    StZoneFigures figures = st_zone_figures(course, i);
    add_name(text, description->volume[i].name, i == 0);
    add_zone(text, &description->volume[i], &figures);
  }
  st_text_add(text, "\n  }");
}

static void add_triple(StText *text, const char *key, const double value[3]) {
  st_text_add(text, "\"%s\": [", key);
  for (int k = 0; k < 3; k++) {
    st_text_add(text, "%s", k ? ", " : "");
    st_json_text_add_number(text, value[k]);
  }
  st_text_add(text, "]");
}

static void add_actions(StText *text, const StReport *report, bool joints) {
  bool first = true;
  add_key(text, joints ? "joints" : "loads");
  st_text_add(text, "{");
  for (int i = 0; i < report->action_count; i++) {
    const StActionReport *action = &report->action[i];
    if (action->joint != joints)
      continue;
    add_name(text, action->name, first);
    add_triple(text, "force_N", action->action.force);
    st_text_add(text, ",\n      ");
    add_triple(text, "torque_N_m", action->action.torque);
    if (joints)
      add_field(text, FIGURE, "travel", action->action.travel);
    st_text_add(text, "\n    }");
    first = false;
  }
  st_text_add(text, "\n  }");
}

static bool has_actions(const StReport *report, bool joints) {
  for (int i = 0; i < report->action_count; i++)
    if (report->action[i].joint == joints)
      return true;
  return false;
}

static void add_bearings(StText *text, const StReport *report) {
  add_key(text, "bearings");
  st_text_add(text, "{");
  for (int i = 0; i < report->bearing_count; i++) {
    const StBearingReport *bearing = &report->bearing[i];
    add_name(text, bearing->name, i == 0);
    st_text_add(text, "\"angle_rad\": ");
    st_json_text_add_number(text, bearing->angle);
    add_field(text, FIGURE, "speed_rad_per_s", bearing->speed);
    add_field(text, FIGURE, "torque_N_m", bearing->torque);
    st_text_add(text, "\n    }");
  }
  st_text_add(text, "\n  }");
}

static void add_finding(StText *text, const StDescription *description, const char *key,
                        const StFindingRecord *finding) {
  char pair[512];
  bool any = finding->states > 0;
  st_text_add(text, ",\n    \"%s\": {\n      \"states\": %ld", key, finding->states);
  add_field(text, FIGURE, "most", (double)finding->most);
  add_field(text, FIGURE, "most_time_s", any ? finding->most_time : NAN);
  add_field(text, FIGURE, "first_time_s", any ? finding->first_time : NAN);
  st_text_add(text, ",\n      \"first\": ");
  if (any)
    st_verdict_pair(description, finding, pair, sizeof pair);
  st_json_text_add_string(text, any ? pair : NULL);
  st_text_add(text, "\n    }");
}

// The checks and findings of the judge.
static void add_judge(StText *text, const StDescription *description, const StReport *report) {
  static const char *const mode[] = {"step", "frame", "off"};
  const StJudgeRecord *judged = report->judged;
  char words[ST_VERDICT_SIZE];
  st_verdict_words(description, judged, report->record, words, sizeof words);
  add_string(text, "verdict", words);
  add_key(text, "judge");
  st_text_add(text, "{\n    \"checked\": \"%s\"", mode[report->judge.mode]);
  add_field(text, MEMBER, "states", (double)(judged->starts + judged->steps));
  add_field(text, MEMBER, "states_with_findings", (double)judged->found);
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    add_finding(text, description, st_finding_name[k], &judged->kind[k]);
  st_text_add(text, "\n  }");
}

// The certificate: the worst of all committed steps.
static void add_contact(StText *text, const StContactRecord *record) {
  add_key(text, "contact");
  st_text_add(text, "{\n    \"deepest_gap_m\": ");
  st_json_text_add_number(text, record->deepest_gap);
  add_field(text, MEMBER, "deepest_gap_time_s",
            record->deepest_vertex < 0 ? NAN : record->deepest_time);
  add_field(text, MEMBER, "overlapping_steps", (double)record->overlapping_steps);
  add_field(text, MEMBER, "cone_violation_N", record->cone_violation);
  add_field(text, MEMBER, "friction_power_W", record->friction_power);
  add_field(text, MEMBER, "pair_net_force_N", record->pair_net_force);
  add_field(text, MEMBER, "normal_force_error_N", record->normal_force_error);
  add_field(text, MEMBER, "creep_speed_m_per_s", record->creep_speed);
  add_field(text, MEMBER, "sticking_speed_m_per_s", record->sticking_speed);
  add_field(text, MEMBER, "held_displacement_m", record->held_displacement);
  add_field(text, MEMBER, "stiffness_growth", record->stiffness_growth);
  add_field(text, MEMBER, "repeats", (double)record->repeats);
  st_text_add(text, "\n  }");
}

static void add_files(StText *text, const StSummary *summary) {
  add_key(text, "files");
  st_text_add(text, "{\n    \"series\": ");
  st_json_text_add_string(text, summary->series);
  bool hdf = summary->series && st_series_format(summary->series) == ST_FRAMES_VTKHDF;
  st_text_add(text,
              ",\n    \"frames\": \"frames/frame_*.%s\",\n    \"history\": \"history.csv\",\n"
              "    \"checkpoint\": \"checkpoint.h5\"\n  }",
              hdf ? "vtkhdf" : "vtu");
}

StStatus st_summary_write(const char *path, const StSummary *summary, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  st_text_add(&text, "{\n  \"stiction\": ");
  st_json_text_add_string(&text, STICTION_VERSION);
  add_string(&text, "status", summary->state);
  add_string(&text, "reason", summary->reason);
  add_origin(&text);
  add_scene(&text, summary->description);
  add_number(&text, "ranks", summary->ranks);
  add_number(&text, "threads", summary->threads);
  add_number(&text, "time_s", summary->report->time);
  add_cost(&text, summary);
  add_energies(&text, summary->report);
  if (summary->report->energy)
    add_energy_balance(&text, summary->report->energy);
  if (summary->report->recovery)
    add_recovery(&text, summary->report->recovery);
  if (summary->report->rigidity && summary->report->rigid_count > 0)
    add_rigidity(&text, summary->description, summary->report->rigidity);
  if (summary->report->spin && summary->report->spin->body >= 0)
    add_spin(&text, summary->description, summary->report->spin);
  if (summary->zones)
    add_zones(&text, summary->description, summary->zones);
  if (summary->report->bearing_count > 0)
    add_bearings(&text, summary->report);
  for (int joints = 0; joints < 2; joints++)
    if (has_actions(summary->report, joints))
      add_actions(&text, summary->report, joints);
  if (summary->report->judged)
    add_judge(&text, summary->description, summary->report);
  if (summary->report->record)
    add_contact(&text, summary->report->record);
  add_files(&text, summary);
  st_text_add(&text, "\n}\n");
  return text.failed ? st_fail_memory(error) : st_file_write(path, text.data, text.length, error);
}
