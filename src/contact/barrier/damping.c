// Damping of anchors. Tested by tests/contact/test_contact_set.c.
#include "contact/barrier/damping.h"

#include "contact/core/method.h"
#include "model/piece.h"

#include <math.h>
#include <stdlib.h>

// The projected area of a convex body is on average a quarter of its surface.
static const double SHADOW = 0.25;

static StStatus measure(const StDescription *description, const StBodyDesc *body, StBulk *bulk,
                        StError *error) {
  const StMesh *mesh = body->mesh;
  int *triangle = NULL, count = 0;
  double shadow = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, error));
  for (int t = 0; t < count; t++) {
    bool sheet = !body->closed && t >= count - mesh->triangle_count; // presses with both sides
    shadow += SHADOW * (sheet ? 2 : 1) * st_triangle_area(mesh->position, triangle + 3 * t);
  }
  free(triangle);
  double corners = SHADOW * count / 2; // a closed skin has twice as many triangles
  double whole = st_body_mass(description, body);
  *bulk = (StBulk){whole, whole / shadow, corners / shadow};
  return ST_OK;
}

StStatus st_bulk_measure(const StDescription *description, StBulk *bulk, StError *error) {
  for (int b = 0; b < description->body_count; b++)
    ST_TRY(measure(description, &description->body[b], &bulk[b], error));
  return ST_OK;
}

// Stiffness of anchors, N/m per area. Without area weights κ is per vertex.
static double tangent_stiffness(const StContacts *contacts, const StContactDesc *contact) {
  StContactLaw law = {.normal_law = contacts->method->normal_law,
                      .thickness = contact->thickness,
                      .stiffness = contact->stiffness};
  bool weighted =
      contacts->method->keeps_apart || contacts->description->contact_settings.area_weighted;
  return (weighted ? 1 : contacts->bulk[contact->collider].corners) *
         st_contact_tangent_stiffness(&law);
}

double st_damping_time(const StContacts *contacts, const StContactDesc *contact) {
  double mass = contacts->bulk[contact->collider].mass;
  if (contact->body >= 0)
    mass = fmin(mass, contacts->bulk[contact->body].mass);
  if (contact->friction.stick != ST_STICK_ANCHORED || contact->friction.damping == 0)
    return 0;
  return 2 * contact->friction.damping * sqrt(mass / tangent_stiffness(contacts, contact));
}
