// Tunables of the process: see tunables.h.
#include "base/tunables.h"

#include <string.h>

// The only state of the process beside the runtime: calls of the library are one at a time.
static struct {
  int holders, count;
  const StTunableSetting *setting;
} held;

const StTunableTable *st_tunables_find(const StTunableTable *const *tables, const char *name,
                                       int *row) {
  for (; *tables; tables++)
    for (*row = 0; *row < (*tables)->count; ++*row)
      if (strcmp(name, (*tables)->row[*row].name) == 0)
        return *tables;
  return NULL;
}

static bool is_held(const StTunableSetting *setting, int count) {
  for (int i = 0; i < count; i++)
    if (setting[i].table->value[setting[i].row] != setting[i].value)
      return false;
  return count == held.count;
}

static void put_initial(void) {
  for (int i = 0; i < held.count; i++) {
    const StTunableSetting *setting = &held.setting[i];
    setting->table->value[setting->row] = setting->table->row[setting->row].initial;
  }
  held.count = 0;
}

StStatus st_tunables_hold(const StTunableSetting *setting, int count, StError *error) {
  if (held.holders > 0 && !is_held(setting, count))
    return st_fail(error, ST_BAD_INPUT,
                   "tunable: these values belong to the process, and another simulation of it has "
                   "others; run them in separate processes");
  if (held.holders++ > 0)
    return ST_OK;
  held.setting = setting;
  held.count = count;
  for (int i = 0; i < count; i++)
    setting[i].table->value[setting[i].row] = setting[i].value;
  return ST_OK;
}

void st_tunables_release(void) {
  if (held.holders > 0 && --held.holders == 0)
    put_initial();
}
