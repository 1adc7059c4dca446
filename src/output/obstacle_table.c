// Poses of obstacles as text: rotation, row by row, and shift, x = rotation X + shift.
#include "output/obstacle_table.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/history.h"

#include <stdlib.h>
#include <string.h>

static const char HEADING[] = "time [s],obstacle,shift_x [m],shift_y [m],shift_z [m],rotation_xx,"
                              "rotation_xy,rotation_xz,rotation_yx,rotation_yy,rotation_yz,"
                              "rotation_zx,rotation_zy,rotation_zz\n";

struct StObstacleTable {
  StText rows;
};

StStatus st_obstacle_table_create(StObstacleTable **table, StError *error) {
  ST_TRY_MEMORY(*table = ST_NEW(StObstacleTable, 1), error);
  return ST_OK;
}

void st_obstacle_table_destroy(StObstacleTable *table) {
  if (!table)
    return;
  st_text_free(&table->rows);
  free(table);
}

static void add_row(StText *rows, const char *name, double time, const StRigidPose *pose) {
  st_text_add(rows, "%.17g,", time);
  st_history_add_name(rows, name);
  for (int k = 0; k < 3; k++)
    st_text_add(rows, ",%.17g", pose->shift[k]);
  for (int k = 0; k < 9; k++)
    st_text_add(rows, ",%.17g", pose->rotation[k]);
  st_text_add(rows, "\n");
}

StStatus st_obstacle_table_add(StObstacleTable *table, const StDescription *description,
                               double time, StError *error) {
  size_t begin = table->rows.length;
  for (int i = 0; i < description->obstacle_count; i++) {
    const StObstacleDesc *obstacle = &description->obstacle[i];
    StRigidPose pose;
    if (!obstacle->motion.driver)
      continue;
    st_motion_pose(&obstacle->motion, time, &pose);
    add_row(&table->rows, obstacle->name, time, &pose);
  }
  if (!table->rows.failed)
    return ST_OK;
  table->rows.length = begin; // whole rows only
  table->rows.failed = false;
  return st_fail_memory(error);
}

void st_obstacle_table_cut(StObstacleTable *table, double time) {
  const char *line = table->rows.data;
  while (line && *line && strtod(line, NULL) < time) {
    const char *end = strchr(line, '\n');
    line = end ? end + 1 : line + strlen(line);
  }
  if (!line)
    return;
  table->rows.length = (size_t)(line - table->rows.data);
  table->rows.data[table->rows.length] = 0;
}

StStatus st_obstacle_table_publish(const StObstacleTable *table, const char *path, StError *error) {
  if (table->rows.length == 0)
    return ST_OK;
  ST_FINALLY(st_text_free) StText whole = {0};
  st_text_add_bytes(&whole, HEADING, sizeof HEADING - 1);
  st_text_add_bytes(&whole, table->rows.data, table->rows.length);
  return whole.failed ? st_fail_memory(error)
                      : st_file_write(path, whole.data, whole.length, error);
}

StStatus st_obstacle_table_load(StObstacleTable *table, const char *path, StError *error) {
  bool found = false;
  ST_TRY(st_file_find(path, &found, error));
  if (!found)
    return ST_OK;
  ST_FREE char *text = NULL;
  size_t size = 0, heading = sizeof HEADING - 1;
  ST_TRY(st_file_read(path, &text, &size, error));
  if (size < heading || memcmp(text, HEADING, heading) != 0)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged (line 1 is not what it was)", path);
  st_text_add_bytes(&table->rows, text + heading, size - heading);
  ST_TRY_MEMORY(!table->rows.failed, error);
  return ST_OK;
}
