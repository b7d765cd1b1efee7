# `cpack`: a Debian package of what `cmake --install` installs, with the examples. `./bootstrap
# package` makes it, tools/check-package tries it in a clean system.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME carl)
set(CPACK_PACKAGE_CONTACT "The carl project <noreply@carl.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "carl finds optimal policies under uncertainty when one cost is to be minimised and
others have budgets, or proves that there are none. It reads PPDDL and JSON. This
package has the program, its manual and completions, and the C++ library.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For programs of one's own that use the library, which is static.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, coinor-libclp-dev, g++, libabsl-dev, libeigen3-dev, libfmt-dev, libgmp-dev, libsimdjson-dev, libsuitesparse-dev, libtbb-dev, nlohmann-json3-dev, pkg-config, zlib1g-dev")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  PATTERN python EXCLUDE)
include(CPack)
