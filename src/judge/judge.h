// An independent check of a state: what passes through what, what is inside what, what is inverted;
// and of the step that led to it: what passed through what on the way. It uses positions and the
// description only, shares nothing with the contact code that it checks, and changes nothing.
#pragma once

#include "model/description.h"

typedef enum StFindingKind {
  ST_FOUND_CROSSING,          // an edge of one body through a triangle of another
  ST_FOUND_SELF_CROSSING,     // an edge of a body through a triangle of the same body
  ST_FOUND_OBSTACLE_CROSSING, // a triangle that reaches into an obstacle in closed form; or an edge
                              // through a triangle, one of a body and one of a mesh obstacle
  ST_FOUND_INSIDE,            // a surface vertex inside another body's tets or an obstacle
  ST_FOUND_INVERTED,          // a tet without positive volume
  ST_FOUND_PASSAGE,           // two triangles that passed through each other in the step
  ST_FOUND_KINDS
} StFindingKind;

// "crossings", "self_crossings" …: names of columns and keys.
extern const char *const st_finding_name[ST_FOUND_KINDS];

typedef struct StFinding {
  long count;
  int body, other, obstacle; // the first ones found: other or obstacle as it applies, otherwise -1
} StFinding;

typedef struct StJudgement {
  StFinding kind[ST_FOUND_KINDS];
} StJudgement;

static inline bool st_judgement_is_clean(const StJudgement *judgement) {
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    if (judgement->kind[k].count > 0)
      return false;
  return true;
}

typedef struct StJudge StJudge;

// The description must outlive it. Bodies are compared with each other and with obstacles if the
// description has a contact between them, in either direction; each body also with itself.
StStatus st_judge_create(const StDescription *description, StJudge **judge, StError *error);
void st_judge_destroy(StJudge *judge); // NULL is fine

// position: [vertices of all bodies][3]. time: where moving obstacles are.
StStatus st_judge_check(StJudge *judge, double time, const double *position, StJudgement *judgement,
                        StError *error);

// Adds to the check of a state what passed through what in the step that led there, from `before`
// at time `start`: bodies along their mean rotation, obstacles as prescribed. Bodies are compared
// with themselves where the description lets them touch themselves.
StStatus st_judge_sweep(StJudge *judge, double start, const double *before, double time,
                        const double *position, StJudgement *judgement, StError *error);

// From the last check: bit k if a vertex is part of a finding of kind k; 1 if a tet is inverted.
const unsigned char *st_judge_vertex_marks(const StJudge *judge); // [vertices of all bodies]
const unsigned char *st_judge_tet_marks(const StJudge *judge);    // [tets of all bodies]
