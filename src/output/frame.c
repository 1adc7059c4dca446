// Gathers the bodies of a description into one mesh, once, and writes states on it.
#include "output/frame.h"

#include "base/memory.h"
#include "mesh/vtu.h"
#include "model/piece.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORCE_NAME_SIZE = 64, PLAIN_FIELDS = 2, CONTACT_FIELDS = 5, JUDGE_FIELDS = 1 };

struct StFrameWriter {
  StMesh *mesh; // all bodies at rest; labels of one name are one label
  // [tet_count + triangle_count] tets first
  int *kind; // 0 a tet, 1 a triangle: the field by which viewers without a filter for cell types
             // show solids or shells alone
  int *body, *material, *label;
};

typedef struct Totals {
  int vertices, tets, triangles;
} Totals;

static Totals count_all(const StDescription *description) {
  Totals totals = {0, 0, 0};
  for (int i = 0; i < description->body_count; i++) {
    totals.vertices += description->body[i].mesh->vertex_count;
    totals.tets += description->body[i].mesh->tet_count;
    totals.triangles += description->body[i].mesh->triangle_count;
  }
  return totals;
}

// Elements of one kind of one body: their vertices and what is known of each.
typedef struct Cells {
  int kind, count, corners;
  const int *corner;
  const int *label;
  int (*material)(const StBodyDesc *body, int element);
} Cells;

// Copies them behind what is there already: vertices from first_vertex on, cells from first_cell
// on.
static bool add_cells(StFrameWriter *writer, const StBodyDesc *body, int body_index, Cells cells,
                      int first_vertex, int *corner, int first_cell) {
  for (int i = 0; i < cells.count * cells.corners; i++)
    corner[i] = first_vertex + cells.corner[i];
  for (int i = 0; i < cells.count; i++) {
    int cell = first_cell + i, label = cells.label[i];
    writer->kind[cell] = cells.kind;
    writer->body[cell] = body_index;
    writer->material[cell] = cells.material(body, i);
    writer->label[cell] =
        label < 0 ? -1 : st_mesh_label(writer->mesh, body->mesh->label_name[label]);
    if (label >= 0 && writer->label[cell] < 0)
      return false;
  }
  return true;
}

static bool add_body(StFrameWriter *writer, const StBodyDesc *body, int index, Totals *at) {
  const StMesh *part = body->mesh;
  StMesh *all = writer->mesh;
  memcpy(all->position + 3 * (size_t)at->vertices, part->position,
         (size_t)part->vertex_count * 3 * sizeof(double));
  Cells tets = {0, part->tet_count, 4, part->tet, part->tet_label, st_body_tet_material};
  Cells triangles = {
      1, part->triangle_count, 3, part->triangle, part->triangle_label, st_body_triangle_material};
  bool good = add_cells(writer, body, index, tets, at->vertices, all->tet + 4 * (size_t)at->tets,
                        at->tets) &&
              add_cells(writer, body, index, triangles, at->vertices,
                        all->triangle + 3 * (size_t)at->triangles, all->tet_count + at->triangles);
  at->vertices += part->vertex_count;
  at->tets += part->tet_count;
  at->triangles += part->triangle_count;
  return good;
}

static bool gather(StFrameWriter *writer, const StDescription *description) {
  Totals totals = count_all(description), at = {0, 0, 0};
  size_t cells = (size_t)totals.tets + (size_t)totals.triangles;
  writer->mesh = st_mesh_create(totals.vertices, totals.tets, totals.triangles);
  writer->kind = ST_NEW(int, cells);
  writer->body = ST_NEW(int, cells);
  writer->material = ST_NEW(int, cells);
  writer->label = ST_NEW(int, cells);
  bool good = writer->mesh && writer->kind && writer->body && writer->material && writer->label;
  for (int i = 0; i < description->body_count && good; i++)
    good = add_body(writer, &description->body[i], i, &at);
  return good;
}

StStatus st_frame_writer_create(const StDescription *description, StFrameWriter **writer,
                                StError *error) {
  *writer = ST_NEW(StFrameWriter, 1);
  if (*writer && gather(*writer, description))
    return ST_OK;
  st_frame_writer_destroy(*writer);
  *writer = NULL;
  return st_fail_memory(error);
}

void st_frame_writer_destroy(StFrameWriter *writer) {
  if (!writer)
    return;
  st_mesh_destroy(writer->mesh);
  free(writer->kind);
  free(writer->body);
  free(writer->material);
  free(writer->label);
  free(writer);
}

double st_von_mises(const double stress[6]) {
  double a = stress[0] - stress[1], b = stress[1] - stress[2], c = stress[2] - stress[0];
  double shear = stress[3] * stress[3] + stress[4] * stress[4] + stress[5] * stress[5];
  return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
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
    fields->displacement[i] = snapshot->position[i] - writer->mesh->position[i];
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

static bool add_cell_fields(const StFrameWriter *writer, const StSnapshot *snapshot,
                            Fields *fields) {
  fields->cell[fields->cell_count++] = whole("kind", writer->kind);
  fields->cell[fields->cell_count++] = whole("body", writer->body);
  fields->cell[fields->cell_count++] = whole("material", writer->material);
  fields->cell[fields->cell_count++] = whole("label", writer->label);
  size_t tets = (size_t)writer->mesh->tet_count;
  size_t cells = tets + (size_t)writer->mesh->triangle_count;
  if (snapshot->inverted) {
    fields->inverted = ST_NEW(int, cells);
    if (!fields->inverted)
      return false;
    memcpy(fields->inverted, snapshot->inverted, tets * sizeof(int));
    fields->cell[fields->cell_count++] = whole("inverted", fields->inverted);
  }
  if (!snapshot->stress)
    return true;
  fields->stress = ST_NEW(double, 6 * cells);
  fields->von_mises = ST_NEW(double, cells);
  if (!fields->stress || !fields->von_mises)
    return false;
  memcpy(fields->stress, snapshot->stress, 6 * tets * sizeof(double));
  for (size_t i = 0; i < tets; i++)
    fields->von_mises[i] = st_von_mises(snapshot->stress + 6 * i);
  fields->cell[fields->cell_count++] = small("stress", 6, fields->stress);
  fields->cell[fields->cell_count++] = small("von_mises", 1, fields->von_mises);
  return true;
}

static StStatus write_fields(const StFrameWriter *writer, const char *path,
                             const StSnapshot *snapshot, const Fields *fields, StError *error) {
  StVtu content = {
      .point_count = snapshot->vertex_count,
      .position = snapshot->position,
      .tet_count = writer->mesh->tet_count,
      .tet = writer->mesh->tet,
      .triangle_count = writer->mesh->triangle_count,
      .triangle = writer->mesh->triangle,
      .point_array_count = fields->point_count,
      .point_array = fields->point,
      .cell_array_count = fields->cell_count,
      .cell_array = fields->cell,
      .label_count = writer->mesh->label_count,
      .label_name = writer->mesh->label_name,
      .has_time = true,
      .time = snapshot->time,
  };
  return st_vtu_write(path, &content, error);
}

StStatus st_frame_write(const StFrameWriter *writer, const char *path, const StSnapshot *snapshot,
                        StError *error) {
  ST_CHECK(snapshot->vertex_count == writer->mesh->vertex_count, error);
  ST_CHECK(snapshot->tet_count == writer->mesh->tet_count, error);
  Fields fields = {0};
  StStatus status =
      add_point_fields(writer, snapshot, &fields) && add_cell_fields(writer, snapshot, &fields)
          ? write_fields(writer, path, snapshot, &fields, error)
          : st_fail_memory(error);
  fields_free(&fields);
  return status;
}
