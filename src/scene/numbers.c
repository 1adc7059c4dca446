// Lists of numbers of any length, as arrays: vertices, elements, labels.
#include "scene/reader.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static StStatus copy_items(const StReader *reader, const StJson *at, double *array) {
  for (const StJson *item = at->child; item; item = item->next) {
    ST_TRY(st_reader_expect(reader, item, ST_JSON_NUMBER, "a number"));
    array[item->index] = item->number;
  }
  return ST_OK;
}

StStatus st_reader_numbers(const StReader *reader, const StJson *at, int group, double **array,
                           int *count) {
  *count = at->child_count;
  if (*count % group != 0)
    return st_reader_fail(reader, at, "has %d numbers, not a multiple of %d", *count, group);
  double *made = ST_ROOM(double, *count);
  ST_TRY_MEMORY(made, reader->error);
  StStatus status = ST_OK;
  if (at->kind == ST_JSON_NUMBERS)
    memcpy(made, at->array, (size_t)*count * sizeof *made);
  else
    status = copy_items(reader, at, made);
  if (status == ST_OK)
    *array = made;
  else
    free(made);
  return status;
}

static StStatus round_all(const StReader *reader, const StJson *at, int least, const double *number,
                          int *array) {
  for (int i = 0; i < at->child_count; i++) {
    if (number[i] != floor(number[i]) || number[i] < least || number[i] > INT_MAX)
      return st_reader_fail(reader, at, "item %d must be a whole number from %d on, is %.10g", i,
                            least, number[i]);
    array[i] = (int)number[i];
  }
  return ST_OK;
}

StStatus st_reader_integers(const StReader *reader, const StJson *at, int group, int least,
                            int **array, int *count) {
  ST_FREE double *number = NULL;
  ST_TRY(st_reader_numbers(reader, at, group, &number, count));
  int *made = ST_ROOM(int, *count);
  StStatus status =
      made ? round_all(reader, at, least, number, made) : st_fail_memory(reader->error);
  if (status == ST_OK)
    *array = made;
  else
    free(made);
  return status;
}
