# Every tests/<folder>/test_*.c is one test program, linked to the layer it is named after (and so only
# to what lies below it); derivative/ checks forces and needs no MPI either; other folders that are no
# layer get everything. Every tests/<folder>/*.sh is a test too: it gets the program's path as $1 and
# runs in a folder of its own.
# Labels: the folder; `unit` (a layer's own tests) or `whole`; `mpi` (runs under mpiexec).

pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
  message(STATUS "cmocka is not here: no tests are built (make test installs it)")
  return()
endif()

# Processes that wait give the core away: machines that run tests have fewer cores than processes.
set(test_environment
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1
    OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 STICTION_SOURCE=${CMAKE_SOURCE_DIR}
    STICTION_BUILD=${CMAKE_BINARY_DIR})
set(test_timeout 900) # only what hangs takes that long, however busy the machine is
# Hundreds of programs that are run once: a fast linker where there is one and, sanitized, not all of
# the compiler's efforts for what is the tests' own. (Optimised, brute force would take what is saved.)
include(CheckLinkerFlag)
foreach(linker lld gold)
  check_linker_flag(C -fuse-ld=${linker} STICTION_LINKER_${linker})
  if(STICTION_LINKER_${linker})
    set(test_linker -fuse-ld=${linker})
    break()
  endif()
endforeach()
if(STICTION_SANITIZE)
  # Only the slow unwinder handles MPI's modules, which are unloaded before the leak check.
  list(APPEND test_environment LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/scripts/lsan.supp
       ASAN_OPTIONS=fast_unwind_on_malloc=0 UBSAN_OPTIONS=print_stacktrace=1)
endif()

function(stiction_test name)
  cmake_parse_arguments(TEST "" "RANKS" "LABELS;COMMAND" ${ARGN})
  if(TEST_RANKS)
    list(PREPEND TEST_COMMAND ${MPIEXEC_EXECUTABLE} -n ${TEST_RANKS})
    list(APPEND TEST_LABELS mpi)
  else()
    set(TEST_RANKS 1)
  endif()
  set(folder ${CMAKE_BINARY_DIR}/tests/${name})
  file(MAKE_DIRECTORY ${folder})
  add_test(NAME ${name} COMMAND ${TEST_COMMAND} WORKING_DIRECTORY ${folder})
  set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${test_timeout}
                       PROCESSORS ${TEST_RANKS} ENVIRONMENT "${test_environment}"
                       SKIP_RETURN_CODE 77)
endfunction()

add_custom_target(check_unit COMMENT "Unit tests are built")

file(GLOB test_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*/test_*.c)
foreach(source ${test_sources})
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
  if(STICTION_SANITIZE)
    target_compile_options(${name} PRIVATE -O1)
  endif()
  target_link_options(${name} PRIVATE ${test_linker})
  if(name STREQUAL "test_faults")
    # tests/support/faults.h stands in front of these.
    foreach(call malloc calloc realloc aligned_alloc fopen read write open close fsync
                 rename mkdir rmdir unlink unlinkat stat fstat access fcntl opendir readdir realpath
                 clock_gettime getrusage st_runtime_stop)
      target_link_options(${name} PRIVATE -Wl,--wrap=${call})
    endforeach()
  endif()
  if(TARGET st_${folder} AND NOT folder STREQUAL "verify")
    target_link_libraries(${name} PRIVATE st_${folder} PkgConfig::CMOCKA)
    if(name STREQUAL "test_faults")
      foreach(part check run overwrite resume iterative rigid) # thousands of runs: side by side
        stiction_test(${folder}/${name}-${part} LABELS ${folder} unit COMMAND ${name} test_${part}*)
      endforeach()
    else()
      stiction_test(${folder}/${name} LABELS ${folder} unit COMMAND ${name})
    endif()
    add_dependencies(check_unit ${name})
  elseif(folder STREQUAL "parallel")
    set(library st_verify)
    if(name MATCHES "^test_(api|embed)_")
      set(library st_api) # what a program holds
    endif()
    target_link_libraries(${name} PRIVATE ${library} PkgConfig::CMOCKA)
    if(name STREQUAL "test_machine_ranks")
      target_link_options(${name} PRIVATE -Wl,--wrap=st_shared_join) # to fail
    endif()
    set(ranks_tried 1 2 3)
    if(name STREQUAL "test_api_ranks")
      set(ranks_tried 1 2)
    endif()
    if(name STREQUAL "test_neighbours_ranks")
      list(APPEND ranks_tried 4) # who hears of whom depends on how many there are
    endif()
    foreach(ranks ${ranks_tried})
      stiction_test(${folder}/${name}-${ranks} LABELS ${folder} whole RANKS ${ranks}
                    COMMAND $<TARGET_FILE:${name}>)
    endforeach()
  elseif(folder STREQUAL "derivative")
    target_link_libraries(${name} PRIVATE st_force PkgConfig::CMOCKA)
    stiction_test(${folder}/${name} LABELS ${folder} unit COMMAND ${name})
    add_dependencies(check_unit ${name})
  else()
    # Whole simulations: too slow under sanitizers.
    set(library st_verify)
    if(folder STREQUAL "experiment")
      set(library experiments) # they too see nothing but public headers
    endif()
    target_link_libraries(${name} PRIVATE ${library} PkgConfig::CMOCKA)
    stiction_test(${folder}/${name} LABELS ${folder} whole COMMAND ${name})
  endif()
endforeach()

if(TARGET stiction)
  # tools.sh holds what the scripts share.
  file(GLOB test_scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*/*.sh)
  list(FILTER test_scripts EXCLUDE REGEX /tools\\.sh$)
  foreach(script ${test_scripts})
    cmake_path(GET script PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    cmake_path(GET script STEM name)
    stiction_test(${folder}/${name} LABELS ${folder} whole
                  COMMAND bash ${script} $<TARGET_FILE:stiction>)
    if(folder STREQUAL "parallel")
      set_tests_properties(${folder}/${name} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endif()

foreach(check layers tests)
  stiction_test(project/${check} LABELS project
                COMMAND ${CMAKE_SOURCE_DIR}/scripts/check-${check} ${CMAKE_SOURCE_DIR})
endforeach()

# Long ones first, so that no core waits for the last. Seconds, about; all others take less than ten.
foreach(long app/test_faults-run=50 viewer/viewer=55 viewer/films=50 viewer/fields=40 robustness/test_torture=35
             verify/test_shell_truth=25 docs/site=20 api/test_api_examples=20 app/example_scenes=15
             project/install=12 app/test_faults-check=11)
  string(REGEX MATCH "^(.*)=(.*)$" parts ${long})
  if(TEST ${CMAKE_MATCH_1})
    set_tests_properties(${CMAKE_MATCH_1} PROPERTIES COST ${CMAKE_MATCH_2})
  endif()
endforeach()
