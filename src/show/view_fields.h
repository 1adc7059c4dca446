// The fields of a frame that the viewer's page can show, as one number per vertex of its surface.
#pragma once

#include "replay/frame_fields.h"
#include "show/view_surface.h"

typedef enum StViewPlaneKind {
  ST_VIEW_AMOUNT, // from 0 up, packed as the square root of its ratio to the largest
  ST_VIEW_NUMBER, // a small whole number
} StViewPlaneKind;

enum { ST_VIEW_PLANES = 16 }; // over everything that can be shown

// One number per vertex and frame. A vector has three planes: its length and two numbers for its
// direction, a point of the octahedron unfolded into a square, 0 … 255 along its sides.
typedef struct StViewPlane {
  const char *name;  // "contact", "contact_a", "contact_b"
  const char *label; // for display; NULL: not used for colours
  const char *unit;
  StViewPlaneKind kind;
} StViewPlane;

typedef struct StViewPlanes {
  int count;
  StViewPlane plane[ST_VIEW_PLANES];
} StViewPlanes;

// The planes that the run has data for: decided by its first and its last frame.
StStatus st_view_planes_choose(const StRecording *recording, StViewPlanes *planes, StError *error);

// position: [vertex_count][3]; value: [planes][vertex_count]. A field missing in one frame is 0.
StStatus st_view_fields_read(const StRecording *recording, int frame, const StViewSurface *surface,
                             const StViewPlanes *planes, double *position, float *value,
                             StError *error);
