// The start of a scene with smooth surfaces: overlaps that contact is to push out, and surfaces
// that cannot tell inside from outside. Tested by tests/robustness/test_torture.c.
#include "contact/smooth/smooth_state.h"
#include "contact/tunables.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"

static StStatus judge_overlap(const StDescription *description, const StPairEnd *end,
                              const StLog *log, StError *error) {
  const StMesh *mesh = description->body[st_pair_sides(description, end->pair).collider].mesh;
  char text[400];
  st_pair_end_describe(end, description, text, sizeof text);
  double allowed =
      st_contact_tunables.overlap_allowed * vec3_extent(mesh->position, mesh->vertex_count);
  if (-end->deepest > allowed)
    return st_fail(
        error, ST_BAD_INPUT,
        "the scene starts with bodies inside each other: %s; contact resolves up to %.3g m", text,
        allowed);
  st_log(log, ST_WARNING,
         "the scene starts with an overlap by contact's own measure, which it will push out: %s",
         text);
  return ST_OK;
}

// A smooth surface whose radius reaches through its body confuses the two faces: it would report
// false overlaps and throw bodies apart.
static StStatus warn_of_blur(const StContacts *contacts, const StContactState *state, int pair,
                             const StLog *log, StError *error) {
  int body = contacts->pair[pair].desc->body;
  if (body < 0 || contacts->description->body[body].mesh->tet_count == 0)
    return ST_OK;
  const StBodyDesc *desc = &contacts->description->body[body];
  double thickness, radius = st_smooth_state_radius(contacts, state, pair);
  ST_TRY(st_contacts_wall(desc->mesh, &thickness, error));
  if (radius > thickness)
    st_log(log, ST_WARNING,
           "the triangles of body \"%s\" are too large for contact by smooth surfaces: they are "
           "rounded off over %.3g m, and it is only %.3g m thick; take smaller ones, or "
           "contact.method \"primitives\"",
           desc->name, radius, thickness);
  return ST_OK;
}

StStatus st_smooth_start(const StContactSet *set, const StPairEnds *ends, StContactState *state,
                         const StLog *log, StError *error) {
  st_smooth_state_start(set, ends, state);
  for (int i = 0; i < ends->count; i++) {
    const StPairEnd *end = &ends->end[i];
    if (!state->smooth->pair[end->pair].overlapping)
      continue;
    ST_TRY(warn_of_blur(set->contacts, state, end->pair, log, error));
    ST_TRY(judge_overlap(set->contacts->description, end, log, error));
  }
  return ST_OK;
}
