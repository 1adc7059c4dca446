# Gmsh's library, which fills surfaces with tets. It is optional, and loaded when it is first needed:
# only its header and its name are used here. Gmsh is under GPL-2+; docs/meshes.md says what follows.

find_path(GMSH_INCLUDE gmshc.h)
find_library(GMSH_LIBRARY gmsh)
set(STICTION_GMSH_SONAME "")
if(GMSH_INCLUDE AND GMSH_LIBRARY)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${GMSH_LIBRARY} OUTPUT_VARIABLE headers ERROR_QUIET)
  if(headers MATCHES "SONAME +([^ \n]+)")
    set(STICTION_GMSH_SONAME ${CMAKE_MATCH_1})
  endif()
endif()
if(NOT STICTION_GMSH_SONAME)
  message(STATUS "Gmsh is not here: surfaces cannot be filled with tets (Debian: libgmsh-dev)")
endif()
