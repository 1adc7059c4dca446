// Drivers that answer with the row at a time, or the last one before it.
#include "replay/obstacle_poses.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "math/vec3.h"
#include "output/history.h"
#include "output/run_folder.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 12 }; // of a pose: shift, rotation

static const double SAME = 1e-9; // s; frames and rows have the same times, to rounding

typedef struct Row {
  double time, number[NUMBERS];
} Row;

typedef struct Course {
  StDriver driver;
  StMotion *motion; // NULL: none has moved it
  StMotion before;  // the scene's own, until a program moved it
  size_t count, capacity;
  Row *row; // [count] in order of time
} Course;

struct StObstaclePoses {
  int count;
  Course course[]; // [obstacles]
};

static bool give_pose(void *context, double time, StRigidPose *pose) {
  const Course *course = context;
  size_t at = 0;
  if (time + SAME < course->row[0].time) {
    st_motion_pose(&course->before, time, pose);
    return true;
  }
  while (at + 1 < course->count && course->row[at + 1].time <= time + SAME)
    at++;
  vec3_copy(course->row[at].number, pose->shift);
  memcpy(pose->rotation, course->row[at].number + 3, sizeof pose->rotation);
  return true;
}

void st_obstacle_poses_destroy(StObstaclePoses *poses) {
  if (!poses)
    return;
  for (int i = 0; i < poses->count; i++) {
    Course *course = &poses->course[i];
    if (course->motion && course->motion->driver == &course->driver)
      course->motion->driver = NULL;
    free(course->row);
  }
  free(poses);
}

// The obstacle of a name as tables have it; -1: there is none.
static int find(const StDescription *description, const char *name, size_t length) {
  for (int i = 0; i < description->obstacle_count; i++) {
    ST_FINALLY(st_text_free) StText own = {0};
    st_history_add_name(&own, description->obstacle[i].name);
    if (!own.failed && own.length == length && memcmp(own.data, name, length) == 0)
      return i;
  }
  return -1;
}

static bool read_row(const char *cell, Row *row) {
  char *end;
  for (int k = 0; k < NUMBERS; k++, cell = end) {
    if (*cell++ != ',')
      return false;
    row->number[k] = strtod(cell, &end);
    if (end == cell || !isfinite(row->number[k]))
      return false;
  }
  return *cell == '\n';
}

static StStatus take_line(const char *path, const char *line, long number,
                          StDescription *description, StObstaclePoses *poses, StError *error) {
  char *end;
  Row row = {.time = strtod(line, &end)};
  const char *name = end + 1;
  size_t length = *end == ',' ? strcspn(name, ",\n") : 0;
  int index = length ? find(description, name, length) : -1;
  if (end == line || index < 0 || !read_row(name + length, &row))
    return st_fail(error, ST_BAD_INPUT,
                   "%s: line %ld is damaged: a time, an obstacle of the scene and %d numbers are "
                   "needed",
                   path, number, NUMBERS);
  Course *course = &poses->course[index];
  ST_TRY_MEMORY(st_grow((void **)&course->row, &course->capacity, course->count + 1, sizeof(Row)),
                error);
  course->row[course->count++] = row;
  course->motion = &description->obstacle[index].motion;
  course->before = *course->motion;
  course->before.driver = NULL;
  course->driver = (StDriver){.pose = give_pose, .context = course};
  return ST_OK;
}

static StStatus take_lines(const char *path, const char *text, StDescription *description,
                           StObstaclePoses *poses, StError *error) {
  long number = 1;
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n'))
    ST_TRY(take_line(path, line + 1, ++number, description, poses, error));
  for (int i = 0; i < poses->count; i++)
    if (poses->course[i].motion)
      poses->course[i].motion->driver = &poses->course[i].driver;
  return ST_OK;
}

StStatus st_obstacle_poses_load(const char *folder, StDescription *description,
                                StObstaclePoses **result, StError *error) {
  ST_FREE char *path = st_run_folder_file(folder, "obstacles.csv"), *text = NULL;
  size_t size = 0, count = (size_t)description->obstacle_count;
  *result = NULL;
  ST_TRY_MEMORY(path, error);
  if (!st_file_exists(path))
    return ST_OK;
  ST_TRY(st_file_read(path, &text, &size, error));
  StObstaclePoses *poses = st_new_array(1, sizeof *poses + count * sizeof(Course));
  ST_TRY_MEMORY(poses, error);
  poses->count = (int)count;
  StStatus status = take_lines(path, text, description, poses, error);
  if (status == ST_OK)
    *result = poses;
  else
    st_obstacle_poses_destroy(poses);
  return status;
}
