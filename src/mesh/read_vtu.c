// VTU: the relevant arrays of every piece become points, cells and labels.
#include "mesh/reader.h"

#include "base/memory.h"
#include "mesh/vtk_grid.h"
#include "mesh/vtu_file.h"

#include <string.h>

// Limit on the memory of a file's numbers: a constant, plus a multiple of the file size. Compressed
// meshes expand ten to twenty times. A malicious file could expand a thousand times, and arrays
// shared by several pieces any number of times.
enum { ROOM = 64 << 20, GROWTH = 100 };
enum { NAMES_MOST = 1 << 20 }; // bytes of all label names

typedef struct Vtu {
  StVtuFile file;
  size_t room; // bytes that numbers may still use
  StBuilder *builder;
  StVtkNames names;
  char *name_text; // what the names point into
} Vtu;

// Reserves memory for numbers before they are unpacked. Text cannot expand like that.
static StStatus take_room(Vtu *vtu, const StVtuEntry *array, size_t count) {
  StScan *scan = vtu->file.scan;
  scan->mark = array->mark;
  if (array->storage == ST_VTU_ASCII)
    return ST_OK;
  if (count > vtu->room / sizeof(double))
    return st_scan_fail(scan,
                        "the arrays up to this one take more than %zu MB, too much for a file of "
                        "%zu bytes",
                        (ROOM + GROWTH * (size_t)(scan->end - scan->start)) >> 20,
                        (size_t)(scan->end - scan->start));
  vtu->room -= count * sizeof(double);
  return ST_OK;
}

static StStatus read_reals(Vtu *vtu, const StVtuEntry *array, size_t count, double **value) {
  ST_TRY(take_room(vtu, array, count));
  return st_vtu_file_reals(&vtu->file, array, count, value);
}

static StStatus read_integers(Vtu *vtu, const StVtuEntry *array, size_t count, int64_t **value) {
  ST_TRY(take_room(vtu, array, count));
  return st_vtu_file_integers(&vtu->file, array, count, value);
}

static StStatus need_array(const StVtuFile *file, const StVtuPiece *piece, StVtuSection section,
                           const char *name, const StVtuEntry **array) {
  if ((*array = st_vtu_file_find(file, piece, section, name)))
    return ST_OK;
  file->scan->mark = piece->mark;
  if (!name)
    return st_scan_fail(file->scan, "the piece has no array in <Points>");
  return st_scan_fail(file->scan, "the piece has no array '%s' in <Cells>", name);
}

static StStatus read_points(Vtu *vtu, const StVtuPiece *piece, StVtkGrid *grid) {
  const StVtuEntry *array;
  ST_TRY(need_array(&vtu->file, piece, ST_VTU_POINTS, NULL, &array));
  vtu->file.scan->mark = array->mark;
  if (array->components != 3)
    return st_scan_fail(vtu->file.scan, "points need NumberOfComponents=\"3\", not %lld",
                        (long long)array->components);
  return read_reals(vtu, array, 3 * grid->point_count, &grid->point);
}

static StStatus read_cells(Vtu *vtu, const StVtuPiece *piece, StVtkGrid *grid) {
  const StVtuEntry *array;
  ST_TRY(need_array(&vtu->file, piece, ST_VTU_CELLS, "offsets", &array));
  ST_TRY(read_integers(vtu, array, grid->cell_count, &grid->end));
  int64_t last = grid->cell_count ? grid->end[grid->cell_count - 1] : 0;
  if (last < 0 || last > 8 * (int64_t)ST_MESH_LIMIT)
    return st_scan_fail(vtu->file.scan,
                        "the last offset is %lld: it must be the number of point "
                        "numbers in the connectivity",
                        (long long)last);
  grid->connectivity_count = (size_t)last;
  ST_TRY(need_array(&vtu->file, piece, ST_VTU_CELLS, "connectivity", &array));
  ST_TRY(read_integers(vtu, array, grid->connectivity_count, &grid->connectivity));
  ST_TRY(need_array(&vtu->file, piece, ST_VTU_CELLS, "types", &array));
  return read_integers(vtu, array, grid->cell_count, &grid->type);
}

static StStatus read_labels(Vtu *vtu, const StVtuPiece *piece, StVtkGrid *grid) {
  const StVtuEntry *best = NULL;
  for (size_t i = 0; i < piece->entry_count; i++) {
    const StVtuEntry *array = &vtu->file.entry[piece->first_entry + i];
    int rank = st_vtk_label_rank(array->name);
    if (array->section != ST_VTU_CELL_DATA || array->components != 1 ||
        !st_number_is_integer(array->type) || rank <= grid->label_rank)
      continue;
    best = array;
    grid->label_rank = rank;
  }
  return best ? read_integers(vtu, best, grid->cell_count, &grid->label) : ST_OK;
}

static StStatus add_piece(Vtu *vtu, const StVtuPiece *piece) {
  ST_FINALLY(st_vtk_grid_free)
  StVtkGrid grid = {.point_count = piece->point_count, .cell_count = piece->cell_count};
  ST_TRY(grid.point_count ? read_points(vtu, piece, &grid) : ST_OK);
  if (grid.cell_count)
    ST_TRY(read_cells(vtu, piece, &grid));
  if (grid.cell_count)
    ST_TRY(read_labels(vtu, piece, &grid));
  return st_vtk_grid_add(&grid, &vtu->names, vtu->file.scan, vtu->builder);
}

static StStatus read_names(Vtu *vtu, const StVtuEntry *array) {
  size_t size = 0;
  ST_TRY(st_vtu_file_strings(&vtu->file, array, NAMES_MOST, &vtu->name_text, &size));
  for (size_t at = 0; at < size;) { // there is always a 0 after the last byte
    size_t length = strlen(vtu->name_text + at);
    ST_TRY(st_vtk_names_add(&vtu->names, (StSpan){vtu->name_text + at, length},
                            vtu->file.scan->error));
    at += length + 1;
  }
  return ST_OK;
}

static StStatus read_all(Vtu *vtu, StScan *scan) {
  ST_TRY(st_vtu_file_walk(scan, &vtu->file));
  for (size_t i = 0; i < vtu->file.entry_count; i++) {
    const StVtuEntry *array = &vtu->file.entry[i];
    if (array->section == ST_VTU_FIELD_DATA && !vtu->name_text &&
        st_span_is(array->name, "LabelNames"))
      ST_TRY(read_names(vtu, array));
  }
  for (size_t i = 0; i < vtu->file.piece_count; i++)
    ST_TRY(add_piece(vtu, &vtu->file.piece[i]));
  return ST_OK;
}

StStatus st_read_vtu(StScan *scan, StBuilder *builder) {
  Vtu vtu = {.builder = builder, .room = ROOM + GROWTH * st_scan_left(scan)};
  StStatus status = read_all(&vtu, scan);
  st_vtu_file_free(&vtu.file);
  free(vtu.names.name);
  free(vtu.name_text);
  return status;
}
