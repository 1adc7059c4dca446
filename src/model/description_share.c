// A description with its own numbers that shares meshes and lists with another.
#include "base/memory.h"
#include "model/description.h"

#include <string.h>

// A copy of an array; false: no memory.
static bool copy_array(void **array, int count, size_t size) {
  void *own = st_new_array((size_t)count, size);
  if (own && count > 0)
    memcpy(own, *array, (size_t)count * size);
  *array = own;
  return own;
}

#define COPY(array, count) copy_array((void **)&(array), (count), sizeof *(array))

StStatus st_description_share(const StDescription *of, StDescription **result, StError *error) {
  StDescription *own = ST_NEW(StDescription, 1);
  ST_TRY_MEMORY(own, error);
  *own = *of;
  // Copies every array even if another failed; failed ones are NULL.
  bool good = COPY(own->material, of->material_count);
  good = COPY(own->body, of->body_count) && good;
  good = COPY(own->boundary, of->boundary_count) && good;
  good = COPY(own->volume, of->volume_count) && good;
  good = COPY(own->bearing, of->bearing_count) && good;
  good = COPY(own->load, of->load_count) && good;
  good = COPY(own->joint, of->joint_count) && good;
  good = COPY(own->obstacle, of->obstacle_count) && good;
  good = COPY(own->contact, of->contact_count) && good;
  good = COPY(own->force, of->force_count) && good;
  if (good) {
    *result = own;
    return ST_OK;
  }
  st_description_unshare(own);
  return st_fail_memory(error);
}

void st_description_unshare(StDescription *own) {
  if (!own)
    return;
  void *array[] = {own->material, own->body,  own->boundary, own->volume,  own->bearing,
                   own->load,     own->joint, own->obstacle, own->contact, own->force};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  free(own);
}
