// The table of global quantities. A column is a heading and a place in the report, so that a new
// quantity is one more line of a table, not another file format.
#include "output/history.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/checksum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The owner of a column: the step, or one of its zones, bearings, ...
typedef enum Owner {
  OF_STEP,
  OF_ZONE,
  OF_BEARING,
  OF_ACTION,
  OF_REACTION,
  OF_PAIR,
  OF_BODY,
  OF_PROBE,
} Owner;

// The kind of its number: at a place of the owner's report a double, three of them (a column each),
// an int or a long; the sticking share of a pair's touching vertices; or the judge's count of one
// kind of finding.
typedef enum Number { REAL, VECTOR, WHOLE, LONG, SHARE, FINDINGS } Number;

typedef struct Column {
  Owner owner;
  Number number;
  size_t offset; // in the owner's report
  int index;     // which owner; FINDINGS: which kind
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

// A column, or three of a vector: NAME_x, NAME_y, NAME_z.
typedef struct Quantity {
  const char *name, *unit;
  Number number;
  size_t offset;
} Quantity;

#define IN_STEP(field) offsetof(StReport, field)

static const Quantity STEP[] = {
    {"step", "", LONG, IN_STEP(step)},
    {"time", "s", REAL, IN_STEP(time)},
    {"h", "s", REAL, IN_STEP(h)},
    {"newton_iterations", "", WHOLE, IN_STEP(newton_iterations)},
    {"linear_iterations", "", WHOLE, IN_STEP(linear_iterations)},
    {"residual_evaluations", "", WHOLE, IN_STEP(residual_evaluations)},
    {"retries", "", WHOLE, IN_STEP(retries)},
    {"rung", "", WHOLE, IN_STEP(rung)},
    {"residual", "m/s", REAL, IN_STEP(residual)},
    {"seconds", "s", REAL, IN_STEP(seconds)},
    {"kinetic_energy", "J", REAL, IN_STEP(kinetic_energy)},
};

enum { TIME_COLUMN = 1 }; // of STEP

// After the energies of forces.
static const Quantity TOTALS[] = {
    {"total_energy", "J", REAL, IN_STEP(total_energy)},
    {"external_work", "J", REAL, IN_STEP(external_work)},
    {"energy_gain", "J", REAL, IN_STEP(energy_gain)},
    {"energy_error", "J", REAL, IN_STEP(energy_error)},
    {"momentum", "kg m/s", VECTOR, IN_STEP(momentum)},
    {"angular_momentum", "kg m^2/s", VECTOR, IN_STEP(angular_momentum)},
    {"centre_of_mass", "m", VECTOR, IN_STEP(centre_of_mass)},
};

static const Quantity RIGID[] = {{"rigid_strain", "", REAL, IN_STEP(rigid_strain)}};
static const Quantity VOLUME[] = {{"volume", "m^3", REAL, IN_STEP(volume)}};

static const Quantity CONTACT[] = {
    {"touching", "", WHOLE, IN_STEP(contact.touching)},
    {"sticking", "", WHOLE, IN_STEP(contact.sticking)},
    {"contact_normal_force", "N", REAL, IN_STEP(contact.normal_force)},
    {"contact_friction_force", "N", REAL, IN_STEP(contact.friction_force)},
    {"cone_violation", "N", REAL, IN_STEP(contact.cone_violation)},
    {"friction_power", "W", REAL, IN_STEP(contact.friction_power)},
    {"pair_net_force", "N", REAL, IN_STEP(contact.pair_net_force)},
    {"normal_force_error", "N", REAL, IN_STEP(contact.normal_force_error)},
    {"deepest_gap", "m", REAL, IN_STEP(contact.deepest_gap)},
    {"creep_speed", "m/s", REAL, IN_STEP(contact.creep_speed)},
    {"sticking_speed", "m/s", REAL, IN_STEP(contact.sticking_speed)},
    {"held_displacement", "m", REAL, IN_STEP(contact.held_displacement)},
    {"stiffness_growth", "", REAL, IN_STEP(contact.stiffness_growth)},
    {"contact_repeats", "", WHOLE, IN_STEP(contact.repeats)},
};

static const Quantity ZONE[] = {
    {"volume", "m^3", REAL, offsetof(StVolumeReport, volume)},
    {"pressure", "Pa", REAL, offsetof(StVolumeReport, pressure)},
};

static const Quantity BEARING[] = {
    {"angle", "rad", REAL, offsetof(StBearingReport, angle)},
    {"speed", "rad/s", REAL, offsetof(StBearingReport, speed)},
    {"torque", "N m", REAL, offsetof(StBearingReport, torque)},
};

// Loads have all but the last.
static const Quantity ACTION[] = {
    {"force", "N", VECTOR, offsetof(StActionReport, action.force)},
    {"torque", "N m", VECTOR, offsetof(StActionReport, action.torque)},
    {"travel", "m or rad", REAL, offsetof(StActionReport, action.travel)},
};

static const Quantity REACTION[] = {
    {"reaction", "N", VECTOR, offsetof(StReactionReport, force)},
    {"reaction_torque", "N m", VECTOR, offsetof(StReactionReport, torque)},
};

static const Quantity PAIR[] = {
    {"touching", "", WHOLE, offsetof(StPairReport, touching)},
    {"sticking_share", "", SHARE, 0},
    {"normal", "N", REAL, offsetof(StPairReport, normal_force)},
    {"friction", "N", VECTOR, offsetof(StPairReport, friction)},
};

static const Quantity BODY[] = {
    {"centre", "m", VECTOR, offsetof(StBodyReport, centre)},
    {"velocity", "m/s", VECTOR, offsetof(StBodyReport, velocity)},
    {"kinetic", "J", REAL, offsetof(StBodyReport, kinetic_energy)},
    {"elastic", "J", REAL, offsetof(StBodyReport, elastic_energy)},
};

static const Quantity PLACE[] = {
    {"x", "m", REAL, offsetof(StProbeReport, point[0])},
    {"y", "m", REAL, offsetof(StProbeReport, point[1])},
    {"z", "m", REAL, offsetof(StProbeReport, point[2])},
};

static const Quantity DISTANCE[] = {{"distance", "m", REAL, offsetof(StProbeReport, distance)}};

static const void *owner_of(const StReport *report, const Column *column) {
  switch (column->owner) {
  case OF_STEP: break;
  case OF_ZONE: return &report->zone[column->index];
  case OF_BEARING: return &report->bearing[column->index];
  case OF_ACTION: return &report->action[column->index];
  case OF_REACTION: return &report->reaction[column->index];
  case OF_PAIR: return &report->pair[column->index];
  case OF_BODY: return &report->body[column->index];
  case OF_PROBE: return &report->probe[column->index];
  }
  return report;
}

static double share_of(const StPairReport *pair) {
  return pair->touching ? (double)pair->sticking / pair->touching : 0;
}

static double value_of(const StReport *report, const Column *column) {
  const void *owner = owner_of(report, column), *at = (const char *)owner + column->offset;
  switch (column->number) {
  case VECTOR:
  case REAL: return *(const double *)at;
  case WHOLE: return *(const int *)at;
  case LONG: return (double)*(const long *)at;
  case SHARE: return share_of(owner);
  case FINDINGS: break;
  }
  // A state that was not checked has no counts.
  return report->judge.checked ? (double)report->judge.found.kind[column->index].count : NAN;
}

void st_history_add_name(StText *text, const char *name) {
  for (const char *c = name; *c; c++) {
    bool plain = *c != ',' && *c != '"' && (unsigned char)*c >= ' ';
    st_text_add_bytes(text, plain ? c : "_", 1);
  }
}

static bool add_column(StHistory *history, Column column) {
  if (!st_grow((void **)&history->column, &history->column_capacity, history->column_count + 1,
               sizeof(Column)))
    return false;
  if (history->column_count)
    st_text_add(&history->heading, ",");
  history->column[history->column_count++] = column;
  return true;
}

// "time [s]", "momentum_x [kg m/s]", "touching(block|floor)", "volume(tyre) [m^3]"
static bool add_quantity(StHistory *history, const Quantity *quantity, Owner owner, int index,
                         const char *name) {
  static const char *const axis[] = {"_x", "_y", "_z"};
  bool good = true, vector = quantity->number == VECTOR;
  for (int k = 0; k < (vector ? 3 : 1) && good; k++) {
    size_t offset = quantity->offset + (size_t)k * sizeof(double);
    good = add_column(history, (Column){owner, vector ? REAL : quantity->number, offset, index});
    st_text_add(&history->heading, "%s%s", quantity->name, vector ? axis[k] : "");
    if (name) {
      st_text_add(&history->heading, "(");
      st_history_add_name(&history->heading, name);
      st_text_add(&history->heading, ")");
    }
    if (*quantity->unit)
      st_text_add(&history->heading, " [%s]", quantity->unit);
  }
  return good;
}

static bool add_quantities(StHistory *history, const Quantity *quantity, int count, Owner owner,
                           int index, const char *name) {
  bool good = true;
  for (int i = 0; i < count && good; i++)
    good = add_quantity(history, &quantity[i], owner, index, name);
  return good;
}

static bool add_of_step(StHistory *history, const Quantity *quantity, int count) {
  return add_quantities(history, quantity, count, OF_STEP, 0, NULL);
}

static bool add_forces(StHistory *history, const StReport *first) {
  bool good = true;
  for (int i = 0; i < first->force_count && good; i++) {
    if (isnan(first->force_energy[i]))
      continue;
    size_t offset = IN_STEP(force_energy) + (size_t)i * sizeof(double);
    good = add_column(history, (Column){OF_STEP, REAL, offset, 0});
    st_text_add(&history->heading, "%s_energy [J]", first->force_name[i]);
  }
  return good;
}

static bool add_judge(StHistory *history, const StReport *first) {
  bool good = true, looks = first->judged && first->judge.mode != ST_JUDGE_OFF;
  for (int k = 0; k < ST_FOUND_KINDS && looks && good; k++) {
    good = add_column(history, (Column){OF_STEP, FINDINGS, 0, k});
    st_text_add(&history->heading, "%s", st_finding_name[k]);
  }
  return good;
}

static bool add_pairs(StHistory *history, const StReport *first) {
  bool good = true;
  int listed = 0;
  for (int selves = 0; selves < 2; selves++)
    for (int p = 0; p < first->pair_count && listed < ST_HISTORY_PAIRS && good; p++)
      if (first->pair[p].itself == (selves == 1)) {
        good = add_quantities(history, PAIR, ST_LENGTH(PAIR), OF_PAIR, p, first->pair[p].name);
        listed++;
      }
  return good;
}

static bool add_parts(StHistory *history, const StReport *first) {
  bool good = true;
  history->zone_count = first->zone_count;
  history->zone_column = history->column_count;
  for (int i = 0; i < first->zone_count && good; i++)
    good = add_quantities(history, ZONE, ST_LENGTH(ZONE), OF_ZONE, i, first->zone[i].name);
  for (int i = 0; i < first->bearing_count && good; i++)
    good =
        add_quantities(history, BEARING, ST_LENGTH(BEARING), OF_BEARING, i, first->bearing[i].name);
  for (int i = 0; i < first->action_count && good; i++)
    good = add_quantities(history, ACTION, ST_LENGTH(ACTION) - !first->action[i].joint, OF_ACTION,
                          i, first->action[i].name);
  return good;
}

static bool add_bodies(StHistory *history, const StReport *first) {
  bool good = true;
  for (int i = 0; i < first->probe_count && good; i++) {
    const StProbeReport *probe = &first->probe[i];
    bool place = isnan(probe->distance);
    good =
        add_quantities(history, place ? PLACE : DISTANCE, place ? 3 : 1, OF_PROBE, i, probe->name);
  }
  for (int i = 0; i < first->listed_bodies && good; i++)
    good = add_quantities(history, BODY, ST_LENGTH(BODY), OF_BODY, i, first->body[i].name);
  for (int i = 0; i < first->reaction_count && i < ST_HISTORY_REACTIONS && good; i++)
    good = add_quantities(history, REACTION, ST_LENGTH(REACTION), OF_REACTION, i,
                          first->reaction[i].name);
  return good;
}

static bool add_columns(StHistory *history, const StReport *first) {
  bool good = add_of_step(history, STEP, ST_LENGTH(STEP)) && add_forces(history, first) &&
              add_of_step(history, TOTALS, ST_LENGTH(TOTALS)) &&
              add_of_step(history, RIGID, first->rigid_count > 0) &&
              add_of_step(history, VOLUME, 1) && add_parts(history, first) &&
              add_judge(history, first) &&
              add_of_step(history, CONTACT, first->pair_count > 0 ? ST_LENGTH(CONTACT) : 0) &&
              add_pairs(history, first) && add_bodies(history, first);
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
  for (size_t i = 0; i < history->column_count; i++)
    st_text_add(&history->body, i ? ",%.17g" : "%.17g", value_of(report, &history->column[i]));
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

bool st_history_fits(const StHistory *history, const StReport *report) {
  StHistory *other = NULL;
  bool fits = st_history_create(report, &other, NULL) == ST_OK &&
              strcmp(other->heading.data, history->heading.data) == 0;
  st_history_destroy(other);
  return fits;
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

void st_history_cut(StHistory *history, double time) {
  const char *line = history->body.data;
  long row = 0;
  while (row < history->rows && cell_value(skip_cells(line, TIME_COLUMN)) < time) {
    line = skip_lines(line, 1);
    row++;
  }
  if (row == history->rows)
    return;
  history->body.length = (size_t)(line - history->body.data);
  history->body.data[history->body.length] = 0;
  history->rows = row;
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
