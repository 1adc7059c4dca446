// What pairs carry as an array of all of them, for tests.
#ifndef ST_TEST_DENSE_READOUT_H
#define ST_TEST_DENSE_READOUT_H

#include "contact/core/readout.h"

#include <string.h>

static inline StStatus dense_readout(const StContactSet *set, const double *position,
                                     const double *velocity, StPairReadout *pair,
                                     StContactExtremes *extremes) {
  StPairReadouts rows = {0};
  StStatus status = st_readout_pairs(set, position, velocity, NULL, &rows, extremes);
  memset(pair, 0, (size_t)set->contacts->pair_count * sizeof *pair);
  for (int i = 0; i < rows.count && status == ST_OK; i++)
    pair[rows.row[i].pair] = rows.row[i];
  st_pair_readouts_free(&rows);
  return status;
}

#endif
