# A Debian package, by `make package`. Built for any machine of this kind (-DSTICTION_NATIVE=OFF); which
# libraries it needs is found by dpkg-shlibdeps. Recommended are Gmsh, which is loaded on demand, and the
# OpenBLAS that several threads may call at once.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stiction)
set(CPACK_PACKAGE_CONTACT "The Stiction authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libopenblas0-pthread)
if(STICTION_GMSH_SONAME MATCHES "libgmsh\\.so\\.(.*)")
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libgmsh${CMAKE_MATCH_1}")
endif()
include(CPack)
