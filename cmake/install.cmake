# `cmake --install`: the program with its completions and manual pages, and the library with its headers and a
# CMake package, so that another project needs no more than
#
#   find_package(carl REQUIRED)
#   target_link_libraries(theirs PRIVATE carl::carl)
#
# libcarl is static, so what it links privately must be found again where it is used; the package's
# configuration file does that.
include(CMakePackageConfigHelpers)

set(carl_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/carl)

install(TARGETS carl_app RUNTIME)
set(CARL_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
  "Where zsh looks for completions, from the prefix on")
install(FILES ${carl_manual}/carl.bash RENAME carl
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${carl_manual}/_carl DESTINATION ${CARL_ZSH_DIR})
install(FILES ${carl_manual}/carl.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${carl_manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})

install(TARGETS carl EXPORT carlTargets ARCHIVE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/carl TYPE INCLUDE FILES_MATCHING PATTERN "*.h")

install(EXPORT carlTargets NAMESPACE carl:: DESTINATION ${carl_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/carlConfig.cmake.in carlConfig.cmake
  INSTALL_DESTINATION ${carl_package_dir})
write_basic_package_version_file(carlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/carlConfig.cmake
  ${PROJECT_BINARY_DIR}/carlConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindGMP.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindKLU.cmake
  DESTINATION ${carl_package_dir})
