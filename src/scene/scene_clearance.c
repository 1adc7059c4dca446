// Things that start close to each other without touching are meant to: contact between them begins
// to be felt at half that gap, where nobody has said otherwise. A shaft then fits its hole, and
// nothing presses at the start.
#include "scene/parts.h"

#include "base/memory.h"
#include "contact/near.h"
#include "contact/obstacle.h"
#include "math/vec3.h"
#include "model/partition.h"

// Gaps below this part of the thickness count as touching.
static const double TOUCHING = 0.02;

static int skin_of(const StSkins *skins, StNearKind kind, int side, int feature) {
  if (side == 0)
    return kind == ST_NEAR_EDGE_EDGE ? skins->edge_skin[feature] : skins->point_skin[feature];
  switch (kind) {
  case ST_NEAR_POINT_TRIANGLE: return skins->triangle_skin[feature];
  case ST_NEAR_POINT_POINT: return skins->point_skin[feature];
  default: return skins->edge_skin[feature];
  }
}

// least: [contacts] smallest gap of each.
static void take_pairs(const StSkins *skins, const StNear *near, const double *position,
                       double *least) {
  for (int kind = 0; kind < ST_NEAR_KINDS; kind++)
    for (int i = 0; i < near->list[kind].count; i++) {
      const int *feature = near->list[kind].pair + 2 * (size_t)i;
      StNearPair pair = st_near_pair(skins, (StNearKind)kind, feature);
      int law = st_skins_law(skins, skin_of(skins, (StNearKind)kind, 0, feature[0]),
                             skin_of(skins, (StNearKind)kind, 1, feature[1]));
      least[law] = fmin(least[law], st_near_distance(&pair, position) - pair.radii);
    }
}

static void take_obstacles(const StDescription *description, const StSkins *skins,
                           const double *position, double *least) {
  for (int i = 0; i < description->contact_count; i++) {
    const StContactDesc *contact = &description->contact[i];
    StObstacleNow now;
    if (contact->obstacle < 0 || description->obstacle[contact->obstacle].mesh)
      continue;
    st_obstacle_at(&description->obstacle[contact->obstacle], 0, &now);
    for (int p = 0; p < skins->point_count; p++) {
      double gradient[3];
      if (skins->skin[skins->point_skin[p]].body == contact->collider)
        least[i] =
            fmin(least[i],
                 st_obstacle_gap(&now, position + 3 * (size_t)skins->point_place[p], gradient));
    }
  }
}

static StStatus measure_skins(const StDescription *description, const StPiece *piece,
                              const StSkins *skins, double *least, StError *error) {
  double *position = ST_NEW(double, 3 * (size_t)skins->place_count);
  StNear *near = NULL;
  StStatus status = position ? st_near_create(skins, &near, error) : st_fail_memory(error);
  if (status == ST_OK) {
    for (int v = 0; v < piece->vertex_count; v++)
      vec3_copy(description->start ? description->start + 3 * (size_t)piece->vertex_id[v]
                                   : piece->rest + 3 * (size_t)v,
                position + 3 * (size_t)v);
    st_skins_place_rigid(skins, 0, position, NULL);
    status = st_near_cover(near, position, position, 0, error);
  }
  if (status == ST_OK) {
    take_pairs(skins, near, position, least);
    take_obstacles(description, skins, position, least);
  }
  st_near_destroy(near);
  free(position);
  return status == ST_NOT_SOLVED ? ST_OK : status; // a crowd: thicknesses stay as they are
}

static StStatus measure(const StDescription *description, double *least, StError *error) {
  StPiece *piece = NULL;
  StSkins *skins = NULL;
  ST_TRY(st_piece_create_whole(description, &piece, error));
  StStatus status = st_skins_create(description, piece, &skins, error);
  if (status == ST_OK)
    status = measure_skins(description, piece, skins, least, error);
  st_skins_destroy(skins);
  st_piece_destroy(piece);
  return status;
}

StStatus st_scene_fit_thickness(StReader *reader, const bool *chosen) {
  StDescription *description = reader->description;
  double *least = ST_NEW(double, description->contact_count);
  if (!least)
    return st_fail_memory(reader->error);
  for (int i = 0; i < description->contact_count; i++)
    least[i] = INFINITY;
  StStatus status = measure(description, least, reader->error);
  for (int i = 0; i < description->contact_count && status == ST_OK; i++) {
    StContactDesc *contact = &description->contact[i];
    bool close = least[i] < contact->thickness && least[i] > TOUCHING * contact->thickness;
    if (chosen[i] && close)
      contact->thickness = least[i] / 2;
  }
  free(least);
  return status;
}
