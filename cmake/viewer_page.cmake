# Run by the build: fetches what the page is made of (once, as viewer/package-lock.json pins it) and packs
# it. SOURCE: viewer/; TARGET: its copy in the build folder, where packages go; NODE, NPM: programs.

set(page ${TARGET}/view_page_bytes.c)
file(COPY ${SOURCE}/ DESTINATION ${TARGET} PATTERN node_modules EXCLUDE)
file(SHA256 ${TARGET}/package-lock.json wanted)
set(fetched "")
if(EXISTS ${TARGET}/node_modules/fetched)
  file(READ ${TARGET}/node_modules/fetched fetched)
endif()

set(problem "")
if(NOT fetched STREQUAL wanted)
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund --ignore-scripts --prefer-offline
                          --fetch-retries=1 --fetch-timeout=60000
                  WORKING_DIRECTORY ${TARGET} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(result EQUAL 0)
    file(WRITE ${TARGET}/node_modules/fetched ${wanted})
  else()
    set(problem "npm could not fetch its packages")
  endif()
endif()
if(NOT problem)
  execute_process(COMMAND ${NODE} build.js WORKING_DIRECTORY ${TARGET} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    set(problem "the page could not be packed")
  endif()
endif()

# Backdated, so that the next build tries again.
if(problem)
  file(WRITE ${page} "#include <stddef.h>
const unsigned char st_view_page_bytes[1] = {0};
const size_t st_view_page_size = 0;\n")
  execute_process(COMMAND touch -d @1 ${page})
  message(WARNING "The program is built without the viewer: ${problem}.\n${output}")
endif()
