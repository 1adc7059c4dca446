# What `cmake --install` installs: the program, the shared library, its header, and how pkg-config and
# find_package(stiction) find them. Static layers and their headers stay inside.

include(CMakePackageConfigHelpers)

if(TARGET stiction)
  install(TARGETS stiction stiction-experiment)
endif()

# The program prints its own man pages and completion.
if(TARGET stiction AND NOT STICTION_SANITIZE)
  set(pages ${CMAKE_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}/stamp
                     COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:stiction> -DPAGES=${pages}
                             -P ${CMAKE_SOURCE_DIR}/cmake/pages.cmake
                     DEPENDS stiction ${CMAKE_SOURCE_DIR}/cmake/pages.cmake
                     COMMENT "Man pages and completion")
  add_custom_target(pages ALL DEPENDS ${pages}/stamp)
  install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${pages}/stiction.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME stiction)
  install(FILES ${pages}/_stiction DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${pages}/stiction.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/CHANGELOG.md
          DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction)
endif()
if(NOT TARGET stiction_shared)
  return()
endif()

# All that is installed, and no tests.
add_custom_target(installed DEPENDS stiction_shared stiction_plot)
if(TARGET stiction)
  add_dependencies(installed stiction stiction-experiment)
endif()
if(TARGET pages)
  add_dependencies(installed pages)
endif()

install(TARGETS stiction_shared stiction_plot EXPORT stiction)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
install(EXPORT stiction NAMESPACE stiction:: FILE stictionConfig.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/stictionConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/stictionConfigVersion.cmake DESTINATION ${package})

# The prefix is written relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH STICTION_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_SOURCE_DIR}/cmake/stiction.pc.in ${CMAKE_BINARY_DIR}/stiction.pc @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/stiction-plot.pc.in ${CMAKE_BINARY_DIR}/stiction-plot.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/stiction.pc ${CMAKE_BINARY_DIR}/stiction-plot.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
