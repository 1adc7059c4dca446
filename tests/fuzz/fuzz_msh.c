// Any bytes as a .msh file: read or refused, never a crash, a leak or a hang.
#include "mesh/read.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StMesh *mesh = NULL;
  StError error;
  if (st_mesh_parse("fuzz.msh", (const char *)data, size, NULL, &mesh, &error) == ST_OK)
    st_mesh_destroy(mesh);
  return 0;
}
