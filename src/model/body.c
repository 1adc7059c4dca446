// Kinds of bodies.
#include "model/body.h"

#include "mesh/cage.h"

#include <string.h>

bool st_body_has_surface(const StBodyDesc *body) {
  return body->rigid || body->mesh->cage;
}

bool st_body_is_solid(const StBodyDesc *body) {
  return st_body_has_surface(body) ? body->closed : body->mesh->tet_count > 0;
}

int st_body_shell_count(const StBodyDesc *body) {
  return st_body_has_surface(body) ? 0 : body->mesh->triangle_count;
}

int st_body_vertex_count(const StBodyDesc *body) {
  if (body->mesh->cage)
    return body->mesh->cage->vertex_count;
  return body->mesh->vertex_count - (body->rigid ? ST_CARRIERS : 0);
}

StStatus st_body_enter_cage(StBodyDesc *body, StError *error) {
  const StMesh *mesh = body->mesh;
  const StCage *cage = mesh->cage;
  ST_TRY(st_carried_create(cage->vertex_count, &body->carried, error));
  for (int v = 0; v < cage->vertex_count; v++) {
    body->carried.vertex[v] = v;
    memcpy(body->carried.carrier + ST_CARRIERS * (size_t)v, mesh->tet + 4 * (size_t)cage->tet[v],
           ST_CARRIERS * sizeof(int));
    st_carried_weigh(&body->carried, v, mesh->position);
  }
  body->closed = cage->closed;
  body->self_contact = body->self_contact && !cage->crossed;
  return ST_OK;
}
