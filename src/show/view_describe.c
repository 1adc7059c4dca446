// The JSON object that describes a run to the viewer's page.
#include "base/json_text.h"
#include "base/memory.h"
#include "contact/core/obstacle.h"
#include "math/vec3.h"
#include "show/view_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void st_view_run_name(const StViewRun *run, char *name, size_t size) {
  ST_FREE char *path = realpath(run->recording.folder, NULL);
  const char *whole = path ? path : run->recording.folder, *slash = strrchr(whole, '/');
  snprintf(name, size, "%s", slash && slash[1] ? slash + 1 : whole);
}

static void add_facts(const StViewRun *run, StJsonOut *out) {
  const StRecording *recording = &run->recording;
  char name[256];
  st_view_run_name(run, name, sizeof name);
  st_json_string(out, "name", name);
  st_json_string(out, "title", recording->description->title);
  st_json_string(out, "state", st_recording_state_name(recording->state));
  st_json_string(out, "reason", recording->reason);
  st_json_number(out, "generation", run->generation);
  st_json_number(out, "every", run->every);
  st_json_number(out, "duration", recording->description->time.duration);
  st_json_number(out, "tet_count", (double)recording->cost.tets);
  st_json_number(out, "inside_count", run->surface.tet_count);
  st_json_number(out, "outer_count", run->surface.outer_count);
  st_json_number(out, "vertex_count", run->surface.vertex_count);
  st_json_number(out, "triangle_count", run->surface.skin.triangle_count);
}

// Against gravity; z where there is none.
static void add_up(const StDescription *description, StJsonOut *out) {
  double length = vec3_length(description->gravity), up[3] = {0, 0, 1};
  for (int i = 0; i < 3 && length > 0; i++)
    up[i] = -description->gravity[i] / length;
  st_json_key(out, "up");
  st_text_add(out->text, "[%.9g,%.9g,%.9g]", up[0], up[1], up[2]);
}

static void add_names(const StDescription *description, StJsonOut *out) {
  StJsonOut bodies = st_json_line(out, "bodies", '[');
  for (int i = 0; i < description->body_count; i++)
    st_json_string(&bodies, NULL, description->body[i].name);
  st_json_end(&bodies);
  StJsonOut materials = st_json_line(out, "materials", '[');
  for (int i = 0; i < description->material_count; i++)
    st_json_string(&materials, NULL, description->material[i].name);
  st_json_end(&materials);
}

// Vertex numbers within a body count from its first one.
static void add_first_vertices(const StRecording *recording, StJsonOut *out) {
  StJsonOut list = st_json_line(out, "first_vertices", '[');
  for (int i = 0; i < recording->description->body_count; i++)
    st_json_number(&list, NULL, st_recording_first_vertex(recording, i));
  st_json_end(&list);
}

static const char *kind_name(StViewKind kind) {
  static const char *const name[] = {[ST_VIEW_AMOUNT] = "amount",
                                     [ST_VIEW_SIGNED] = "signed",
                                     [ST_VIEW_NUMBER] = "number",
                                     [ST_VIEW_VECTOR] = "vector"};
  return name[kind];
}

static void add_components(const StViewField *field, StJsonOut *out) {
  StJsonOut list = st_json_line(out, "components", '[');
  for (int i = 0; i < field->count; i++) {
    StJsonOut one = st_json_line(&list, NULL, '{');
    st_json_string(&one, "name", field->component[i].name);
    st_json_string(&one, "label", field->component[i].label);
    st_json_string(&one, "kind", kind_name(field->component[i].kind));
    st_json_end(&one);
  }
  st_json_end(&list);
}

static void add_fields(const StViewFields *fields, StJsonOut *out) {
  StJsonOut list = st_json_line(out, "fields", '[');
  for (int i = 0; i < fields->count; i++) {
    const StViewField *field = fields->field[i];
    StJsonOut one = st_json_line(&list, NULL, '{');
    st_json_string(&one, "name", field->name);
    st_json_string(&one, "label", field->label);
    st_json_string(&one, "unit", field->unit);
    if (field->component)
      add_components(field, &one);
    else
      st_json_string(&one, "kind", kind_name(field->kind));
    st_json_end(&one);
  }
  st_json_end(&list);
}

// release: null if the vertices stay held.
static void add_boundaries(const StDescription *description, StJsonOut *out) {
  StJsonOut list = st_json_line(out, "boundaries", '[');
  for (int i = 0; i < description->boundary_count; i++) {
    const StBoundaryDesc *boundary = &description->boundary[i];
    char axes[4] = "";
    for (int k = 0, count = 0; k < 3; k++)
      if (boundary->axis[k])
        axes[count++] = "xyz"[k];
    StJsonOut one = st_json_line(&list, NULL, '{');
    st_json_string(&one, "name", boundary->name);
    st_json_number(&one, "vertices", boundary->vertex_count);
    st_json_string(&one, "axes", axes);
    st_json_number(&one, "release", boundary->release);
    st_json_end(&one);
  }
  st_json_end(&list);
}

static void add_times(const StViewRun *run, StJsonOut *out) {
  st_json_key(out, "times");
  for (int i = 0; i < st_view_run_frames(run); i++)
    st_text_add(out->text, "%s%.9g", i ? "," : "[",
                run->recording.frame_time[st_view_run_frame(run, i)]);
  st_text_add(out->text, "]");
}

// Rotation (row-major) and origin; once for a fixed obstacle, otherwise for each frame.
static void add_poses(const StViewRun *run, const StObstacleDesc *obstacle, StJsonOut *out) {
  int count = st_motion_moves(&obstacle->motion) ? st_view_run_frames(run) : 1;
  st_json_key(out, "poses");
  for (int i = 0; i < count; i++) {
    StObstacleNow now;
    st_obstacle_at(obstacle, run->recording.frame_time[st_view_run_frame(run, i)], &now);
    for (int k = 0; k < 12; k++)
      st_text_add(out->text, "%s%.7g", i || k ? "," : "[",
                  k < 9 ? now.rotation[k] : now.origin[k - 9]);
  }
  st_text_add(out->text, "]");
}

static void add_obstacles(const StViewRun *run, StJsonOut *out) {
  const StDescription *description = run->recording.description;
  StJsonOut obstacles = st_json_line(out, "obstacles", '[');
  for (int i = 0; i < description->obstacle_count; i++) {
    const StObstacleDesc *obstacle = &description->obstacle[i];
    StJsonOut one = st_json_line(&obstacles, NULL, '{');
    st_json_string(&one, "name", obstacle->name);
    st_json_string(&one, "shape", obstacle->shape.name);
    add_poses(run, obstacle, &one);
    st_json_end(&one);
  }
  st_json_end(&obstacles);
}

// All columns: the user chooses in the page what to plot.
static void add_history(const StRecording *recording, StJsonOut *out) {
  StJsonOut history = st_json_line(out, "history", '{');
  st_json_number(&history, "rows", (double)recording->rows);
  StJsonOut columns = st_json_line(&history, "columns", '[');
  for (int c = 0; c < recording->column_count; c++) {
    StJsonOut column = st_json_line(&columns, NULL, '{');
    st_json_string(&column, "name", recording->name[c]);
    st_json_string(&column, "unit", recording->unit[c]);
    st_json_end(&column);
  }
  st_json_end(&columns);
  st_json_end(&history);
}

StStatus st_view_run_describe(const StViewRun *run, const char *packs, StText *json,
                              StError *error) {
  StJsonOut out = st_json_begin(json, '{', -1);
  add_facts(run, &out);
  add_up(run->recording.description, &out);
  add_names(run->recording.description, &out);
  add_first_vertices(&run->recording, &out);
  add_fields(&run->fields, &out);
  add_boundaries(run->recording.description, &out);
  add_times(run, &out);
  add_obstacles(run, &out);
  add_history(&run->recording, &out);
  if (packs) {
    st_json_key(&out, "packs");
    st_text_add(json, "%s", packs);
  }
  st_json_end(&out);
  return json->failed ? st_fail_memory(error) : ST_OK;
}
