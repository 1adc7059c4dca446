// tunable: {"flush_cosine": 0.999}: numbers of the engine, changed for an experiment.
#include "scene/parts.h"

#include "base/memory.h"
#include "contact/tunables.h"
#include "force/tunables.h"
#include "model/tunables.h"
#include "scene/suggest.h"
#include "scene/tunables.h"
#include "solve/tunables.h"
#include "step/tunables.h"

#include <math.h>

const StTunableTable *const st_tunable_tables[] = {&st_contact_tunable_table,
                                                   &st_force_tunable_table,
                                                   &st_model_tunable_table,
                                                   &st_scene_tunable_table,
                                                   &st_solve_tunable_table,
                                                   &st_step_tunable_table,
                                                   NULL};

static StStatus fail_unknown(const StReader *reader, const StJson *at) {
  StSuggestion suggestion = {.wanted = at->key};
  for (const StTunableTable *const *table = st_tunable_tables; *table; table++)
    for (int i = 0; i < (*table)->count; i++)
      st_suggestion_add(&suggestion, (*table)->row[i].name);
  StStatus status =
      st_reader_fail_key(reader, at, "unknown tunable; known: %s", st_suggestion_text(&suggestion));
  st_suggestion_free(&suggestion);
  return status;
}

static StStatus read_tunable(StReader *reader, const StJson *at, StTunableSetting *setting) {
  const StParam param = {.name = at->key, .min = 0, .max = INFINITY};
  setting->table = st_tunables_find(st_tunable_tables, at->key, &setting->row);
  if (!setting->table)
    return fail_unknown(reader, at);
  return st_reader_param(reader, at, &param, &setting->value);
}

StStatus st_scene_read_tunables(StReader *reader, const StJson *at) {
  StDescription *description = reader->description;
  if (!at)
    return ST_OK;
  description->tunable = ST_NEW(StTunableSetting, at->child_count);
  if (!description->tunable)
    return st_fail_memory(reader->error);
  for (const StJson *item = at->child; item; item = item->next) {
    StTunableSetting *setting = &description->tunable[description->tunable_count];
    ST_TRY(read_tunable(reader, item, setting));
    description->tunable_count++;
  }
  return ST_OK;
}
