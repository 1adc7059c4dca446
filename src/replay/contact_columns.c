// Reads contacts.csv twice: first for the strongest pairs, then for their values.
#include "replay/contact_columns.h"

#include "base/memory.h"
#include "output/run_folder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOUCHING, STICKING_SHARE, NORMAL, FRICTION, PARTS = FRICTION + 3 };

static const char *const PART[PARTS] = {"touching",   "sticking_share", "normal",
                                        "friction_x", "friction_y",     "friction_z"};

typedef struct Row {
  long step;
  const char *pair;
  size_t length; // of the pair's name
  double value[PARTS];
} Row;

typedef struct Pair {
  char *name;
  double strongest; // N
  int column;       // the first of its columns; -1: none
} Pair;

typedef struct Pairs {
  int count, last; // last: found by the previous search
  size_t capacity;
  Pair *item;
} Pairs;

// "step,time,pair,touching,sticking,normal,friction x y z,…"; false: not a whole row.
static bool read_row(const char *line, ssize_t size, Row *row) {
  double number[6];
  if (line[size - 1] != '\n')
    return false;
  row->step = strtol(line, NULL, 10);
  const char *at = strchr(line, ',');
  at = at ? strchr(at + 1, ',') : NULL;
  if (!at)
    return false;
  row->pair = at + 1;
  row->length = strcspn(row->pair, ",");
  at = row->pair + row->length;
  for (int i = 0; i < 6; i++) {
    char *end = NULL;
    if (*at != ',')
      return false;
    number[i] = strtod(at + 1, &end);
    at = end;
  }
  row->value[TOUCHING] = number[0];
  row->value[STICKING_SHARE] = number[0] > 0 ? number[1] / number[0] : 0;
  memcpy(row->value + NORMAL, number + 2, 4 * sizeof(double));
  return true;
}

static bool is_named(const Pair *pair, const Row *row) {
  return strncmp(pair->name, row->pair, row->length) == 0 && pair->name[row->length] == 0;
}

// Steps list their pairs in the same order: the one after the last found is most likely.
static Pair *find(Pairs *pairs, const Row *row) {
  for (int i = 0; i < pairs->count; i++) {
    int k = (pairs->last + 1 + i) % pairs->count;
    if (is_named(&pairs->item[k], row)) {
      pairs->last = k;
      return &pairs->item[k];
    }
  }
  return NULL;
}

static Pair *find_or_add(Pairs *pairs, const Row *row) {
  Pair *found = find(pairs, row);
  if (found)
    return found;
  if (!st_grow((void **)&pairs->item, &pairs->capacity, (size_t)pairs->count + 1, sizeof(Pair)))
    return NULL;
  Pair *pair = &pairs->item[pairs->count];
  *pair = (Pair){.name = strndup(row->pair, row->length), .column = -1};
  if (!pair->name)
    return NULL;
  pairs->last = pairs->count++;
  return pair;
}

static void free_pairs(Pairs *pairs) {
  for (int i = 0; i < pairs->count; i++)
    free(pairs->item[i].name);
  free(pairs->item);
}

typedef bool (*Visit)(void *context, Pairs *pairs, const Row *row);

// Every whole row after the heading; false: out of memory.
static bool visit_rows(FILE *file, Pairs *pairs, Visit visit, void *context) {
  ST_FREE char *line = NULL;
  size_t capacity = 0;
  bool good = true;
  rewind(file);
  for (ssize_t size, n = 0; good && (size = getline(&line, &capacity, file)) > 0; n++) {
    Row row;
    if (n > 0 && read_row(line, size, &row))
      good = visit(context, pairs, &row);
  }
  return good;
}

static bool measure(void *context, Pairs *pairs, const Row *row) {
  (void)context;
  Pair *pair = find_or_add(pairs, row);
  if (pair)
    pair->strongest = fmax(pair->strongest, fabs(row->value[NORMAL]));
  return pair != NULL;
}

static bool fill(void *context, Pairs *pairs, const Row *row) {
  StRecording *recording = context;
  const Pair *pair = find(pairs, row);
  double at = (double)row->step - recording->value[0]; // false if that is no number
  bool placed = at >= 0 && at < (double)recording->rows;
  for (int k = 0; k < PARTS && placed && pair && pair->column >= 0; k++)
    recording->value[(pair->column + k) * recording->rows + (long)at] = row->value[k];
  return true;
}

static bool is_listed(const StRecording *recording, const Pair *pair) {
  for (int i = 0; i < recording->column_count; i++) {
    const char *name = recording->name[i];
    size_t length = strlen(pair->name);
    if (strncmp(name, "normal(", 7) == 0 && strncmp(name + 7, pair->name, length) == 0 &&
        strcmp(name + 7 + length, ")") == 0)
      return true;
  }
  return false;
}

static int by_strength(const void *a, const void *b) {
  const Pair *one = a, *other = b;
  if (one->strongest != other->strongest)
    return one->strongest < other->strongest ? 1 : -1;
  return strcmp(one->name, other->name);
}

// Gives columns to the strongest pairs that have none; returns how many.
static int choose(const StRecording *recording, Pairs *pairs) {
  int chosen = 0;
  if (pairs->count > 0)
    qsort(pairs->item, (size_t)pairs->count, sizeof(Pair), by_strength);
  for (int i = 0; i < pairs->count && chosen < ST_CONTACT_COLUMNS_PAIRS; i++)
    if (!is_listed(recording, &pairs->item[i]))
      pairs->item[i].column = recording->column_count + PARTS * chosen++;
  return chosen;
}

static bool name_column(StRecording *recording, const char *part, const char *pair) {
  int index = recording->column_count++;
  size_t size = strlen(part) + strlen(pair) + 3;
  recording->name[index] = ST_ROOM(char, size);
  recording->unit[index] = st_copy_string(
      strcmp(part, "touching") == 0 || strcmp(part, "sticking_share") == 0 ? "" : "N");
  if (recording->name[index])
    snprintf(recording->name[index], size, "%s(%s)", part, pair);
  return recording->name[index] && recording->unit[index];
}

static bool make_room(StRecording *recording, int columns) {
  size_t count = (size_t)(recording->column_count + columns), rows = (size_t)recording->rows;
  size_t held = (size_t)recording->column_count * rows;
  char **name = realloc(recording->name, count * sizeof *name);
  recording->name = name ? name : recording->name;
  char **unit = realloc(recording->unit, count * sizeof *unit);
  recording->unit = unit ? unit : recording->unit;
  double *value = realloc(recording->value, count * rows * sizeof *value);
  recording->value = value ? value : recording->value;
  if (value)
    memset(value + held, 0, (count * rows - held) * sizeof *value);
  return name && unit && value;
}

static bool add_columns(StRecording *recording, FILE *file, Pairs *pairs) {
  if (!visit_rows(file, pairs, measure, NULL))
    return false;
  int chosen = choose(recording, pairs);
  bool good = chosen == 0 || make_room(recording, PARTS * chosen);
  for (int i = 0; i < pairs->count && good; i++)
    for (int k = 0; k < PARTS && pairs->item[i].column >= 0 && good; k++)
      good = name_column(recording, PART[k], pairs->item[i].name);
  return good && (chosen == 0 || visit_rows(file, pairs, fill, recording));
}

StStatus st_contact_columns_add(StRecording *recording, StError *error) {
  ST_FREE char *path = st_run_folder_file(recording->folder, "contacts.csv");
  ST_TRY_MEMORY(path, error);
  FILE *file = fopen(path, "r");
  Pairs pairs = {.last = -1};
  StStatus status = ST_OK;
  if (!file && errno != ENOENT)
    status = st_fail(error, ST_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
  else if (file && !add_columns(recording, file, &pairs))
    status = st_fail_memory(error);
  if (file)
    fclose(file);
  free_pairs(&pairs);
  return status;
}
