// A header of text lines, an empty line, then arrays one after the other.
// Tested by tests/solve/test_kept_systems.c.
#include "solve/system_file.h"

#include "base/file.h"
#include "base/text.h"

#include <stdint.h>

enum { MOST_FILES = 9999 };

static void add_header(const StProblem *problem, const StSystemNote *note, StText *text) {
  const StBlockMatrix *matrix = problem->matrix;
  st_text_add(text, "Stiction system 1\nmethod %s\nreason %s\ntolerance %.17g\n", note->method,
              note->reason, note->tolerance);
  st_text_add(text, "rows %d\nblocks %d\ncouplings %d\n\n", matrix->row_count,
              matrix->row_start[matrix->row_count], problem->coupling_count);
}

static void add_arrays(const StProblem *problem, const double *b, StText *text) {
  const StBlockMatrix *matrix = problem->matrix;
  size_t rows = (size_t)matrix->row_count, blocks = (size_t)matrix->row_start[rows];
  size_t couplings = (size_t)problem->coupling_count, vector = 3 * rows * sizeof(double);
  st_text_add_bytes(text, matrix->row_start, (rows + 1) * sizeof(int32_t));
  st_text_add_bytes(text, matrix->column, blocks * sizeof(int32_t));
  st_text_add_bytes(text, matrix->value, 9 * blocks * sizeof(double));
  st_text_add_bytes(text, b, vector);
  st_text_add_bytes(text, problem->coordinates, vector);
  st_text_add_bytes(text, problem->scale, vector);
  if (couplings == 0)
    return;
  st_text_add_bytes(text, problem->coupling, couplings * vector);
  st_text_add_bytes(text, problem->coupling_weight, couplings * sizeof(double));
}

// The first number that is free.
static StStatus name_file(const char *folder, StText *path, StError *error) {
  for (int number = 1; number <= MOST_FILES; number++) {
    bool found = false;
    st_text_free(path);
    st_text_add(path, "%s/%04d.system", folder, number);
    if (path->failed)
      return st_fail_memory(error);
    ST_TRY(st_file_find(path->data, &found, error));
    if (!found)
      return ST_OK;
  }
  return st_fail(error, ST_BAD_INPUT, "%s: has %d systems already", folder, MOST_FILES);
}

StStatus st_system_file_write(const char *folder, const StProblem *problem, const double *b,
                              const StSystemNote *note, StError *error) {
  StText text = {0}, path = {0};
  ST_CHECK(!problem->matrix->rounded, error);
  StStatus status = st_folder_create(folder, error);
  if (status == ST_OK)
    status = name_file(folder, &path, error);
  if (status == ST_OK) {
    add_header(problem, note, &text);
    add_arrays(problem, b, &text);
    status = text.failed ? st_fail_memory(error)
                         : st_file_write(path.data, text.data, text.length, error);
  }
  st_text_free(&text);
  st_text_free(&path);
  return status;
}
