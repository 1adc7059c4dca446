# Tests of the Python package: every tests/python/test_*.py, run from the tree with Debian's Python, which
# has numpy and cffi as packages. A sanitized library cannot be loaded into a plain Python.

if(STICTION_SANITIZE OR NOT TARGET stiction_shared OR NOT COMMAND stiction_test)
  return()
endif()

set(STICTION_PYTHON /usr/bin/python3 CACHE FILEPATH "Python with numpy and cffi, for tests")
execute_process(COMMAND ${STICTION_PYTHON} -c "import numpy, cffi" RESULT_VARIABLE lacking
                OUTPUT_QUIET ERROR_QUIET)
if(lacking)
  message(STATUS "numpy or cffi is not here: the Python package is not tested (make test installs them)")
  return()
endif()

block()
  list(APPEND test_environment PYTHONPATH=${CMAKE_SOURCE_DIR}/python PYTHONDONTWRITEBYTECODE=1)
  file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/python/test_*.py)
  foreach(script ${python_tests})
    cmake_path(GET script STEM name)
    stiction_test(python/${name} LABELS python whole COMMAND ${STICTION_PYTHON} ${script})
  endforeach()
endblock()

if(TEST python/mpi)
  set_tests_properties(python/mpi PROPERTIES PROCESSORS 2)
endif()
