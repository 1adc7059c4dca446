// What every rank has made for all, once in the memory of each machine.
#pragma once

#include "base/shared.h"

typedef void StFill(void *context, char *bytes);

// Every rank contributes `size` bytes, which fill writes, and sees those of all, for reading only.
// offset: [ranks] where each rank's begin; free() it. Ranks of one machine see the same memory;
// where they cannot, each gets a copy of its own. Collective; st_shared_destroy is not.
StStatus st_machine_share(size_t size, StFill *fill, void *context, StShared **shared,
                          size_t **offset, StError *error);
