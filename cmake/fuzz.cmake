# Fuzz targets (clang): every tests/fuzz/fuzz_*.c is one program. All layers are compiled with the same
# sanitizers and with coverage, which libFuzzer steers by. Readers of meshes need nothing above
# st_mesh, so that they start fast and leak nothing that MPI would.

if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "STICTION_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
endif()

# An option of gcc that clang rejects.
get_target_property(options stiction_options INTERFACE_COMPILE_OPTIONS)
list(REMOVE_ITEM options -fcx-limited-range)
set_target_properties(stiction_options PROPERTIES INTERFACE_COMPILE_OPTIONS "${options}")

set(fuzz_checks address,undefined)
target_compile_options(stiction_options INTERFACE -fsanitize=fuzzer-no-link,${fuzz_checks}
                       -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
target_link_options(stiction_options INTERFACE -fsanitize=${fuzz_checks})

set(fuzz_targets)
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  set(layer st_mesh)
  foreach(other fuzz_import=st_import fuzz_scene=st_scene fuzz_checkpoint=st_verify fuzz_replay=st_show
                fuzz_request=st_show fuzz_api=st_api)
    if(other MATCHES "^${name}=(.*)")
      set(layer ${CMAKE_MATCH_1})
    endif()
  endforeach()
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${layer})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,${fuzz_checks})
  list(APPEND fuzz_targets ${name})
endforeach()
add_custom_target(fuzz DEPENDS ${fuzz_targets})
