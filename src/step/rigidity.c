// Carriers of a rank's bodies; the largest strain over bodies, ranks and steps.
// Tested by tests/step/test_stage_rigid.c.
#include "step/rigidity.h"

#include "base/memory.h"
#include "force/list.h"
#include "force/rigid.h"
#include "solve/problem.h"
#include "solve/runtime.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)ST_GROUP_ROWS == (int)ST_CARRIERS, "frames are what carries rigid bodies");

StStatus st_rigidity_find_frames(const StSystem *system, int **frame, int *count, StError *error) {
  const StDescription *description = system->description;
  const StPiece *piece = system->piece;
  ST_FREE int *local = st_piece_find_vertices(piece, st_description_vertex_count(description));
  *frame = ST_NEW(int, ST_CARRIERS * description->body_count);
  *count = 0;
  ST_TRY_MEMORY(local && *frame, error);
  for (int b = 0, end = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    end += body->mesh->vertex_count;
    if (!body->rigid)
      continue;
    const int *carrier = local + end - ST_CARRIERS;
    if (*carrier >= 0 && *carrier < piece->independent_count)
      memcpy(*frame + ST_CARRIERS * (*count)++, carrier, ST_CARRIERS * sizeof(int));
  }
  return ST_OK;
}

void st_rigidity_measure(const StSystem *system, const StPoint *at, StReport *report) {
  double strain = -1;
  int body = -1;
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == &st_force_rigid)
      strain = st_rigid_largest_strain(system->force[i].data, at, &body);
  if (body < 0)
    strain = -1;
  st_runtime_largest(&strain, &body);
  report->rigid_count = 0;
  for (int b = 0; b < system->description->body_count; b++)
    report->rigid_count += system->description->body[b].rigid;
  report->rigid_body = body;
  report->rigid_strain = body < 0 ? 0 : strain;
}

void st_rigidity_count(StRigidRecord *record, const StReport *report) {
  if (report->rigid_count == 0 || !(report->rigid_strain > record->strain))
    return;
  *record = (StRigidRecord){report->rigid_strain, report->time, report->rigid_body};
}

void st_rigidity_words(const StDescription *description, const StRigidRecord *record, char *text,
                       size_t size) {
  text[0] = 0;
  if (record->strain > ST_RIGID_STRAIN)
    snprintf(
        text, size,
        "Warning: the rigid body \"%.100s\" was strained by up to %.3g (t = %.6g s), more than "
        "%g; a larger \"stiffness\" of its material, or a smaller step, keeps it in shape, unless "
        "things that move as prescribed crush it.",
        description->body[record->body].name, record->strain, record->time, ST_RIGID_STRAIN);
}
