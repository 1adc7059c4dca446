// Which of many boxes meet, by a sweep along the axis on which they are spread most.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct StBoxPairs {
  size_t count, capacity;
  int (*pair)[2]; // [count] the lower number first, ascending
} StBoxPairs;

// box: [count][6] lower, then upper corners. A box whose lower corner is above its upper one meets
// nothing. False: out of memory.
bool st_box_pairs_find(int count, const double *box, StBoxPairs *pairs);

void st_box_pairs_free(StBoxPairs *pairs);
