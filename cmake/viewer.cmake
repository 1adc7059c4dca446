# The viewer's page: Node.js packs viewer/ and three.js into one HTML file, which becomes part of the
# program. Without Node.js, npm or a network the program is still built, and `stiction view` says
# what is missing.

set(page ${CMAKE_BINARY_DIR}/viewer/view_page_bytes.c)
set(viewer_default ON)
if(STICTION_SANITIZE)
  set(viewer_default OFF) # unit tests need no page
endif()
option(STICTION_VIEWER "Build the viewer's page (Node.js and npm)" ${viewer_default})

find_program(STICTION_NODE NAMES node nodejs)
find_program(STICTION_NPM NAMES npm)
if(STICTION_VIEWER AND NOT (STICTION_NODE AND STICTION_NPM))
  message(WARNING "Node.js or npm is not here: the program is built without the viewer "
                  "(Debian: apt-get install nodejs npm)")
endif()

if(STICTION_VIEWER AND STICTION_NODE AND STICTION_NPM)
  file(GLOB viewer_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/viewer/*.js*
       ${CMAKE_SOURCE_DIR}/viewer/src/*)
  add_custom_command(OUTPUT ${page}
                     COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR}/viewer
                             -DTARGET=${CMAKE_BINARY_DIR}/viewer -DNODE=${STICTION_NODE}
                             -DNPM=${STICTION_NPM}
                             -P ${CMAKE_SOURCE_DIR}/cmake/viewer_page.cmake
                     DEPENDS ${viewer_sources} ${CMAKE_SOURCE_DIR}/cmake/viewer_page.cmake
                     COMMENT "Building the viewer's page")
else()
  set(page ${CMAKE_BINARY_DIR}/viewer/no_page.c)
  file(CONFIGURE OUTPUT ${page} CONTENT "#include <stddef.h>
const unsigned char st_view_page_bytes[1] = {0};
const size_t st_view_page_size = 0;\n")
endif()
target_sources(st_show PRIVATE ${page})
