// Finds the worst vertex and its strongest force.
#include "step/diagnose.h"

#include "math/vec3.h"
#include "solve/runtime.h"

#include <mpi.h>
#include <stdio.h>

typedef struct Culprit {
  double speed; // residual, m/s
  int vertex;   // description's number
  int force;    // index
  double strength, position[3];
} Culprit;

static Culprit worst_here(const StAttempt *attempt, int *local) {
  const StStageProblem *stage = attempt->solving.stage;
  const StPiece *piece = stage->system->piece;
  Culprit worst = {.speed = -1, .vertex = -1};
  for (int i = 0; i < piece->owned_count; i++) {
    double v[3];
    for (int c = 0; c < 3; c++)
      v[c] = stage->scale[3 * i + c] * attempt->solving.residual[3 * i + c];
    double speed = vec3_length(v);
    if (speed <= worst.speed)
      continue;
    worst.speed = speed;
    worst.vertex = piece->vertex_id[i];
    vec3_copy(stage->position + 3 * i, worst.position);
    *local = i;
  }
  return worst;
}

// Which force is largest at the vertex; forces are evaluated by all ranks, read by the one
// concerned.
static void find_force(const StAttempt *attempt, int local, Culprit *culprit) {
  StStageProblem *stage = attempt->solving.stage;
  StPoint at = st_stage_point(stage, stage->time);
  for (int f = 0; f < stage->system->force_count; f++) {
    st_system_single_force(stage->system, f, &at, stage->result);
    double strength = local >= 0 ? vec3_length(stage->result + 3 * local) : 0;
    if (strength > culprit->strength) {
      culprit->strength = strength;
      culprit->force = f;
    }
  }
}

static Culprit find_culprit(const StAttempt *attempt) {
  int local = -1;
  Culprit mine = worst_here(attempt, &local);
  find_force(attempt, local, &mine);
  if (st_runtime_size() == 1)
    return mine;
  struct {
    double speed;
    int rank;
  } here = {mine.speed, st_runtime_rank()}, worst;
  MPI_Allreduce(&here, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Bcast(&mine, (int)sizeof mine, MPI_BYTE, worst.rank, MPI_COMM_WORLD);
  return mine;
}

void st_diagnose_vertex(const StDescription *description, int vertex, char *text, size_t size) {
  int offset = 0;
  for (int b = 0; b < description->body_count; b++) {
    int count = description->body[b].mesh->vertex_count;
    if (vertex < offset + count) {
      snprintf(text, size, "vertex %d of body \"%s\"", vertex - offset, description->body[b].name);
      return;
    }
    offset += count;
  }
  snprintf(text, size, "vertex %d", vertex);
}

StStatus st_diagnose(const StAttempt *attempt, const StState *state, double h, StError *error) {
  const StStageProblem *stage = attempt->solving.stage;
  const StNewtonResult *newton = &attempt->solving.newton;
  const StDescription *description = stage->system->description;
  char where[160], more[1024] = "";
  if (newton->reason == ST_NEWTON_BAD_START && stage->trouble.vertex >= 0) {
    st_diagnose_vertex(description, stage->trouble.vertex, where, sizeof where);
    return st_fail(error, ST_NOT_SOLVED,
                   "time %.6g s: no step down to %.3g s could be solved: %s: %s, at %s (force "
                   "\"%s\", element %d)",
                   state->time, h, st_newton_reason_text(newton->reason), stage->trouble.reason,
                   where, stage->trouble.force, stage->trouble.element);
  }
  if (newton->reason == ST_NEWTON_BAD_START && stage->trouble.reason)
    return st_fail(error, ST_NOT_SOLVED,
                   "time %.6g s: no step down to %.3g s could be solved: %s: force \"%s\": %s",
                   state->time, h, st_newton_reason_text(newton->reason), stage->trouble.force,
                   stage->trouble.reason);
  Culprit culprit = find_culprit(attempt);
  st_diagnose_vertex(description, culprit.vertex, where, sizeof where);
  if (newton->reason == ST_NEWTON_LINEAR_FAILED)
    snprintf(more, sizeof more, " (%.900s)", newton->detail.text);
  return st_fail(
      error, ST_NOT_SOLVED,
      "time %.6g s: no step down to %.3g s could be solved: %s%s after %d iterations; the "
      "residual is largest, %.3g m/s, at %s, position (%.6g, %.6g, %.6g), where force "
      "\"%s\" is strongest (%.3g N)",
      state->time, h, st_newton_reason_text(newton->reason), more, newton->iterations,
      culprit.speed, where, culprit.position[0], culprit.position[1], culprit.position[2],
      stage->system->force[culprit.force].type->name, culprit.strength);
}
