// Tunables of the process: see tunables.h.
#include "base/tunables.h"

#include <pthread.h>
#include <string.h>

// State of the process: values change only while nobody holds any. The settings are a copy, for
// the first holder may go before the last.
static struct {
  pthread_mutex_t lock;
  int holders, count;
  StTunableSetting *setting;
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

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
  free(held.setting);
  held.setting = NULL;
  held.count = 0;
}

static StStatus put(const StTunableSetting *setting, int count, StError *error) {
  ST_TRY_MEMORY(held.setting = ST_NEW(StTunableSetting, count), error);
  held.count = count;
  for (int i = 0; i < count; i++) {
    held.setting[i] = setting[i];
    setting[i].table->value[setting[i].row] = setting[i].value;
  }
  return ST_OK;
}

static StStatus hold(const StTunableSetting *setting, int count, StError *error) {
  if (held.holders > 0 && !is_held(setting, count))
    return st_fail(error, ST_BAD_INPUT,
                   "tunable: these values belong to the process, and another simulation of it has "
                   "others; run them in separate processes");
  if (held.holders == 0)
    ST_TRY(put(setting, count, error));
  held.holders++;
  return ST_OK;
}

StStatus st_tunables_hold(const StTunableSetting *setting, int count, StError *error) {
  pthread_mutex_lock(&held.lock);
  StStatus status = hold(setting, count, error);
  pthread_mutex_unlock(&held.lock);
  return status;
}

void st_tunables_release(void) {
  pthread_mutex_lock(&held.lock);
  if (held.holders > 0 && --held.holders == 0)
    put_initial();
  pthread_mutex_unlock(&held.lock);
}
