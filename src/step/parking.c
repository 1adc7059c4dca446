// Rows, and the skins that belong to them.
// Tested by tests/step/test_stage_parking.c.
#include "step/parking.h"

#include "base/memory.h"

#include <string.h>

StStatus st_parking_create(const StPiece *piece, const StSkins *skins, StParking **result,
                           StError *error) {
  StParking *parking = ST_OWNER(StParking);
  ST_TRY_MEMORY(parking, error);
  *parking = (StParking){.piece = piece,
                         .skins = skins,
                         .row = ST_OWN(parking, bool, piece->independent_count),
                         .skin = ST_OWN(parking, bool, skins ? skins->skin_count : 0),
                         .residual = ST_OWN(parking, double, 3 * (size_t)piece->independent_count)};
  return st_owner_give(parking, result, error);
}

void st_parking_destroy(StParking *parking) {
  st_owner_free(parking);
}

static bool is_parked(const StParking *parking, int place) {
  const StPiece *piece = parking->piece;
  if (place >= piece->independent_count)
    place = piece->carried.carrier[ST_CARRIERS * (size_t)(place - piece->independent_count)];
  return parking->row[place];
}

static void find_skins(StParking *parking) {
  const StSkins *skins = parking->skins;
  for (int s = 0; s < skins->skin_count; s++) {
    const StSkin *skin = &skins->skin[s];
    const int *place = skins->point_place + skin->first_point;
    bool parked = true;
    for (int i = 0; i < skin->point_count && skin->body >= 0 && parked; i++)
      parked = is_parked(parking, place[i]);
    parking->skin[s] = parked;
  }
}

bool st_parking_set(StParking *parking, const bool *row, const double *r) {
  size_t rows = (size_t)parking->piece->independent_count;
  bool before = parking->any, released = false;
  parking->any = row && parking->skins;
  if (!parking->any)
    return before;
  for (size_t i = 0; i < rows && before && !released; i++)
    released = parking->row[i] && !row[i];
  memcpy(parking->row, row, rows * sizeof(bool));
  memcpy(parking->residual, r, 3 * rows * sizeof(double));
  find_skins(parking);
  return released;
}

static void release(StParking *parking, const StIslands *islands, int island) {
  for (int row = 0; row < parking->piece->independent_count; row++)
    if (islands->of[row] == island)
      parking->row[row] = false;
}

// Whether some of a contact's places are parked and some are not; then the former are released.
static bool release_part(StParking *parking, const StIslands *islands, const StContactArray *list,
                         const StContact *contact) {
  const int *place = st_contact_array_places(list, contact);
  int parked = -1;
  bool awake = false;
  for (int k = 0; k < contact->count; k++) {
    int island = st_islands_at(islands, place[k]);
    if (island >= 0 && is_parked(parking, place[k]))
      parked = island;
    else if (island >= 0)
      awake = true;
  }
  if (parked < 0 || !awake)
    return false;
  release(parking, islands, parked);
  return true;
}

bool st_parking_release_touched(StParking *parking, const StIslands *islands,
                                const StContactArray *list) {
  bool released = false;
  for (int t = 0; t < list->count && parking->any; t++)
    released = release_part(parking, islands, list, &list->contact[t]) || released;
  if (released)
    find_skins(parking);
  return released;
}
