// The table of global quantities. A column is a heading and a function of the report, so that a new
// quantity is one more line of a table, not another file format.
#include "output/history.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/checksum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double (*Value)(const StReport *report, int index);

typedef struct Column {
  Value value;
  int index; // which force, axis, zone, bearing, pair, or 3 × pair + axis
} Column;

struct StHistory {
  size_t column_count, column_capacity;
  Column *column;
  int zone_count;
  size_t zone_column; // the first of those that zones have, two each
  StText heading;     // the first line
  StText body;        // all rows
  long rows;
  uint32_t *crc; // [rows] of each row's text
  size_t crc_capacity;
};

static double step(const StReport *r, int i) {
  return (void)i, (double)r->step;
}
static double time_reached(const StReport *r, int i) {
  return (void)i, r->time;
}
static double step_size(const StReport *r, int i) {
  return (void)i, r->h;
}
static double newton(const StReport *r, int i) {
  return (void)i, r->newton_iterations;
}
static double linear(const StReport *r, int i) {
  return (void)i, r->linear_iterations;
}
static double evaluations(const StReport *r, int i) {
  return (void)i, r->residual_evaluations;
}
static double retries(const StReport *r, int i) {
  return (void)i, r->retries;
}
static double rung(const StReport *r, int i) {
  return (void)i, r->rung;
}
static double residual(const StReport *r, int i) {
  return (void)i, r->residual;
}
static double seconds(const StReport *r, int i) {
  return (void)i, r->seconds;
}
static double kinetic(const StReport *r, int i) {
  return (void)i, r->kinetic_energy;
}
static double energy(const StReport *r, int i) {
  return r->force_energy[i];
}
static double total(const StReport *r, int i) {
  return (void)i, r->total_energy;
}
static double external_work(const StReport *r, int i) {
  return (void)i, r->external_work;
}
static double energy_gain(const StReport *r, int i) {
  return (void)i, r->energy_gain;
}
static double energy_error(const StReport *r, int i) {
  return (void)i, r->energy_error;
}
static double momentum(const StReport *r, int i) {
  return r->momentum[i];
}
static double angular(const StReport *r, int i) {
  return r->angular_momentum[i];
}
static double centre(const StReport *r, int i) {
  return r->centre_of_mass[i];
}
static double rigid_strain(const StReport *r, int i) {
  (void)i;
  return r->rigid_strain;
}
static double volume(const StReport *r, int i) {
  return (void)i, r->volume;
}

static double zone_volume(const StReport *r, int i) {
  return r->zone[i].volume;
}
static double zone_pressure(const StReport *r, int i) {
  return r->zone[i].pressure;
}
static double action_force(const StReport *r, int i) {
  return r->action[i / 3].action.force[i % 3];
}
static double action_torque(const StReport *r, int i) {
  return r->action[i / 3].action.torque[i % 3];
}
static double action_travel(const StReport *r, int i) {
  return r->action[i].action.travel;
}
static double bearing_angle(const StReport *r, int i) {
  return r->bearing[i].angle;
}
static double bearing_speed(const StReport *r, int i) {
  return r->bearing[i].speed;
}
static double bearing_torque(const StReport *r, int i) {
  return r->bearing[i].torque;
}

static double touching(const StReport *r, int i) {
  return (void)i, r->contact.touching;
}
static double sticking(const StReport *r, int i) {
  return (void)i, r->contact.sticking;
}
static double normal_force(const StReport *r, int i) {
  return (void)i, r->contact.normal_force;
}
static double friction_force(const StReport *r, int i) {
  return (void)i, r->contact.friction_force;
}
static double cone_violation(const StReport *r, int i) {
  return (void)i, r->contact.cone_violation;
}
static double friction_power(const StReport *r, int i) {
  return (void)i, r->contact.friction_power;
}
static double pair_net_force(const StReport *r, int i) {
  return (void)i, r->contact.pair_net_force;
}
static double normal_force_error(const StReport *r, int i) {
  return (void)i, r->contact.normal_force_error;
}
static double deepest_gap(const StReport *r, int i) {
  return (void)i, r->contact.deepest_gap;
}
static double creep_speed(const StReport *r, int i) {
  return (void)i, r->contact.creep_speed;
}
static double held_displacement(const StReport *r, int i) {
  return (void)i, r->contact.held_displacement;
}

static double sticking_speed(const StReport *r, int i) {
  return (void)i, r->contact.sticking_speed;
}
static double stiffness_growth(const StReport *r, int i) {
  return (void)i, r->contact.stiffness_growth;
}
static double repeats(const StReport *r, int i) {
  return (void)i, r->contact.repeats;
}
// A state that was not checked has no counts.
static double findings(const StReport *r, int kind) {
  return r->judge.checked ? (double)r->judge.found.kind[kind].count : NAN;
}
static double pair_touching(const StReport *r, int i) {
  return r->pair[i].touching;
}
static double pair_sticking_share(const StReport *r, int i) {
  const StPairReport *pair = &r->pair[i];
  return pair->touching ? (double)pair->sticking / pair->touching : 0;
}
static double pair_normal(const StReport *r, int i) {
  return r->pair[i].normal_force;
}
static double pair_friction(const StReport *r, int i) {
  return r->pair[i / 3].friction[i % 3];
}

typedef struct Plain {
  const char *heading;
  Value value;
} Plain;

static const Plain BEFORE_FORCES[] = {
    {"step", step},
    {"time [s]", time_reached},
    {"h [s]", step_size},
    {"newton_iterations", newton},
    {"linear_iterations", linear},
    {"residual_evaluations", evaluations},
    {"retries", retries},
    {"rung", rung},
    {"residual [m/s]", residual},
    {"seconds [s]", seconds},
    {"kinetic_energy [J]", kinetic},
};

static const Plain OF_CONTACT[] = {
    {"touching", touching},
    {"sticking", sticking},
    {"contact_normal_force [N]", normal_force},
    {"contact_friction_force [N]", friction_force},
    {"cone_violation [N]", cone_violation},
    {"friction_power [W]", friction_power},
    {"pair_net_force [N]", pair_net_force},
    {"normal_force_error [N]", normal_force_error},
    {"deepest_gap [m]", deepest_gap},
    {"creep_speed [m/s]", creep_speed},
    {"sticking_speed [m/s]", sticking_speed},
    {"held_displacement [m]", held_displacement},
    {"stiffness_growth", stiffness_growth},
    {"contact_repeats", repeats},
};

static double body_centre(const StReport *report, int index) {
  return report->body[index / 3].centre[index % 3];
}

static double body_velocity(const StReport *report, int index) {
  return report->body[index / 3].velocity[index % 3];
}

static double body_kinetic(const StReport *report, int index) {
  return report->body[index].kinetic_energy;
}

static double body_elastic(const StReport *report, int index) {
  return report->body[index].elastic_energy;
}

static double probe_place(const StReport *report, int index) {
  return report->probe[index / 3].point[index % 3];
}

static double probe_distance(const StReport *report, int index) {
  return report->probe[index].distance;
}

typedef struct Vector {
  const char *name, *unit;
  Value value;
} Vector;

static const Vector VECTORS[] = {
    {"momentum", "kg m/s", momentum},
    {"angular_momentum", "kg m^2/s", angular},
    {"centre_of_mass", "m", centre},
};

static bool add_column(StHistory *history, Value value, int index) {
  if (!st_grow((void **)&history->column, &history->column_capacity, history->column_count + 1,
               sizeof(Column)))
    return false;
  if (history->column_count)
    st_text_add(&history->heading, ",");
  history->column[history->column_count++] = (Column){value, index};
  return true;
}

static bool add_plain(StHistory *history, const char *heading, Value value) {
  bool good = add_column(history, value, 0);
  st_text_add(&history->heading, "%s", heading);
  return good;
}

static bool add_vector(StHistory *history, const Vector *vector) {
  bool good = true;
  for (int axis = 0; axis < 3 && good; axis++) {
    good = add_column(history, vector->value, axis);
    st_text_add(&history->heading, "%s_%c [%s]", vector->name, "xyz"[axis], vector -> unit);
  }
  return good;
}

void st_history_add_name(StText *text, const char *name) {
  for (const char *c = name; *c; c++) {
    bool plain = *c != ',' && *c != '"' && (unsigned char)*c >= ' ';
    st_text_add_bytes(text, plain ? c : "_", 1);
  }
}

// "touching(block|floor)", "volume(tyre) [m^3]"
static bool add_column_of(StHistory *history, const char *name, const char *owner, const char *unit,
                          Value value, int index) {
  bool good = add_column(history, value, index);
  st_text_add(&history->heading, "%s(", name);
  st_history_add_name(&history->heading, owner);
  st_text_add(&history->heading, ")%s", unit);
  return good;
}

static bool add_pair(StHistory *history, const StReport *first, int index) {
  static const char *const friction[] = {"friction_x", "friction_y", "friction_z"};
  const char *pair = first->pair[index].name;
  bool good = add_column_of(history, "touching", pair, "", pair_touching, index) &&
              add_column_of(history, "sticking_share", pair, "", pair_sticking_share, index) &&
              add_column_of(history, "normal", pair, " [N]", pair_normal, index);
  for (int axis = 0; axis < 3 && good; axis++)
    good = add_column_of(history, friction[axis], pair, " [N]", pair_friction, 3 * index + axis);
  return good;
}

static bool add_zones(StHistory *history, const StReport *first) {
  bool good = true;
  history->zone_count = first->zone_count;
  history->zone_column = history->column_count;
  for (int i = 0; i < first->zone_count && good; i++) {
    const char *zone = first->zone[i].name;
    good = add_column_of(history, "volume", zone, " [m^3]", zone_volume, i) &&
           add_column_of(history, "pressure", zone, " [Pa]", zone_pressure, i);
  }
  return good;
}

static bool add_bearings(StHistory *history, const StReport *first) {
  bool good = true;
  for (int i = 0; i < first->bearing_count && good; i++) {
    const char *bearing = first->bearing[i].name;
    good = add_column_of(history, "angle", bearing, " [rad]", bearing_angle, i) &&
           add_column_of(history, "speed", bearing, " [rad/s]", bearing_speed, i) &&
           add_column_of(history, "torque", bearing, " [N m]", bearing_torque, i);
  }
  return good;
}

static bool add_actions(StHistory *history, const StReport *first) {
  static const char *const FORCE[] = {"force_x", "force_y", "force_z"};
  static const char *const TORQUE[] = {"torque_x", "torque_y", "torque_z"};
  bool good = true;
  for (int i = 0; i < first->action_count && good; i++) {
    const char *name = first->action[i].name;
    for (int k = 0; k < 3; k++)
      good = good && add_column_of(history, FORCE[k], name, " [N]", action_force, 3 * i + k);
    for (int k = 0; k < 3; k++)
      good = good && add_column_of(history, TORQUE[k], name, " [N m]", action_torque, 3 * i + k);
    if (first->action[i].joint)
      good = good && add_column_of(history, "travel", name, " [m or rad]", action_travel, i);
  }
  return good;
}

static bool add_contact(StHistory *history, const StReport *first) {
  bool good = true;
  for (int i = 0; i < ST_LENGTH(OF_CONTACT) && first->pair_count > 0; i++)
    good = good && add_plain(history, OF_CONTACT[i].heading, OF_CONTACT[i].value);
  int listed = 0;
  for (int selves = 0; selves < 2; selves++)
    for (int p = 0; p < first->pair_count && listed < ST_HISTORY_PAIRS && good; p++)
      if (first->pair[p].itself == (selves == 1)) {
        good = add_pair(history, first, p);
        listed++;
      }
  return good;
}

static bool add_bodies(StHistory *history, const StReport *first) {
  static const char *const CENTRE[] = {"centre_x", "centre_y", "centre_z"};
  static const char *const VELOCITY[] = {"velocity_x", "velocity_y", "velocity_z"};
  bool good = true;
  for (int i = 0; i < first->listed_bodies && good; i++) {
    const char *name = first->body[i].name;
    for (int k = 0; k < 3; k++)
      good = good && add_column_of(history, CENTRE[k], name, " [m]", body_centre, 3 * i + k);
    for (int k = 0; k < 3; k++)
      good = good && add_column_of(history, VELOCITY[k], name, " [m/s]", body_velocity, 3 * i + k);
    good = good && add_column_of(history, "kinetic", name, " [J]", body_kinetic, i) &&
           add_column_of(history, "elastic", name, " [J]", body_elastic, i);
  }
  return good;
}

static bool add_probes(StHistory *history, const StReport *first) {
  static const char *const PLACE[] = {"x", "y", "z"};
  bool good = true;
  for (int i = 0; i < first->probe_count && good; i++) {
    const StProbeReport *probe = &first->probe[i];
    if (!isnan(probe->distance))
      good = add_column_of(history, "distance", probe->name, " [m]", probe_distance, i);
    for (int k = 0; k < 3 && isnan(probe->distance); k++)
      good = good && add_column_of(history, PLACE[k], probe->name, " [m]", probe_place, 3 * i + k);
  }
  return good;
}

static bool add_judge(StHistory *history, const StReport *first) {
  bool good = true, looks = first->judged && first->judge.mode != ST_JUDGE_OFF;
  for (int k = 0; k < ST_FOUND_KINDS && looks && good; k++) {
    good = add_column(history, findings, k);
    st_text_add(&history->heading, "%s", st_finding_name[k]);
  }
  return good;
}

static bool add_columns(StHistory *history, const StReport *first) {
  bool good = true;
  for (int i = 0; i < ST_LENGTH(BEFORE_FORCES); i++)
    good = good && add_plain(history, BEFORE_FORCES[i].heading, BEFORE_FORCES[i].value);
  for (int i = 0; i < first->force_count && good; i++) {
    if (isnan(first->force_energy[i]))
      continue;
    good = add_column(history, energy, i);
    st_text_add(&history->heading, "%s_energy [J]", first->force_name[i]);
  }
  good = good && add_plain(history, "total_energy [J]", total) &&
         add_plain(history, "external_work [J]", external_work) &&
         add_plain(history, "energy_gain [J]", energy_gain) &&
         add_plain(history, "energy_error [J]", energy_error);
  for (int i = 0; i < ST_LENGTH(VECTORS); i++)
    good = good && add_vector(history, &VECTORS[i]);
  if (first->rigid_count > 0)
    good = good && add_plain(history, "rigid_strain", rigid_strain);
  good = good && add_plain(history, "volume [m^3]", volume) && add_zones(history, first) &&
         add_bearings(history, first) && add_actions(history, first) && add_judge(history, first) &&
         add_contact(history, first) && add_probes(history, first) && add_bodies(history, first);
  st_text_add(&history->heading, "\n");
  return good && !history->heading.failed;
}

StStatus st_history_create(const StReport *first, StHistory **history, StError *error) {
  ST_TRY_MEMORY(*history = ST_NEW(StHistory, 1), error);
  if (add_columns(*history, first))
    return ST_OK;
  st_history_destroy(*history);
  *history = NULL;
  return st_fail_memory(error);
}

void st_history_destroy(StHistory *history) {
  if (!history)
    return;
  free(history->column);
  st_text_free(&history->heading);
  st_text_free(&history->body);
  free(history->crc);
  free(history);
}

static bool make_room(StHistory *history, long rows) {
  return st_grow((void **)&history->crc, &history->crc_capacity, (size_t)rows, sizeof(uint32_t));
}

StStatus st_history_add(StHistory *history, const StReport *report, StError *error) {
  size_t begin = history->body.length;
  for (size_t i = 0; i < history->column_count; i++) {
    const Column *column = &history->column[i];
    st_text_add(&history->body, i ? ",%.17g" : "%.17g", column->value(report, column->index));
  }
  st_text_add(&history->body, "\n");
  if (history->body.failed || !make_room(history, history->rows + 1)) {
    history->body.length = begin; // whole rows only, even in what is published after a failure
    history->body.failed = false;
    return st_fail_memory(error);
  }
  history->crc[history->rows++] =
      st_checksum(history->body.data + begin, history->body.length - begin);
  return ST_OK;
}

long st_history_rows(const StHistory *history) {
  return history->rows;
}

const uint32_t *st_history_crc(const StHistory *history) {
  return history->crc;
}

StStatus st_history_publish(const StHistory *history, const char *path, StError *error) {
  ST_FINALLY(st_text_free) StText whole = {0};
  st_text_add_bytes(&whole, history->heading.data, history->heading.length);
  st_text_add_bytes(&whole, history->body.data, history->body.length);
  return whole.failed ? st_fail_memory(error)
                      : st_file_write(path, whole.data, whole.length, error);
}

// The text after this many lines; NULL if there are fewer.
static const char *skip_lines(const char *text, long lines) {
  for (; lines > 0 && text; lines--) {
    text = strchr(text, '\n');
    text = text ? text + 1 : NULL;
  }
  return text;
}

// The cell after this many others, or the end of its line.
static const char *skip_cells(const char *cell, size_t count) {
  for (; count > 0 && *cell && *cell != '\n'; count--) {
    cell += strcspn(cell, ",\n");
    cell += *cell == ',';
  }
  return cell;
}

// NAN if it is not a number, which happens only if the file was edited.
static double cell_value(const char *cell) {
  char *end = NULL;
  double value = *cell == '\n' ? NAN : strtod(cell, &end);
  return end == cell ? NAN : value;
}

StStatus st_history_zones(const StHistory *history, StZoneCourse *course, StError *error) {
  ST_TRY(st_zone_course_create(history->zone_count, history->rows, course, error));
  const char *line = history->body.data;
  for (long row = 0; row < history->rows && history->zone_count > 0; row++) {
    const char *cell = skip_cells(line, history->zone_column);
    for (int zone = 0; zone < history->zone_count; zone++) {
      st_zone_course_volume(course, zone)[row] = cell_value(cell);
      cell = skip_cells(cell, 1);
      st_zone_course_pressure(course, zone)[row] = cell_value(cell);
      cell = skip_cells(cell, 1);
    }
    line = skip_lines(line, 1);
  }
  return ST_OK;
}

// The rows must be those the checkpoint was saved with; line 1 is the heading.
static StStatus check_rows(const char *path, const char *text, const uint32_t *crc, long rows,
                           StError *error) {
  long first = 0, count = 0;
  for (long row = 0; row < rows; row++) {
    const char *end = skip_lines(text, 1);
    if (!end)
      return st_fail(error, ST_BAD_INPUT, "%s: damaged (it ends in line %ld, %ld are needed); %s",
                     path, row + 2, rows + 1, ST_CHECKSUM_ADVICE);
    if (st_checksum(text, (size_t)(end - text)) != crc[row] && count++ == 0)
      first = row + 2;
    text = end;
  }
  if (count == 0)
    return ST_OK;
  char more[64] = "";
  if (count > 1)
    snprintf(more, sizeof more, ", and %ld after it", count - 1);
  return st_fail(error, ST_BAD_INPUT, "%s: damaged (line %ld has changed%s); %s", path, first, more,
                 ST_CHECKSUM_ADVICE);
}

static StStatus take_rows(StHistory *history, const char *path, const char *text, size_t size,
                          const uint32_t *crc, long rows, StError *error) {
  size_t heading = history->heading.length;
  if (size < heading || memcmp(text, history->heading.data, heading) != 0)
    return st_fail(error, ST_BAD_INPUT, "%s: line 1 names other columns than this run has; %s",
                   path, ST_CHECKSUM_ADVICE);
  const char *begin = text + heading;
  ST_TRY(check_rows(path, begin, crc, rows, error));
  st_text_free(&history->body);
  st_text_add_bytes(&history->body, begin, (size_t)(skip_lines(begin, rows) - begin));
  ST_TRY_MEMORY(!history->body.failed && make_room(history, rows), error);
  if (rows > 0)
    memcpy(history->crc, crc, (size_t)rows * sizeof *crc);
  history->rows = rows;
  return ST_OK;
}

StStatus st_history_load(StHistory *history, const char *path, const uint32_t *crc, long rows,
                         const StLog *log, StError *error) {
  bool found = false;
  ST_TRY(st_file_find(path, &found, error));
  if (!found) {
    st_log(log, ST_WARNING, "%s: is missing; the history begins here", path);
    return ST_OK;
  }
  ST_FREE char *text = NULL;
  size_t size = 0;
  ST_TRY(st_file_read(path, &text, &size, error));
  return take_rows(history, path, text, size, crc, rows, error);
}
