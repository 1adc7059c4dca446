// Neighbours are two features within two rings of each other. Tested by
// tests/contact/test_conservative_advancement.c.
#include "contact/core/rest_distance.h"
#include "contact/tunables.h"

static bool within_two_rings(const StSkins *skins, const StCandidatePair *pair) {
  for (int i = 0; i < pair->first_count; i++)
    for (int k = pair->first_count; k < pair->count; k++)
      if (st_skins_within_two_rings(skins, pair->place[i], pair->place[k]))
        return true;
  return false;
}

double st_resting_reach(const StSkins *skins, const StCandidatePair *pair, double reach) {
  double rest = st_candidates_distance(pair, skins->rest);
  return rest < reach && within_two_rings(skins, pair) ? st_contact_tunables.rest_touching * rest
                                                       : reach;
}

bool st_resting_too_close(const StSkins *skins, const StCandidatePair *pair, double reach) {
  return st_candidates_distance(pair, skins->rest) < st_contact_tunables.rest_least * reach &&
         within_two_rings(skins, pair);
}
