// The fields of a frame that the viewer's page can show, as numbers per vertex of its surface.
#pragma once

#include "replay/frame_fields.h"
#include "show/view_surface.h"

typedef enum StViewKind {
  ST_VIEW_AMOUNT, // from 0 up
  ST_VIEW_SIGNED, // of both signs
  ST_VIEW_NUMBER, // a small whole number
  ST_VIEW_VECTOR, // x, y, z
} StViewKind;

enum { ST_VIEW_FIELDS = 20, ST_VIEW_COMPONENTS = 10 }; // over everything that can be shown

typedef struct StViewComponent {
  const char *name, *label; // "xy"
  StViewKind kind;          // amount or signed
} StViewComponent;

typedef struct StViewField {
  const char *name;  // "contact"
  const char *label; // for display
  const char *unit;
  StViewKind kind;                  // of a field that is one number or a vector
  int count;                        // numbers per vertex
  const StViewComponent *component; // [count] of a tensor; NULL for others
} StViewField;

typedef struct StViewFields {
  int count;
  int number_count; // per vertex, of all fields
  const StViewField *field[ST_VIEW_FIELDS];
} StViewFields;

// The fields that the run has data for: decided by its first and its last frame.
StStatus st_view_fields_choose(const StRecording *recording, StViewFields *fields, StError *error);

// Only the field of this name, or none.
StViewFields st_view_fields_only(const StViewFields *fields, const char *name);

// Leaves out all but those of these names, separated by commas: those of the frames' fields. "all"
// keeps all; NULL leaves out what is large and rarely looked at: strain. ST_BAD_INPUT: there is no
// such field.
StStatus st_view_fields_keep(StViewFields *fields, const char *names, StError *error);

// Kind of one of a field's numbers.
StViewKind st_view_field_kind(const StViewField *field, int component);

// position: [vertex_count][3], NULL: not needed; value: [number_count][vertex_count]. A field
// missing in one frame is 0.
StStatus st_view_fields_read(const StRecording *recording, int frame, const StViewSurface *surface,
                             const StViewFields *fields, double *position, float *value,
                             StError *error);
