# Every bench/bench_*.c is one benchmark program. Those that measure kernels stay free of MPI.

set(kernel_benchmarks bench_kernels bench_surface)
file(GLOB bench_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/bench_*.c)
foreach(source ${bench_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  if(name IN_LIST kernel_benchmarks)
    target_link_libraries(${name} PRIVATE st_force)
  else()
    target_link_libraries(${name} PRIVATE st_scene st_output)
  endif()
endforeach()
