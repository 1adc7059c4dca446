// The rows of this process, once, and states on them.
#include "output/frame.h"

#include "base/memory.h"
#include "field/field.h"
#include "mesh/second_order.h"
#include "mesh/vtkhdf.h"
#include "model/piece.h"
#include "output/shared_file.h"
#include "solve/runtime.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORCE_NAME_SIZE = 64, PLAIN_FIELDS = 2, CONTACT_FIELDS = 5, JUDGE_FIELDS = 1 };

// Tets are cells here: an element of second order is one, with ten corners and eight parts.
typedef struct Totals {
  int vertices, tets, triangles;
  int parts, corners; // of the tets
} Totals;

struct StFrameWriter {
  StFrameFormat format;
  Totals totals;                // of the description
  StRows vertices, cells;       // of this process
  StRows tets, triangles;       // of these cells
  double *rest;                 // [vertices.count][3]
  int *tet, *triangle;          // [corners], [triangles.count][3]
  int *corner, *part;           // [tets.count + 1] where those of each tet begin, here
  StRows parts;                 // of these tets
  int first_corner;             // of all, where those of this process begin
  int *kind;                    // [cells.count] 0 a tet, 1 a triangle: the field by which viewers
                                // without a filter for cell types show solids or shells alone
  int *body, *material, *label; // [cells.count]
  StMesh *labels;               // of all bodies; those of one name are one
  StVtuCells *packed;           // all of these cells, after the first frame
};

static void count(const StMesh *mesh, Totals *totals) {
  int tets = st_mesh_element_count(mesh);
  totals->vertices += mesh->vertex_count;
  totals->tets += tets;
  totals->triangles += mesh->triangle_count;
  totals->parts += mesh->tet_count;
  totals->corners += tets * st_mesh_node_count(mesh);
}

static Totals count_all(const StDescription *description) {
  Totals totals = {0};
  for (int i = 0; i < description->body_count; i++)
    count(description->body[i].mesh, &totals);
  return totals;
}

// Whole chunks for each process, so that none is compressed by two; all for the first where it
// writes alone.
static StRows deal_out(StFrameFormat format, int total) {
  if (format == ST_FRAMES_VTU)
    return (StRows){0, st_runtime_rank() == 0 ? total : 0};
  long ranks = st_runtime_size(), rank = st_runtime_rank();
  long chunks = ((long)total + ST_VTKHDF_CHUNK - 1) / ST_VTKHDF_CHUNK;
  long first = (chunks * rank + ranks - 1) / ranks * ST_VTKHDF_CHUNK;
  long end = (chunks * (rank + 1) + ranks - 1) / ranks * ST_VTKHDF_CHUNK;
  first = first < total ? first : total;
  end = end < total ? end : total;
  return (StRows){(int)first, (int)(end - first)};
}

// The part of the rows that lies in from … from + count - 1, counted from there.
static StRows overlap(StRows rows, int from, int count) {
  int first = rows.first > from ? rows.first : from;
  int end = rows.first + rows.count < from + count ? rows.first + rows.count : from + count;
  return end > first ? (StRows){first - from, end - first} : (StRows){0, 0};
}

// Numbers the labels of a body as they are met, the same on every process.
static bool number_labels(StMesh *labels, const StMesh *mesh, int *number) {
  const struct {
    const int *label;
    int count;
  } kind[] = {{mesh->tet_label, mesh->tet_count}, {mesh->triangle_label, mesh->triangle_count}};
  for (int i = 0; i < mesh->label_count; i++)
    number[i] = -1;
  for (int k = 0; k < ST_LENGTH(kind); k++)
    for (int i = 0; i < kind[k].count; i++) {
      int label = kind[k].label[i];
      if (label < 0 || number[label] >= 0)
        continue;
      if ((number[label] = st_mesh_label(labels, mesh->label_name[label])) < 0)
        return false;
    }
  return true;
}

// Elements of one kind of one body: which of them are ours, and what is known of each.
typedef struct Cells {
  int kind, parts;
  StRows ours; // of the body's
  const int *label;
  int (*material)(const StBodyDesc *body, int element);
  int first_row; // where they go
} Cells;

static void take_cells(StFrameWriter *writer, const StBodyDesc *body, int index, const Cells *cells,
                       const int *number) {
  for (int i = 0; i < cells->ours.count; i++) {
    int element = cells->parts * (cells->ours.first + i), row = cells->first_row + i;
    int label = cells->label[element];
    writer->kind[row] = cells->kind;
    writer->body[row] = index;
    writer->material[row] = cells->material(body, element);
    writer->label[row] = label < 0 ? -1 : number[label];
  }
}

// at: where the body begins in the description.
static void take_tet_corners(StFrameWriter *writer, const StMesh *mesh, StRows ours, Totals at) {
  int first = at.tets + ours.first - writer->tets.first, parts = st_mesh_part_count(mesh);
  if (first == 0) {
    writer->parts.first = at.parts + ours.first * parts;
    writer->first_corner = at.corners + ours.first * st_mesh_node_count(mesh);
  }
  for (int i = 0; i < ours.count; i++) {
    int point[ST_SECOND_NODES], *start = writer->corner + first + i;
    st_mesh_element_points(mesh, ours.first + i, point);
    for (int k = 0; k < st_mesh_node_count(mesh); k++)
      writer->tet[start[0] + k] = at.vertices + point[k];
    start[1] = start[0] + st_mesh_node_count(mesh);
    writer->part[first + i + 1] = writer->part[first + i] + parts;
  }
  writer->parts.count += ours.count * parts;
}

// at: where the body begins in the description.
static void take_body(StFrameWriter *writer, const StBodyDesc *body, int index, Totals at,
                      const int *number) {
  const StMesh *mesh = body->mesh;
  StRows vertices = overlap(writer->vertices, at.vertices, mesh->vertex_count);
  StRows tets = overlap(writer->tets, at.tets, st_mesh_element_count(mesh));
  StRows triangles = overlap(writer->triangles, at.triangles, mesh->triangle_count);
  int first_triangle = at.triangles + triangles.first - writer->triangles.first;
  if (vertices.count)
    memcpy(writer->rest + 3 * (at.vertices + vertices.first - writer->vertices.first),
           mesh->position + 3 * (size_t)vertices.first,
           (size_t)vertices.count * 3 * sizeof(double));
  if (tets.count) {
    take_tet_corners(writer, mesh, tets, at);
    take_cells(writer, body, index,
               &(Cells){0, st_mesh_part_count(mesh), tets, mesh->tet_label, st_body_tet_material,
                        at.tets + tets.first - writer->tets.first},
               number);
  }
  for (int i = 0; i < 3 * triangles.count; i++)
    writer->triangle[3 * first_triangle + i] =
        at.vertices + mesh->triangle[3 * triangles.first + i];
  if (triangles.count)
    take_cells(writer, body, index,
               &(Cells){1, 1, triangles, mesh->triangle_label, st_body_triangle_material,
                        writer->tets.count + first_triangle},
               number);
}

static bool take_bodies(StFrameWriter *writer, const StDescription *description) {
  Totals at = {0};
  for (int i = 0; i < description->body_count; i++) {
    const StMesh *mesh = description->body[i].mesh;
    int *number = ST_NEW(int, mesh->label_count);
    bool good = number && number_labels(writer->labels, mesh, number);
    if (good)
      take_body(writer, &description->body[i], i, at, number);
    free(number);
    if (!good)
      return false;
    count(mesh, &at);
  }
  return true;
}

static bool fill_writer(StFrameWriter *writer, const StDescription *description) {
  Totals totals = writer->totals = count_all(description);
  writer->vertices = deal_out(writer->format, totals.vertices);
  writer->cells = deal_out(writer->format, totals.tets + totals.triangles);
  writer->tets = overlap(writer->cells, 0, totals.tets);
  writer->triangles = overlap(writer->cells, totals.tets, totals.triangles);
  writer->rest = ST_NEW(double, 3 * (size_t)writer->vertices.count);
  size_t most = totals.corners > 4 * totals.tets ? ST_SECOND_NODES : 4;
  writer->tet = ST_NEW(int, most *(size_t)writer->tets.count);
  writer->corner = ST_NEW(int, (size_t)writer->tets.count + 1);
  writer->part = ST_NEW(int, (size_t)writer->tets.count + 1);
  writer->triangle = ST_NEW(int, 3 * (size_t)writer->triangles.count);
  int **of_cells[] = {&writer->kind, &writer->body, &writer->material, &writer->label};
  writer->packed = ST_NEW(StVtuCells, 1);
  bool good = writer->rest && writer->tet && writer->corner && writer->part && writer->triangle &&
              writer->packed;
  for (int i = 0; i < ST_LENGTH(of_cells); i++)
    good = (*of_cells[i] = ST_NEW(int, writer->cells.count)) && good;
  writer->labels = st_mesh_create(0, 0, 0);
  return good && writer->labels && take_bodies(writer, description);
}

StFrameFormat st_frame_format(const StDescription *description) {
  if (description->output.frames != ST_FRAMES_AUTO)
    return description->output.frames;
  return st_runtime_size() > 1 ? ST_FRAMES_VTKHDF : ST_FRAMES_VTU;
}

StStatus st_frame_writer_create(const StDescription *description, StFrameFormat format,
                                StFrameWriter **writer, StError *error) {
  *writer = ST_NEW(StFrameWriter, 1);
  if (*writer)
    (*writer)->format = format;
  if (*writer && fill_writer(*writer, description))
    return ST_OK;
  st_frame_writer_destroy(*writer);
  *writer = NULL;
  return st_fail_memory(error);
}

void st_frame_writer_destroy(StFrameWriter *writer) {
  if (!writer)
    return;
  st_mesh_destroy(writer->labels);
  if (writer->packed)
    free(writer->packed->packed);
  void *array[] = {writer->rest, writer->tet,  writer->corner,   writer->part,  writer->triangle,
                   writer->kind, writer->body, writer->material, writer->label, writer->packed};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  free(writer);
}

StRows st_frame_writer_vertices(const StFrameWriter *writer) {
  return writer->vertices;
}

StRows st_frame_writer_tets(const StFrameWriter *writer) {
  return writer->parts;
}

// Everything of one frame that is computed for it. Stress is zero for triangles, since viewers stop
// at NaN when they scale colours.
typedef struct Fields {
  double *displacement; // [vertex_count][3]
  double *stress;       // [cell_count][6]
  double *von_mises;    // [cell_count]
  char force_name[ST_RECORD_FORCES][FORCE_NAME_SIZE];
  int *inverted; // [cell_count]
  StVtuArray point[PLAIN_FIELDS + ST_RECORD_FORCES + CONTACT_FIELDS + JUDGE_FIELDS], cell[7];
  int point_count, cell_count;
} Fields;

static void fields_free(Fields *fields) {
  free(fields->displacement);
  free(fields->stress);
  free(fields->von_mises);
  free(fields->inverted);
}

static StVtuArray small(const char *name, int components, const double *value) {
  return (StVtuArray){name, components, ST_VTU_FLOAT32, value, NULL};
}

static StVtuArray whole(const char *name, const int *value) {
  return (StVtuArray){name, 1, ST_VTU_INT32, NULL, value};
}

static void add_contact_fields(const StSnapshot *snapshot, Fields *fields) {
  StVtuArray *next = fields->point + fields->point_count;
  if (!snapshot->contact_state)
    return;
  *next++ = small("contact_normal_force", 1, snapshot->contact_normal_force);
  *next++ = small("contact_gap", 1, snapshot->contact_gap);
  *next++ = small("slip_speed", 1, snapshot->slip_speed);
  *next++ = small("held_displacement", 1, snapshot->held_displacement);
  *next++ = whole("contact_state", snapshot->contact_state);
  fields->point_count += CONTACT_FIELDS;
}

static bool add_point_fields(const StFrameWriter *writer, const StSnapshot *snapshot,
                             Fields *fields) {
  size_t count = 3 * (size_t)snapshot->vertex_count;
  fields->displacement = ST_NEW(double, count);
  if (!fields->displacement)
    return false;
  for (size_t i = 0; i < count; i++)
    fields->displacement[i] = snapshot->position[i] - writer->rest[i];
  fields->point[fields->point_count++] = small("velocity", 3, snapshot->velocity);
  fields->point[fields->point_count++] = small("displacement", 3, fields->displacement);
  for (int i = 0; i < snapshot->force_count; i++) {
    if (!snapshot->force[i])
      continue;
    snprintf(fields->force_name[i], FORCE_NAME_SIZE, "force_%s", snapshot->force_name[i]);
    fields->point[fields->point_count++] = small(fields->force_name[i], 3, snapshot->force[i]);
  }
  add_contact_fields(snapshot, fields);
  if (snapshot->findings)
    fields->point[fields->point_count++] = whole("findings", snapshot->findings);
  return true;
}

// Number of stresses per tet; a tet of second order has one at each corner.
static int stressed_parts(const StFrameWriter *writer, int tet) {
  return writer->part[tet + 1] - writer->part[tet] > 1 ? 4 : 1;
}

// The mean over each tet, of all cells: zero for triangles.
static void take_stress(const StFrameWriter *writer, const double *of_parts, double *stress) {
  for (int t = 0; t < writer->tets.count; t++) {
    int parts = stressed_parts(writer, t);
    for (int i = 0; i < parts; i++)
      for (int k = 0; k < 6; k++)
        stress[6 * (size_t)t + (size_t)k] +=
            of_parts[6 * (size_t)(writer->part[t] + i) + (size_t)k] / parts;
  }
}

static void take_inverted(const StFrameWriter *writer, const int *of_parts, int *inverted) {
  for (int t = 0; t < writer->tets.count; t++)
    for (int i = writer->part[t]; i < writer->part[t + 1]; i++)
      inverted[t] |= of_parts[i];
}

static bool add_cell_fields(const StFrameWriter *writer, const StSnapshot *snapshot,
                            Fields *fields) {
  fields->cell[fields->cell_count++] = whole("kind", writer->kind);
  fields->cell[fields->cell_count++] = whole("body", writer->body);
  fields->cell[fields->cell_count++] = whole("material", writer->material);
  fields->cell[fields->cell_count++] = whole("label", writer->label);
  if (snapshot->inverted) {
    if (!(fields->inverted = ST_NEW(int, writer->cells.count)))
      return false;
    take_inverted(writer, snapshot->inverted, fields->inverted);
    fields->cell[fields->cell_count++] = whole("inverted", fields->inverted);
  }
  if (!snapshot->stress)
    return true;
  fields->stress = ST_NEW(double, 6 * (size_t)writer->cells.count);
  fields->von_mises = ST_NEW(double, writer->cells.count);
  if (!fields->stress || !fields->von_mises)
    return false;
  take_stress(writer, snapshot->stress, fields->stress);
  for (size_t i = 0; i < (size_t)writer->tets.count; i++)
    fields->von_mises[i] = st_von_mises(fields->stress + 6 * i);
  fields->cell[fields->cell_count++] = small("stress", 6, fields->stress);
  fields->cell[fields->cell_count++] = small("von_mises", 1, fields->von_mises);
  return true;
}

// Where one chunk holds all rows the first process has them, and writes them sooner than all could
// agree on thirty arrays.
static bool is_shared(const StFrameWriter *writer) {
  return writer->format == ST_FRAMES_VTKHDF && st_runtime_size() > 1 &&
         (writer->totals.vertices > ST_VTKHDF_CHUNK ||
          writer->totals.tets + writer->totals.triangles > ST_VTKHDF_CHUNK);
}

static StStatus write_alone(StFrameFormat format, const char *path, const StVtu *content,
                            StError *error) {
  if (st_runtime_rank() != 0)
    return ST_OK;
  return format == ST_FRAMES_VTU ? st_vtu_write(path, content, error)
                                 : st_vtkhdf_write(path, content, error);
}

static StStatus write_together(const char *path, const StVtu *content, const StVtkhdfPart *part,
                               StError *error) {
  StHdfUse use = st_hdf_begin();
  StSharedFile shared;
  StStatus status = st_shared_file_create(path, st_vtkhdf_most(content, part), &shared, error);
  if (status == ST_OK) {
    bool good = st_vtkhdf_fill(shared.file, shared.transfer, content, part);
    status = st_shared_file_publish(&shared, good, error);
  }
  st_hdf_end(use);
  return status;
}

static StStatus write_fields(const StFrameWriter *writer, const char *path,
                             const StSnapshot *snapshot, const Fields *fields, StError *error) {
  const StVtu content = {
      .point_count = snapshot->vertex_count,
      .position = snapshot->position,
      .tet_count = writer->tets.count,
      .tet = writer->tet,
      .tet_start = writer->totals.corners > 4 * writer->totals.tets ? writer->corner : NULL,
      .triangle_count = writer->triangles.count,
      .triangle = writer->triangle,
      .cells = writer->packed,
      .point_array_count = fields->point_count,
      .point_array = fields->point,
      .cell_array_count = fields->cell_count,
      .cell_array = fields->cell,
      .label_count = writer->labels->label_count,
      .label_name = writer->labels->label_name,
      .has_time = true,
      .time = snapshot->time,
  };
  const StVtkhdfPart part = {
      .point_first = (size_t)writer->vertices.first,
      .point_total = (size_t)writer->totals.vertices,
      .cell_first = (size_t)writer->cells.first,
      .tet_total = (size_t)writer->totals.tets,
      .triangle_total = (size_t)writer->totals.triangles,
      .corner_first = (size_t)writer->first_corner,
      .corner_total = (size_t)writer->totals.corners,
  };
  if (is_shared(writer))
    return write_together(path, &content, &part, error);
  return st_runtime_agree(write_alone(writer->format, path, &content, error), error);
}

StStatus st_frame_write(const StFrameWriter *writer, const char *path, const StSnapshot *snapshot,
                        StError *error) {
  ST_CHECK(snapshot->vertex_count == writer->vertices.count, error);
  ST_CHECK(snapshot->tet_count == writer->parts.count, error);
  Fields fields = {0};
  bool good =
      add_point_fields(writer, snapshot, &fields) && add_cell_fields(writer, snapshot, &fields);
  StStatus status = st_runtime_agree(good ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK)
    status = write_fields(writer, path, snapshot, &fields, error);
  fields_free(&fields);
  return status;
}
