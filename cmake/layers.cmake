# One static library per folder of src/, linked only to the layers below it, so that a lower layer
# cannot call a higher one; scripts/check-layers says the same of #include lines, before compiling.

add_library(stiction_options INTERFACE)
target_include_directories(stiction_options INTERFACE ${CMAKE_SOURCE_DIR}/src
                                                      ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(stiction_options INTERFACE _GNU_SOURCE
                           STICTION_VERSION="${PROJECT_VERSION}")
# No -ffast-math: results must not depend on how a compiler reorders sums or treats NaN.
target_compile_options(stiction_options INTERFACE -Wall -Wextra -Wshadow -fno-math-errno
                       -fno-trapping-math -fcx-limited-range -ffp-contract=fast)
if(STICTION_NATIVE)
  target_compile_options(stiction_options INTERFACE -march=native)
endif()
if(STICTION_SANITIZE)
  target_compile_options(stiction_options INTERFACE -fsanitize=${STICTION_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(stiction_options INTERFACE -fsanitize=${STICTION_SANITIZE})
endif()
target_link_libraries(stiction_options INTERFACE m)

# stiction_layer(NAME BELOW… LIBRARIES…): sources are all src/NAME/*.c.
function(stiction_layer name)
  cmake_parse_arguments(LAYER "" "" "BELOW;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
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
stiction_layer(math BELOW base)
stiction_layer(mesh BELOW math LIBRARIES ZLIB::ZLIB)
stiction_layer(model BELOW mesh)
stiction_layer(contact BELOW model)
stiction_layer(force BELOW contact model)
stiction_layer(solve BELOW math LIBRARIES PkgConfig::PETSC MPI::MPI_C)
stiction_layer(step BELOW solve force)
stiction_layer(scene BELOW step)
stiction_layer(output BELOW step LIBRARIES PkgConfig::HDF5 ZLIB::ZLIB)
# Kernels are where a silent narrowing would change physics.
foreach(kernel math force model)
  get_target_property(kind st_${kernel} TYPE)
  if(NOT kind STREQUAL "INTERFACE_LIBRARY")
    target_compile_options(st_${kernel} PRIVATE -Wconversion)
  endif()
endforeach()

file(GLOB app_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/app/*.c)
if(app_sources)
  add_executable(stiction ${app_sources})
  target_link_libraries(stiction PRIVATE st_scene st_output)
endif()
