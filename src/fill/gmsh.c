// Loads Gmsh's library by the name it had at build time.
#include "fill/gmsh.h"

#ifdef STICTION_GMSH

#include "base/memory.h"

#include <dlfcn.h>
#include <string.h>

typedef struct Symbol {
  const char *name;
  size_t offset;
} Symbol;

static const Symbol symbols[] = {
    {"gmshInitialize", offsetof(StGmsh, initialize)},
    {"gmshFinalize", offsetof(StGmsh, finalize)},
    {"gmshFree", offsetof(StGmsh, free)},
    {"gmshOptionSetNumber", offsetof(StGmsh, set)},
    {"gmshLoggerGetLastError", offsetof(StGmsh, last_error)},
    {"gmshModelAdd", offsetof(StGmsh, add_model)},
    {"gmshModelRemove", offsetof(StGmsh, remove_model)},
    {"gmshModelAddDiscreteEntity", offsetof(StGmsh, add_entity)},
    {"gmshModelMeshAddNodes", offsetof(StGmsh, add_nodes)},
    {"gmshModelMeshAddElementsByType", offsetof(StGmsh, add_elements)},
    {"gmshModelGeoAddSurfaceLoop", offsetof(StGmsh, add_loop)},
    {"gmshModelGeoAddVolume", offsetof(StGmsh, add_volume)},
    {"gmshModelGeoSynchronize", offsetof(StGmsh, synchronize)},
    {"gmshModelMeshGenerate", offsetof(StGmsh, generate)},
    {"gmshModelMeshGetNodes", offsetof(StGmsh, nodes)},
    {"gmshModelMeshGetElementsByType", offsetof(StGmsh, elements)},
};

// The handle is never closed: the library cannot be loaded twice.
StStatus st_gmsh_load(StGmsh *gmsh, StError *error) {
  void *library = dlopen(STICTION_GMSH, RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return st_fail(error, ST_SYSTEM_FAULT,
                   "surfaces are filled by Gmsh, whose library cannot be loaded: %s (Debian's "
                   "package libgmsh-dev has it)",
                   dlerror());
  for (int i = 0; i < ST_LENGTH(symbols); i++) {
    void *function = dlsym(library, symbols[i].name);
    if (!function)
      return st_fail(error, ST_SYSTEM_FAULT, "%s lacks the function %s", STICTION_GMSH,
                     symbols[i].name);
    memcpy((char *)gmsh + symbols[i].offset, &function, sizeof function);
  }
  return ST_OK;
}

#endif
