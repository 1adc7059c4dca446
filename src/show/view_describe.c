// The JSON object that describes a run to the viewer's page.
#include "base/json_text.h"
#include "base/memory.h"
#include "contact/core/obstacle.h"
#include "math/vec3.h"
#include "show/view_history.h"
#include "show/view_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void st_view_run_name(const StViewRun *run, char *name, size_t size) {
  ST_FREE char *path = realpath(run->recording.folder, NULL);
  const char *whole = path ? path : run->recording.folder, *slash = strrchr(whole, '/');
  snprintf(name, size, "%s", slash && slash[1] ? slash + 1 : whole);
}

static void add_named(StText *json, const char *key, const char *value) {
  st_text_add(json, "\"%s\":", key);
  st_json_text_add_string(json, value);
}

static void add_facts(const StViewRun *run, StText *json) {
  const StRecording *recording = &run->recording;
  char name[256];
  st_view_run_name(run, name, sizeof name);
  add_named(json, "name", name);
  st_text_add(json, ",");
  add_named(json, "title", recording->description->title);
  st_text_add(json, ",");
  add_named(json, "state", st_recording_state_name(recording->state));
  st_text_add(json, ",");
  add_named(json, "reason", recording->reason);
  st_text_add(json, ",\"generation\":%d,\"every\":%d,\"duration\":%.9g", run->generation,
              run->every, recording->description->time.duration);
  st_text_add(json,
              ",\"tet_count\":%ld,\"inside_count\":%d,\"outer_count\":%d,\"vertex_count\":%d,"
              "\"triangle_count\":%d",
              recording->cost.tets, run->surface.tet_count, run->surface.outer_count,
              run->surface.vertex_count, run->surface.skin.triangle_count);
}

// Against gravity; z where there is none.
static void add_up(const StDescription *description, StText *json) {
  double length = vec3_length(description->gravity), up[3] = {0, 0, 1};
  for (int i = 0; i < 3 && length > 0; i++)
    up[i] = -description->gravity[i] / length;
  st_text_add(json, ",\"up\":[%.9g,%.9g,%.9g]", up[0], up[1], up[2]);
}

static void add_names(const StDescription *description, StText *json) {
  st_text_add(json, ",\"bodies\":[");
  for (int i = 0; i < description->body_count; i++) {
    st_text_add(json, "%s", i ? "," : "");
    st_json_text_add_string(json, description->body[i].name);
  }
  st_text_add(json, "],\"materials\":[");
  for (int i = 0; i < description->material_count; i++) {
    st_text_add(json, "%s", i ? "," : "");
    st_json_text_add_string(json, description->material[i].name);
  }
  st_text_add(json, "]");
}

// Vertex numbers within a body count from its first one.
static void add_first_vertices(const StRecording *recording, StText *json) {
  st_text_add(json, ",\"first_vertices\":[");
  for (int i = 0; i < recording->description->body_count; i++)
    st_text_add(json, "%s%d", i ? "," : "", st_recording_first_vertex(recording, i));
  st_text_add(json, "]");
}

static void add_planes(const StViewPlanes *planes, StText *json) {
  bool first = true;
  st_text_add(json, ",\"planes\":[");
  for (int p = 0; p < planes->count; p++)
    st_text_add(json, "%s\"%s\"", p ? "," : "", planes->plane[p].name);
  st_text_add(json, "],\"fields\":[");
  for (int p = 0; p < planes->count; p++) {
    const StViewPlane *plane = &planes->plane[p];
    if (!plane->label)
      continue;
    st_text_add(json, "%s{\"plane\":\"%s\",\"label\":\"%s\",\"unit\":\"%s\"}", first ? "" : ",",
                plane->name, plane->label, plane->unit);
    first = false;
  }
  st_text_add(json, "]");
}

static void add_times(const StViewRun *run, StText *json) {
  st_text_add(json, ",\"times\":[");
  for (int i = 0; i < st_view_run_frames(run); i++)
    st_text_add(json, "%s%.9g", i ? "," : "", run->recording.frame_time[st_view_run_frame(run, i)]);
  st_text_add(json, "]");
}

// Rotation (row-major) and origin; once for a fixed obstacle, otherwise for each frame.
static void add_poses(const StViewRun *run, const StObstacleDesc *obstacle, StText *json) {
  int count = st_motion_moves(&obstacle->motion) ? st_view_run_frames(run) : 1;
  st_text_add(json, ",\"poses\":[");
  for (int i = 0; i < count; i++) {
    StObstacleNow now;
    st_obstacle_at(obstacle, run->recording.frame_time[st_view_run_frame(run, i)], &now);
    for (int k = 0; k < 12; k++)
      st_text_add(json, "%s%.7g", i || k ? "," : "", k < 9 ? now.rotation[k] : now.origin[k - 9]);
  }
  st_text_add(json, "]");
}

static void add_obstacles(const StViewRun *run, StText *json) {
  const StDescription *description = run->recording.description;
  st_text_add(json, ",\"obstacles\":[");
  for (int i = 0; i < description->obstacle_count; i++) {
    const StObstacleDesc *obstacle = &description->obstacle[i];
    st_text_add(json, "%s{", i ? "," : "");
    add_named(json, "name", obstacle->name);
    st_text_add(json, ",");
    add_named(json, "shape", obstacle->shape.name);
    add_poses(run, obstacle, json);
    st_text_add(json, "}");
  }
  st_text_add(json, "]");
}

StStatus st_view_run_describe(const StViewRun *run, const char *packs, StText *json,
                              StError *error) {
  st_text_add(json, "{");
  add_facts(run, json);
  add_up(run->recording.description, json);
  add_names(run->recording.description, json);
  add_first_vertices(&run->recording, json);
  add_planes(&run->planes, json);
  add_times(run, json);
  add_obstacles(run, json);
  st_text_add(json, ",\"history\":");
  st_view_history_describe(&run->recording, json);
  if (packs)
    st_text_add(json, ",\"packs\":%s", packs);
  st_text_add(json, "}");
  return json->failed ? st_fail_memory(error) : ST_OK;
}
