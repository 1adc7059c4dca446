// Gathers positions for the independent check and broadcasts the findings.
// Tested by tests/parallel/test_judge_ranks.c.
#include "step/inspection.h"

#include "base/memory.h"
#include "solve/runtime.h"

#include <string.h>

StStatus st_inspection_create(const StDescription *description, const StGather *gather,
                              StInspection **result, StError *error) {
  StInspection *inspection = ST_NEW(StInspection, 1);
  StStatus status = inspection ? ST_OK : st_fail_memory(error);
  if (inspection) {
    inspection->gather = gather;
    inspection->mode = description->output.judge;
    if (inspection->mode != ST_JUDGE_OFF && st_runtime_rank() == 0)
      status = st_judge_create(description, &inspection->judge, error);
  }
  status = st_runtime_agree(status, error);
  if (status != ST_OK) {
    st_inspection_destroy(inspection);
    return status;
  }
  *result = inspection;
  return ST_OK;
}

void st_inspection_destroy(StInspection *inspection) {
  if (!inspection)
    return;
  st_judge_destroy(inspection->judge);
  free(inspection);
}

// On rank 0, with the positions of all bodies.
static StStatus check(StJudge *judge, const StInspected *state, const double *whole,
                      const double *before, StJudgement *found, StError *error) {
  if (!whole)
    return ST_OK;
  ST_TRY(st_judge_check(judge, state->time, whole, found, error));
  return before ? st_judge_sweep(judge, state->start, before, state->time, whole, found, error)
                : ST_OK;
}

StStatus st_inspection_look(StInspection *inspection, const StInspected *state, StReport *report,
                            StError *error) {
  StJudgeReport *judge = &report->judge;
  memset(judge, 0, sizeof *judge);
  report->judged = &inspection->record;
  judge->mode = inspection->mode;
  judge->checked = inspection->mode == ST_JUDGE_STEPS ||
                   (inspection->mode == ST_JUDGE_FRAMES && state->on_frame);
  if (!judge->checked)
    return ST_OK;
  ST_FREE double *whole = NULL, *before = NULL;
  StStatus status = st_gather_vertices(inspection->gather, state->position, 3, &whole, error);
  if (status == ST_OK && state->before)
    status = st_gather_vertices(inspection->gather, state->before, 3, &before, error);
  if (status == ST_OK)
    status = check(inspection->judge, state, whole, before, &judge->found, error);
  ST_TRY(st_runtime_agree(status, error));
  st_runtime_share(0, &judge->found, sizeof judge->found);
  return ST_OK;
}

static void count_kind(const StFinding *finding, double time, StFindingRecord *record) {
  if (finding->count == 0)
    return;
  if (record->states++ == 0) {
    record->first_time = time;
    record->body = finding->body;
    record->other = finding->other;
    record->obstacle = finding->obstacle;
  }
  if (finding->count > record->most) {
    record->most = finding->count;
    record->most_time = time;
  }
}

void st_inspection_count(StInspection *inspection, const StReport *report, bool is_start) {
  StJudgeRecord *record = &inspection->record;
  if (!report->judge.checked)
    return;
  record->starts += is_start;
  record->steps += !is_start;
  record->found += !st_judgement_is_clean(&report->judge.found);
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    count_kind(&report->judge.found.kind[k], report->time, &record->kind[k]);
}

StStatus st_inspection_mark(const StInspection *inspection, const StReport *report,
                            const StGather *gather, StSnapshot *snapshot, StError *error) {
  const StJudge *judge = inspection->judge; // of rank 0
  if (!report->judge.checked)
    return ST_OK;
  ST_TRY(st_gather_deal_vertices(gather, judge ? st_judge_vertex_marks(judge) : NULL,
                                 &snapshot->findings, error));
  return st_gather_deal_tets(gather, judge ? st_judge_tet_marks(judge) : NULL, &snapshot->inverted,
                             error);
}
