// Reads fields of frames, according to the table of what can be shown.
#include "show/view_fields.h"

#include "base/memory.h"
#include "base/text.h"
#include "field/field.h"
#include "math/vec3.h"

#include <string.h>

enum { TENSOR = 6 }; // xx, yy, zz, xy, yz, zx

// to: [numbers of the field][vertex_count], zero at the start. false: out of memory.
typedef bool Reader(const StViewSurface *surface, const double *from, float *to);

static bool read_scalar(const StViewSurface *surface, const double *from, float *to) {
  for (int v = 0; v < surface->vertex_count; v++)
    to[v] = (float)from[surface->vertex[v]];
  return true;
}

// A signed length as two amounts: positive values, and in another field the depth below zero.
static bool read_above(const StViewSurface *surface, const double *from, float *to) {
  for (int v = 0; v < surface->vertex_count; v++)
    to[v] = (float)fmax(from[surface->vertex[v]], 0);
  return true;
}

static bool read_below(const StViewSurface *surface, const double *from, float *to) {
  for (int v = 0; v < surface->vertex_count; v++)
    to[v] = (float)fmax(-from[surface->vertex[v]], 0);
  return true;
}

static bool read_vector(const StViewSurface *surface, const double *from, float *to) {
  size_t count = (size_t)surface->vertex_count;
  for (size_t v = 0; v < count; v++)
    for (size_t i = 0; i < 3; i++)
      to[i * count + v] = (float)from[3 * (size_t)surface->vertex[v] + i];
  return true;
}

// If a vertex has several findings, the last kind, which is the most serious; 0: none.
static bool read_finding(const StViewSurface *surface, const double *from, float *to) {
  for (int v = 0; v < surface->vertex_count; v++)
    for (int marks = (int)from[surface->vertex[v]]; marks > 0; marks >>= 1)
      to[v]++;
  return true;
}

// Cells to vertices: mean over the adjacent triangles, by the cell behind each; for inner vertices,
// over the adjacent tets. mean: [vertex_count][components], zero at the start.
static bool average_cells(const StViewSurface *surface, int components, const double *from,
                          double *mean) {
  const StSkin *skin = &surface->skin;
  ST_FREE double *weight = ST_NEW(double, surface->vertex_count);
  if (!weight)
    return false;
  size_t width = (size_t)components;
  for (int i = 0; i < 3 * skin->triangle_count + 4 * surface->tet_count; i++) {
    int corner = i - 3 * skin->triangle_count;
    int v = corner < 0 ? surface->triangle[i] : surface->tet[corner];
    if (corner >= 0 && v < surface->outer_count)
      continue;
    const double *cell = from + width * (size_t)(corner < 0 ? skin->cell[i / 3] : corner / 4);
    for (size_t k = 0; k < width; k++)
      mean[width * (size_t)v + k] += cell[k];
    weight[v]++;
  }
  for (size_t i = 0; i < width * (size_t)surface->vertex_count; i++)
    mean[i] /= weight[i / width] > 0 ? weight[i / width] : 1;
  return true;
}

static bool read_cells(const StViewSurface *surface, const double *from, float *to) {
  ST_FREE double *mean = ST_NEW(double, surface->vertex_count);
  if (!mean || !average_cells(surface, 1, from, mean))
    return false;
  for (int v = 0; v < surface->vertex_count; v++)
    to[v] = (float)mean[v];
  return true;
}

// numbers: [vertex_count][TENSOR]; to: [first … first + 9][vertex_count].
static void put_tensors(size_t count, const double *numbers, float *to) {
  for (size_t v = 0; v < count; v++) {
    double principal[3];
    const double *tensor = numbers + TENSOR * v;
    st_principal_values(tensor, principal);
    for (size_t i = 0; i < 3 + TENSOR; i++)
      to[i * count + v] = (float)(i < 3 ? principal[i] : tensor[i - 3]);
  }
}

// Von Mises, principal values, components.
static bool read_stress(const StViewSurface *surface, const double *from, float *to) {
  size_t count = (size_t)surface->vertex_count;
  ST_FREE double *own = ST_NEW(double, TENSOR *count);
  if (!own)
    return false;
  for (size_t v = 0; v < count; v++) {
    memcpy(own + TENSOR * v, from + TENSOR * (size_t)surface->vertex[v], TENSOR * sizeof *own);
    to[v] = (float)st_von_mises(own + TENSOR * v);
  }
  put_tensors(count, own, to + count);
  return true;
}

// Of the mean of the cells around each vertex: principal values, components.
static bool read_strain(const StViewSurface *surface, const double *from, float *to) {
  size_t count = (size_t)surface->vertex_count;
  ST_FREE double *mean = ST_NEW(double, TENSOR *count);
  if (!mean || !average_cells(surface, TENSOR, from, mean))
    return false;
  put_tensors(count, mean, to);
  return true;
}

static const StViewComponent of_tensor[ST_VIEW_COMPONENTS] = {
    {"von_mises", "von Mises", ST_VIEW_AMOUNT},
    {"1", "principal 1", ST_VIEW_SIGNED},
    {"2", "principal 2", ST_VIEW_SIGNED},
    {"3", "principal 3", ST_VIEW_SIGNED},
    {"xx", "xx", ST_VIEW_SIGNED},
    {"yy", "yy", ST_VIEW_SIGNED},
    {"zz", "zz", ST_VIEW_SIGNED},
    {"xy", "xy", ST_VIEW_SIGNED},
    {"yz", "yz", ST_VIEW_SIGNED},
    {"zx", "zx", ST_VIEW_SIGNED},
};

typedef struct Source {
  const char *name; // of a frame's field
  int components;   // of the frame's field
  Reader *read;
  bool of_strain;
  StViewField field;
} Source;

static const Source sources[] = {
    {"velocity", 3, read_vector, false, {"speed", "Velocity", "m/s", ST_VIEW_VECTOR, 3, NULL}},
    {"force_contact",
     3,
     read_vector,
     false,
     {"contact", "Contact force", "N", ST_VIEW_VECTOR, 3, NULL}},
    {"force_friction",
     3,
     read_vector,
     false,
     {"friction", "Friction force", "N", ST_VIEW_VECTOR, 3, NULL}},
    {"contact_pressure",
     1,
     read_scalar,
     false,
     {"pressure", "Contact pressure", "Pa", ST_VIEW_AMOUNT, 1, NULL}},
    {"contact_shear",
     3,
     read_vector,
     false,
     {"shear", "Contact shear", "Pa", ST_VIEW_VECTOR, 3, NULL}},
    {"contact_state",
     1,
     read_scalar,
     false,
     {"state", "Stick or slip", "", ST_VIEW_NUMBER, 1, NULL}},
    {"findings",
     1,
     read_finding,
     false,
     {"findings", "Findings of the judge", "", ST_VIEW_NUMBER, 1, NULL}},
    {"contact_gap", 1, read_above, false, {"gap", "Contact gap", "m", ST_VIEW_AMOUNT, 1, NULL}},
    {"contact_gap", 1, read_below, false, {"overlap", "Overlap", "m", ST_VIEW_AMOUNT, 1, NULL}},
    {"slip_speed",
     1,
     read_scalar,
     false,
     {"slip_speed", "Slip speed", "m/s", ST_VIEW_AMOUNT, 1, NULL}},
    {"held_displacement",
     1,
     read_scalar,
     false,
     {"held", "Held displacement", "m", ST_VIEW_AMOUNT, 1, NULL}},
    {"nodal_stress",
     TENSOR,
     read_stress,
     true,
     {"stress", "Stress", "Pa", ST_VIEW_SIGNED, 4 + TENSOR, of_tensor}},
    {"strain",
     TENSOR,
     read_strain,
     true,
     {"strain", "Strain", "", ST_VIEW_SIGNED, 3 + TENSOR, of_tensor + 1}},
    {"energy_density",
     1,
     read_cells,
     true,
     {"energy", "Energy density", "J/m³", ST_VIEW_AMOUNT, 1, NULL}},
};

static const Source *source_of(const StViewField *field) {
  for (int i = 0; i < ST_LENGTH(sources); i++)
    if (&sources[i].field == field)
      return &sources[i];
  return NULL;
}

StViewKind st_view_field_kind(const StViewField *field, int component) {
  return field->component ? field->component[component].kind : field->kind;
}

static bool has_soft_body(const StDescription *description) {
  for (int b = 0; b < description->body_count; b++)
    if (!description->body[b].rigid)
      return true;
  return false;
}

// NULL if the frame has no such field, or one of another shape.
static const StGridArray *find(const StFrameFields *fields, const Source *source) {
  const StGridArray *field = st_frame_fields_find(fields, source->name);
  return field && field->components == source->components ? field : NULL;
}

static StStatus mark_found(const StRecording *recording, int frame, bool *found, StError *error) {
  StFrameFields *fields = NULL;
  ST_TRY(st_frame_fields_open(recording, frame, &fields, error));
  for (int i = 0; i < ST_LENGTH(sources); i++)
    if (find(fields, &sources[i]))
      found[i] = !sources[i].of_strain || has_soft_body(recording->description);
  st_frame_fields_close(fields);
  return ST_OK;
}

static void add(StViewFields *fields, const StViewField *field) {
  fields->field[fields->count++] = field;
  fields->number_count += field->count;
}

StStatus st_view_fields_choose(const StRecording *recording, StViewFields *fields, StError *error) {
  bool found[ST_LENGTH(sources)] = {false};
  _Static_assert(ST_LENGTH(sources) <= ST_VIEW_FIELDS, "room for all fields");
  *fields = (StViewFields){0};
  ST_TRY(mark_found(recording, 0, found, error));
  ST_TRY(mark_found(recording, recording->frame_count - 1, found, error));
  for (int i = 0; i < ST_LENGTH(sources); i++)
    if (found[i])
      add(fields, &sources[i].field);
  return ST_OK;
}

StViewFields st_view_fields_only(const StViewFields *fields, const char *name) {
  StViewFields only = {0};
  for (int i = 0; i < fields->count; i++)
    if (strcmp(fields->field[i]->name, name) == 0)
      add(&only, fields->field[i]);
  return only;
}

// Whether a list of names, separated by commas, has this one.
static bool is_listed(const char *names, const char *name) {
  size_t length = strlen(name);
  for (const char *at = names; *at;) {
    size_t own = strcspn(at, ",");
    if (own == length && strncmp(at, name, own) == 0)
      return true;
    at += own + (at[own] == ',');
  }
  return false;
}

static bool is_kept(const char *names, const char *name) {
  return names ? strcmp(names, "all") == 0 || is_listed(names, name) : strcmp(name, "strain") != 0;
}

static StStatus fail_unknown(const StViewFields *fields, const char *name, size_t length,
                             StError *error) {
  ST_FINALLY(st_text_free) StText known = {0};
  const char *before = "";
  for (int i = 0; i < fields->count; i++) {
    const char *own = source_of(fields->field[i])->name;
    if (strcmp(own, before) != 0)
      st_text_add(&known, "%s%s", i ? ", " : "", own);
    before = own;
  }
  return st_fail(error, ST_BAD_INPUT, "the viewer finds no field '%.*s' in the frames, but %s",
                 (int)length, name, known.data ? known.data : "none at all");
}

static StStatus check_names(const StViewFields *fields, const char *names, StError *error) {
  for (const char *at = names;; at++) {
    size_t length = strcspn(at, ",");
    bool known = false;
    for (int i = 0; i < fields->count && !known; i++) {
      const char *name = source_of(fields->field[i])->name;
      known = strlen(name) == length && strncmp(name, at, length) == 0;
    }
    if (!known)
      return fail_unknown(fields, at, length, error);
    at += length;
    if (!*at)
      return ST_OK;
  }
}

StStatus st_view_fields_keep(StViewFields *fields, const char *names, StError *error) {
  StViewFields kept = {0};
  if (names && strcmp(names, "all") != 0)
    ST_TRY(check_names(fields, names, error));
  for (int i = 0; i < fields->count; i++)
    if (is_kept(names, source_of(fields->field[i])->name))
      add(&kept, fields->field[i]);
  *fields = kept;
  return ST_OK;
}

static StStatus read_position(const StFrameFields *fields, const StViewSurface *surface,
                              double *position, StError *error) {
  ST_FREE double *all = NULL;
  ST_TRY(st_frame_fields_position(fields, &all, error));
  for (int v = 0; v < surface->vertex_count; v++)
    vec3_copy(all + 3 * (size_t)surface->vertex[v], position + 3 * (size_t)v);
  return ST_OK;
}

static StStatus read_source(const StFrameFields *fields, const Source *source,
                            const StViewSurface *surface, float *value, StError *error) {
  const StGridArray *field = find(fields, source);
  size_t count = (size_t)source->field.count * (size_t)surface->vertex_count;
  memset(value, 0, count * sizeof *value);
  if (!field)
    return ST_OK;
  ST_FREE double *from = NULL;
  ST_TRY(st_frame_fields_read(fields, field, &from, error));
  bool good = source->read(surface, from, value);
  return good ? ST_OK : st_fail_memory(error);
}

StStatus st_view_fields_read(const StRecording *recording, int frame, const StViewSurface *surface,
                             const StViewFields *fields, double *position, float *value,
                             StError *error) {
  StFrameFields *opened = NULL;
  ST_TRY(st_frame_fields_open(recording, frame, &opened, error));
  StStatus status = position ? read_position(opened, surface, position, error) : ST_OK;
  for (int i = 0; i < fields->count && status == ST_OK; i++) {
    status = read_source(opened, source_of(fields->field[i]), surface, value, error);
    value += (size_t)fields->field[i]->count * (size_t)surface->vertex_count;
  }
  st_frame_fields_close(opened);
  return status;
}
