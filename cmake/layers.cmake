# One static library per folder of src/, linked only to the layers below it, so that a lower layer
# cannot call a higher one; scripts/check-layers checks the same for #include lines, before compiling.

add_library(stiction_options INTERFACE)
target_include_directories(stiction_options INTERFACE ${CMAKE_SOURCE_DIR}/src
                                                      ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(stiction_options INTERFACE _GNU_SOURCE
                           STICTION_VERSION="${PROJECT_VERSION}")
# No -ffast-math: results must not depend on how a compiler reorders sums or treats NaN.
target_compile_options(stiction_options INTERFACE -Wall -Wextra -Wshadow -fno-math-errno
                       -fno-trapping-math -fcx-limited-range -ffp-contract=fast -Wno-psabi)
# For any machine, the hot functions (math/hot.h) are there for several kinds of processors, unless
# flags name one (which those of GCC 12 break with an internal error). Sanitizers start too late for what
# chooses among them.
if(STICTION_NATIVE)
  target_compile_options(stiction_options INTERFACE -march=native)
elseif(NOT STICTION_SANITIZE AND NOT CMAKE_C_FLAGS MATCHES "-march=")
  include(CheckCSourceCompiles)
  check_c_source_compiles([[
    static __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
    int twice(int x) { return 2 * x; }
    int main(int count, char **word) { (void)word; return twice(count); }
  ]] STICTION_HOT_CLONES)
  if(STICTION_HOT_CLONES)
    target_compile_definitions(stiction_options INTERFACE ST_HOT_CLONES)
  endif()
endif()
if(STICTION_WERROR)
  target_compile_options(stiction_options INTERFACE -Werror)
endif()
if(STICTION_SANITIZE)
  target_compile_options(stiction_options INTERFACE -fsanitize=${STICTION_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(stiction_options INTERFACE -fsanitize=${STICTION_SANITIZE})
endif()
target_link_libraries(stiction_options INTERFACE m)

# stiction_layer(NAME BELOW… LIBRARIES…): sources are all .c files in src/NAME and below.
function(stiction_layer name)
  cmake_parse_arguments(LAYER "" "" "BELOW;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
  list(FILTER sources EXCLUDE REGEX /main\\.c$)
  if(NOT sources)
    add_library(st_${name} INTERFACE)
    target_link_libraries(st_${name} INTERFACE stiction_options ${LAYER_LIBRARIES})
    foreach(below ${LAYER_BELOW})
      target_link_libraries(st_${name} INTERFACE st_${below})
    endforeach()
    return()
  endif()
  add_library(st_${name} STATIC ${sources})
  target_link_libraries(st_${name} PUBLIC stiction_options ${LAYER_LIBRARIES})
  foreach(below ${LAYER_BELOW})
    target_link_libraries(st_${name} PUBLIC st_${below})
  endforeach()
endfunction()

stiction_layer(base)
stiction_layer(plot BELOW base LIBRARIES PkgConfig::CAIRO)
stiction_layer(math BELOW base)
stiction_layer(mesh BELOW math LIBRARIES PkgConfig::HDF5 ZLIB::ZLIB)
stiction_layer(model BELOW mesh)
stiction_layer(contact BELOW model)
stiction_layer(judge BELOW model)
stiction_layer(force BELOW contact model)
stiction_layer(field BELOW force)
stiction_layer(solve BELOW math LIBRARIES PkgConfig::PETSC PkgConfig::LAPACK MPI::MPI_C
               ${SCOTCH_LIBRARY})
target_include_directories(st_solve PRIVATE ${SCOTCH_INCLUDE})
stiction_layer(step BELOW solve force judge)
stiction_layer(fill BELOW judge contact LIBRARIES ${CMAKE_DL_LIBS})
if(STICTION_GMSH_SONAME)
  target_compile_definitions(st_fill PRIVATE STICTION_GMSH="${STICTION_GMSH_SONAME}")
  target_include_directories(st_fill PRIVATE ${GMSH_INCLUDE})
endif()
stiction_layer(scene BELOW step fill)
stiction_layer(output BELOW step field LIBRARIES ZLIB::ZLIB)
add_custom_target(commit COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR}
                                 -DHEADER=${CMAKE_BINARY_DIR}/generated/stiction_commit.h
                                 -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake
                  BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/stiction_commit.h)
target_include_directories(st_output PRIVATE ${CMAKE_BINARY_DIR}/generated)
add_dependencies(st_output commit)
stiction_layer(replay BELOW scene output)
stiction_layer(gradient BELOW step)
stiction_layer(api BELOW scene output replay gradient)
target_compile_definitions(st_api PRIVATE STICTION_UNCHECKED) # it defines what the header redefines
stiction_layer(api_plot BELOW plot)
stiction_layer(show BELOW replay plot)
stiction_layer(verify BELOW api plot)
stiction_layer(fit BELOW api plot)
stiction_layer(import BELOW mesh)
stiction_layer(app BELOW show verify fit import)
# It hands over to stiction-experiment, and explains it with the same text.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/app/command_experiment.c PROPERTIES
                            INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR})

# In kernels a silent narrowing conversion would change physics.
foreach(kernel math force model judge)
  get_target_property(kind st_${kernel} TYPE)
  if(NOT kind STREQUAL "INTERFACE_LIBRARY")
    target_compile_options(st_${kernel} PRIVATE -Wconversion)
  endif()
endforeach()

# Exact arithmetic needs every operation to round as written.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/judge/orient.c PROPERTIES
                            COMPILE_OPTIONS -ffp-contract=off)

# The program holds main.c alone, so that tests can link the rest of app/ too.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/app/main.c)
  add_executable(stiction ${CMAKE_SOURCE_DIR}/src/app/main.c)
  target_link_libraries(stiction PRIVATE st_app)
endif()

# The public library: one shared object that exports include/stiction/ and nothing else.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/api/api.c)
  add_library(stiction_shared SHARED $<TARGET_OBJECTS:st_api>)
  set_target_properties(stiction_shared PROPERTIES OUTPUT_NAME stiction EXPORT_NAME stiction
                        VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                        LINKER_LANGUAGE C)
  target_link_libraries(stiction_shared PRIVATE st_scene st_output st_replay st_gradient)
  target_include_directories(stiction_shared INTERFACE
                             $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endif()

# Plots are a library of their own, so that a program that simulates does not load cairo.
add_library(stiction_plot SHARED $<TARGET_OBJECTS:st_api_plot>)
set_target_properties(stiction_plot PROPERTIES EXPORT_NAME plot VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE C)
target_link_libraries(stiction_plot PRIVATE st_plot)
target_include_directories(stiction_plot INTERFACE
                           $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

add_library(stiction::stiction ALIAS stiction_shared)
add_library(stiction::plot ALIAS stiction_plot)

file(GLOB_RECURSE layered CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*.[ch]
                                            ${CMAKE_SOURCE_DIR}/include/*.h
                                            ${CMAKE_SOURCE_DIR}/experiments/*.[ch])
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/layers.stamp
                   COMMAND ${CMAKE_SOURCE_DIR}/scripts/check-layers ${CMAKE_SOURCE_DIR}
                   COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/layers.stamp
                   DEPENDS ${layered} ${CMAKE_SOURCE_DIR}/scripts/check-layers
                           ${CMAKE_SOURCE_DIR}/cmake/layers.cmake
                   COMMENT "Checking that no layer includes a higher one")
add_custom_target(check_layers ALL DEPENDS ${CMAKE_BINARY_DIR}/layers.stamp)
